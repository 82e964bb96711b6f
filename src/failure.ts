/**
 * Failures as values: one named interface for each kind, a stable `tag`, and one line of text.
 *
 * Nothing in this library throws; what can go wrong is in these types. Text for people is made
 * from the data by `describeFailure` and by nothing else.
 */
import { isObject, textOf } from "./json.ts";
import type { Json } from "./json.ts";

/** Either a value or the failure that stands in its place; the one record with `ok`. */
export type Result<T> = Ok<T> | Err;

/** The half of a `Result` that holds the value. */
export interface Ok<T> {
  readonly ok: true;
  readonly value: T;
}

/** The half of a `Result` that holds the failure. */
export interface Err {
  readonly ok: false;
  readonly failure: Failure;
}

/** A `Result` that holds a value. */
export function ok<T>(value: T): Ok<T> {
  return { ok: true, value };
}

/** A `Result` that holds a failure. */
export function err(failure: Failure): Err {
  return { ok: false, failure };
}

/** What every failure may carry beside its own members. */
export interface FailureBase {
  /** On a failed call: false only when the peer cannot have seen the request. */
  readonly maybeExecuted?: boolean;
}

/** Why a transport failed; a closed list, never free text. */
export type TransportReason =
  | "dns"
  | "connect-failed"
  | "tls"
  | "spawn-failed"
  | "write-failed"
  | "reset"
  | "stream-failed"
  | "redirect"
  | "proxy";

/** The peer could not be reached, or the link to it broke. */
export interface TransportFailure extends FailureBase {
  readonly tag: "transport";
  readonly reason: TransportReason;
  /** The system's own code, such as `ECONNREFUSED` or `ENOENT`. */
  readonly code?: string;
  readonly detail: string;
}

/** An HTTP answer that is not 2xx and holds no JSON-RPC error. */
export interface HttpStatusFailure extends FailureBase {
  readonly tag: "http-status";
  readonly status: number;
  /** The first KiB of the body. */
  readonly body: string;
  /** Where a redirect that was not followed points to. */
  readonly location?: string;
  /** The server's `Retry-After`, in milliseconds. */
  readonly retryAfterMs?: number;
  /** The `WWW-Authenticate` of a 401 or 403. */
  readonly challenge?: string;
  /** The request carried a session id that the server does not know any more. */
  readonly sessionExpired?: true;
}

/** Not JSON, not JSON-RPC, or a result of the wrong shape. */
export interface MalformedBodyFailure extends FailureBase {
  readonly tag: "malformed-body";
  readonly detail: string;
}

/** The peer answered with a JSON-RPC error. */
export interface RpcErrorFailure extends FailureBase {
  readonly tag: "rpc-error";
  readonly code: number;
  readonly message: string;
  readonly data?: Json;
  /** The HTTP status it came with, when that was not 2xx. */
  readonly status?: number;
}

/** Accepted, never answered within the budget. */
export interface TimeoutFailure extends FailureBase {
  readonly tag: "timeout";
  readonly timeoutMs: number;
  /** What arrived meanwhile and could not be used, such as junk lines or foreign ids. */
  readonly detail?: string;
}

/** The peer's stream ended. */
export interface PeerEofFailure extends FailureBase {
  readonly tag: "peer-eof";
  /** The exit status of the process; null when it is not known. */
  readonly exitCode: number | null;
  /** The signal that ended the process; null when none is known. */
  readonly signal: string | null;
}

/** The transport was closed under the caller. */
export interface ClosedFailure extends FailureBase {
  readonly tag: "closed";
  readonly by: "client" | "session-expired" | "server";
}

/** The caller's `AbortSignal` fired. */
export interface CancelledFailure extends FailureBase {
  readonly tag: "cancelled";
}

/** The config cannot be used: the whole text, or one server of it. */
export interface ConfigFailure extends FailureBase {
  readonly tag: "config";
  readonly detail: string;
  /** The code of the first diagnostic that caused it. */
  readonly code?: string;
}

/** A function of this library was called with something it cannot take. */
export interface InvalidArgumentFailure extends FailureBase {
  readonly tag: "invalid-argument";
  readonly detail: string;
}

/** A method, version or capability that this session does not have. */
export interface UnsupportedFailure extends FailureBase {
  readonly tag: "unsupported";
  readonly detail: string;
  /** What to use instead. */
  readonly use?: string;
}

/** A limit on size, pages or rounds was reached. */
export interface LimitFailure extends FailureBase {
  readonly tag: "limit";
  /** Which limit, such as `pages` or `message-bytes`. */
  readonly limit: string;
  readonly value: number;
}

/** No credentials could be had: what the authorize hook said, or that it failed. */
export interface AuthFailure extends FailureBase {
  readonly tag: "auth";
  readonly detail: string;
}

/** Every way in which something can fail; match on `tag`. */
export type Failure =
  | TransportFailure
  | HttpStatusFailure
  | MalformedBodyFailure
  | RpcErrorFailure
  | TimeoutFailure
  | PeerEofFailure
  | ClosedFailure
  | CancelledFailure
  | ConfigFailure
  | InvalidArgumentFailure
  | UnsupportedFailure
  | LimitFailure
  | AuthFailure;

/** Where a failure happened; each part is added to the text when it is there. */
export interface FailureContext {
  readonly server?: string;
  /** `config`, `connect`, `initialize`, `tools/list`, or the method's name. */
  readonly phase?: string;
  /** The last lines a child wrote to stderr. */
  readonly stderr?: readonly string[];
}

const STDERR_LINES = 5;
const LINE_LENGTH = 400;

