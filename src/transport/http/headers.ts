/**
 * HTTP headers as data: which names belong to the protocol, which values can be sent, how layers merge.
 */

/** Headers to send: name, value, name, value; names in lower case, each once. */
export type HeaderLines = readonly string[];

/** Headers of an answer, by lower-case name; repeated ones as a list. */
export type AnswerHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;

/** The content codings that `decodedBody` can undo. */
export const ACCEPT_ENCODING = "gzip, deflate, br";

const OWNED: ReadonlySet<string> = new Set([
  "content-type",
  "accept",
  "mcp-session-id",
  "mcp-protocol-version",
  "mcp-method",
  "mcp-name",
  "last-event-id",
  "host",
  "content-length",
  "transfer-encoding",
  "connection",
  "keep-alive",
  "upgrade",
  "expect",
]);

/** Whether a header is set by the protocol itself, so that nobody else may. */
export function isOwnedHeader(name: string): boolean {
  const lower = name.toLowerCase();
  return OWNED.has(lower) || lower.startsWith("mcp-param-");
}

const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const SENDABLE = /^(?:[\x21-\x7e](?:[\t\x20-\x7e]*[\x21-\x7e])?)?$/;

/**
 * Why a header cannot be sent, or null; never shows the value.
 *
 * Only visible ASCII, with blanks inside, arrives as it was written: line breaks would forge
 * headers, other characters are sent in an encoding nobody agreed on, outer blanks are dropped.
 */
export function headerProblem(name: string, value: string): string | null {
  if (!TOKEN.test(name)) return "a header has a name that HTTP does not allow";
  if (typeof value !== "string")
    return `header ${JSON.stringify(name)} has a value that is no text`;
  if (typeof value !== "string")
    return `header ${JSON.stringify(name)} has a value that is no text`;
  if (SENDABLE.test(value)) return null;
  return `header ${JSON.stringify(name)} has a value that HTTP cannot carry: ${blame(value)}`;
}

function blame(value: string): string {
  if (/[\r\n]/.test(value)) return "it contains a line break";
  if (/^[\t ]|[\t ]$/.test(value)) return "it starts or ends with a blank";
  return "it contains a control character or one outside ASCII";
}

/** The first problem among headers, or null. */
export function headersProblem(
  headers: Iterable<readonly [name: string, value: string]>,
): string | null {
  for (const [name, value] of headers) {
    const problem = headerProblem(name, value);
    if (problem !== null) return problem;
  }
  return null;
}

/** Headers over other headers: of two with one name, compared without case, the later stays. */
export function mergeHeaders(
  under: HeaderLines,
  over: Iterable<readonly [name: string, value: string]>,
): HeaderLines {
  const merged = new Map<string, string>();
  for (let at = 0; at < under.length; at += 2) merged.set(under[at] ?? "", under[at + 1] ?? "");
  for (const [name, value] of over) merged.set(name.toLowerCase(), value);
  return [...merged].flat();
}

/** The value of an answer's header; of a repeated one the first. */
export function headerValue(headers: AnswerHeaders, name: string): string | undefined {
  const value = headers[name];
  return typeof value === "string" || value === undefined ? value : value[0];
}

/** Every value of an answer's header, unmerged. */
export function headerValues(headers: AnswerHeaders, name: string): readonly string[] {
  const value = headers[name];
  if (value === undefined) return [];
  return typeof value === "string" ? [value] : value;
}
