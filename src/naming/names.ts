/**
 * The names under which remote tools are exposed.
 *
 * Lives in this folder: pure functions from listed pairs (server, remote name) to exposed names,
 * to collisions, and through a server's tool filter. Not here: reading a config, asking a server.
 */
import { createHash } from "node:crypto";
import { textOf } from "../json.ts";

/** What the strictest of the large providers takes. */
const DEFAULT_MAX_LENGTH = 64;
/** A lower cap would leave no room for a hash and a word to recognise the tool by. */
const LEAST_MAX_LENGTH = 32;
/** How many hex digits of its hash a name ends in; a longer one is for when a shorter is taken. */
const HASH_DIGITS: readonly number[] = [8, 16, 32, 64];
/** What those digits leave of the cap at least: for some of the plain name, two `_` and a count. */
const LEAST_ROOM = 16;
const ENDS_LIKE_A_HASH = /_(?:[0-9a-f]{8}|[0-9a-f]{16}|[0-9a-f]{32}|[0-9a-f]{64})$/;

/**
 * The text with each code point outside `[a-zA-Z0-9_-]` replaced by one `_`.
 *
 * It counts code points, not UTF-16 units: an emoji becomes one `_`, and so does a lone surrogate.
 *
 * @example
 * ```ts
 * import { sanitize } from "mcp-source";
 * sanitize("alpha/stats"); // "alpha_stats"
 * ```
 */
export function sanitize(text: string): string {
  return textOf(text).replace(/[^a-zA-Z0-9_-]/gu, "_");
}

/**
 * The plain name of a remote tool, `sanitize(server)_sanitize(tool)`, known without connecting.
 *
 * Different pairs can share a plain name (`a_b` + `c`, `a` + `b_c`); `resolveCollisions` keeps
 * such tools apart.
 *
 * @example
 * ```ts
 * import { toolName } from "mcp-source";
 * toolName("docs.v2", "search"); // "docs_v2_search"
 * ```
 */
export function toolName(server: string, tool: string): string {
  return `${sanitize(server)}_${sanitize(tool)}`;
}

/** Whether the plain name of a remote tool spells both its parts out, nothing replaced. */
export function isExactName(server: string, tool: string): boolean {
  return toolName(server, tool) === `${textOf(server)}_${textOf(tool)}`;
}

/**
 * The name of a remote tool under the `stable` rule, which depends on this pair and nothing else.
 *
 * It is the plain name where no other pair can have that: nothing was replaced, the server holds
 * no `_` (so the first `_` is the joint), it is short enough, and it does not end like a hash.
 * Every other name is cut and ends in `_` and 8 hex digits of the pair's SHA-256. So names without
 * a hash never meet each other or one with a hash; two with a hash meet once in 2^32.
 *
 * @param maxLength - The cap, 64 unless given; less than 32 counts as 32.
 *
 * @example
 * ```ts
 * import { stableName } from "mcp-source";
 * stableName("docs", "full_search"); // "docs_full_search"
 * stableName("my_docs", "search"); // "my_docs_search_e088ae32"
 * ```
 */
export function stableName(
  server: string,
  tool: string,
  maxLength: number = DEFAULT_MAX_LENGTH,
): string {
  if (typeof server !== "string" || typeof tool !== "string") {
    return stableName(textOf(server), textOf(tool), maxLength);
  }
  const plain = toolName(server, tool);
  const isItsAlone =
    isExactName(server, tool) &&
    !server.includes("_") &&
    plain.length <= usableCap(maxLength) &&
    !ENDS_LIKE_A_HASH.test(plain);
  return isItsAlone ? plain : hashedNames(server, tool, maxLength).next().value;
}

/**
 * The names a remote tool may take when it cannot have its plain one, best first, without end.
 *
 * They end in 8, 16, 32, then 64 hex digits of SHA-256 over `JSON.stringify([server, tool])`, as
 * far as the cap has room. A server can list tools that bear all these names on purpose, so after
 * them comes a count.
 */
export function* hashedNames(
  server: string,
  tool: string,
  maxLength: number = DEFAULT_MAX_LENGTH,
): Generator<string, never> {
  const plain = toolName(server, tool);
  const hash = createHash("sha256")
    .update(JSON.stringify([server, tool]))
    .digest("hex");
  const cap = usableCap(maxLength);
  const withEnd = (end: string): string => `${plain.slice(0, cap - end.length)}${end}`;
  const ends = HASH_DIGITS.filter((digits) => digits + LEAST_ROOM <= cap).map(
    (digits) => `_${hash.slice(0, digits)}`,
  );
  yield* ends.map(withEnd);
  for (let count = 2; ; count++) yield withEnd(`${ends.at(-1) ?? ""}_${count}`);
}

function usableCap(maxLength: number): number {
  const isUsable = typeof maxLength === "number" && maxLength >= LEAST_MAX_LENGTH;
  return isUsable ? maxLength : LEAST_MAX_LENGTH;
}