/**
 * One line of text for a failure, without secrets, safe to print.
 *
 * With a server and a phase it reads `mcp server "x" failed at initialize: timeout (300 ms)`.
 * At most the last five stderr lines are added, without the stack frames and blank lines of a crash,
 * each cut at 400 characters;
 * control and invisible characters are written as escapes.
 *
 * @example
 * ```ts
 * import { describeFailure } from "mcp-source";
 * describeFailure({ tag: "timeout", timeoutMs: 300 }, { server: "x", phase: "initialize" });
 * // 'mcp server "x" failed at initialize: timeout (300 ms)'
 * ```
 */
export function describeFailure(failure: Failure, context: FailureContext = {}): string {
  const { server, phase, stderr } = isObject(context) ? context : {};
  const who = typeof server === "string" ? `mcp server "${server}" ` : "";
  const place = typeof phase === "string" ? `failed at ${phase}: ` : "";
  const lines = tellingLines((Array.isArray(stderr) ? stderr : []).map(textOf))
    .slice(-STDERR_LINES)
    .map((line) => cut(line, LINE_LENGTH));
  const tail = lines.length === 0 ? "" : `; stderr: ${lines.join(" | ")}`;
  const what = isWritable(failure) ? textOf(cause(failure)) : "";
  return visible(`${who}${place}${what === "" ? "unknown failure" : what}${tail}`);
}

/** What a crash writes around its cause: stack frames, brackets, members of a printed error. */
const CRASH_NOISE =
  /^\s+at \S|^[\s{}()[\]^~]*$|^Node\.js v\d|^\s+(?:code|errno|syscall|requireStack): /;

/** The lines that may say why; where none may, all that are not blank. */
function tellingLines(lines: readonly string[]): readonly string[] {
  const telling = lines.filter((line) => !CRASH_NOISE.test(line));
  return telling.length > 0 ? telling : lines.filter((line) => line.trim() !== "");
}

/** What goes into the text as it is. */
const WRITTEN = [
  "reason",
  "status",
  "code",
  "timeoutMs",
  "exitCode",
  "signal",
  "by",
  "limit",
  "value",
];

function isWritable(failure: unknown): failure is Failure {
  if (!isObject(failure)) return false;
  return WRITTEN.every((name) => isScalar(failure[name]));
}

function isScalar(value: unknown): boolean {
  return value === null || ["string", "number", "undefined"].includes(typeof value);
}

function cause(failure: Failure): string {
  switch (failure.tag) {
    case "transport":
      return `transport (${failure.reason})${transportHint(failure)}`;
    case "http-status":
      return `http-status (HTTP ${failure.status})${redirectHint(failure)}`;
    case "malformed-body":
      return `malformed-body${detailAfter(": ", failure.detail)}`;
    case "rpc-error":
      return `rpc-error (code ${failure.code})${detailAfter(": ", failure.message)}`;
    case "timeout":
      return `timeout (${failure.timeoutMs} ms)${detailAfter("; ", failure.detail)}`;
    case "peer-eof":
      return peerEof(failure);
    case "closed":
      return `closed (by ${failure.by})`;
    case "cancelled":
      return "cancelled";
    case "config":
      return `config (${cut(textOf(failure.detail), LINE_LENGTH)})`;
    case "invalid-argument":
      return `invalid-argument${detailAfter(": ", failure.detail)}`;
    case "unsupported":
      return `unsupported${detailAfter(": ", failure.detail)}${detailAfter("; use ", failure.use)}`;
    case "limit":
      return `limit (${failure.limit} ${failure.value})`;
    case "auth":
      return `auth${detailAfter(": ", failure.detail)}`;
  }
}

/** The reasons that a person can mend get their detail; `connect-failed` stays the bare, exact text. */
function transportHint(failure: TransportFailure): string {
  return failure.reason === "spawn-failed" || failure.reason === "tls"
    ? detailAfter(": ", failure.detail)
    : "";
}

function redirectHint(failure: HttpStatusFailure): string {
  if (failure.location === undefined) return "";
  return `: redirects to ${cut(textOf(failure.location), LINE_LENGTH)}; put that into the config`;
}

function peerEof(failure: PeerEofFailure): string {
  if (failure.exitCode !== null) return `peer-exited (status ${failure.exitCode})`;
  if (failure.signal !== null) return `peer-exited (signal ${failure.signal})`;
  return "peer-eof (stdout closed, exit status unknown)";
}

function detailAfter(separator: string, detail: string | undefined): string {
  const text = cut(textOf(detail), LINE_LENGTH);
  return text === "" ? "" : `${separator}${text}`;
}

/** The start of a text, at most so many characters, never half a surrogate pair. */
export function cut(text: string, length: number): string {
  if (text.length <= length) return text;
  const end = (text.codePointAt(length - 1) ?? 0) > 0xffff ? length - 1 : length;
  return `${text.slice(0, end)}…`;
}

/** The text on one line: every control, separator and invisible character as its escape. */
export function visible(text: string): string {
  return textOf(text).replaceAll(INVISIBLE, (character) => {
    const short = SHORT_ESCAPES[character];
    return short ?? `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
  });
}

// What a terminal would act on or a reader could not see: controls, line separators, lone surrogates
// and what Unicode lets a font leave out (zero width, bidi, fillers, tags, variation selectors but
// the two that choose between text and emoji). Spelt out: what `\p{...}` matches changes with the
// engine. Combining ones stand first, where they combine with nothing.
const INVISIBLE =
  /[\u034f\u17b4\u17b5\u180b-\u180f\ufe00-\ufe0d\u0000-\u001f\u007f-\u009f\u00ad\u061c\u115f\u1160\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff0-\ufffb\u{1bca0}-\u{1bca3}\u{1d173}-\u{1d17a}\u{d800}-\u{dfff}\u{e0000}-\u{e0fff}]/gu;
const SHORT_ESCAPES: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };
