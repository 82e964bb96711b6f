/**
 * What callers hand in, checked once at the border: whatever it is, the outcome is a value.
 */
import { parseConfig } from "../config/parse-config.ts";
import type { ServerConfig } from "../config/server.ts";
import type { Failure } from "../failure.ts";
import { isObject } from "../json.ts";
import type { NameFilter } from "../naming/filter.ts";
import { LEGACY_VERSIONS, MODERN_VERSIONS } from "../protocol/versions.ts";
import type { OpenTransport } from "../transport/transport.ts";
import type { EraSetting } from "./negotiation.ts";
import type { LoadOptions } from "./records.ts";

/** The budget of a server that names none. */
const DEFAULT_TIMEOUT_MS = 30_000;

/** A server to connect, however it was handed in. */
export interface Target {
  readonly name: string;
  readonly enabled: boolean;
  readonly timeoutMs: number;
  readonly callTimeoutMs: number;
  readonly tools: NameFilter | undefined;
  readonly required: boolean;
  readonly era: EraSetting;
  /** Why it cannot be connected; null when nothing stands in the way. */
  readonly problem: Failure | null;
  readonly open: OpenTransport | null;
  readonly server: ServerConfig | null;
}

/**
 * A server as `parseConfig` gives it, `{ name, open }`, or the members of one entry beside a `name`;
 * anything else gives a target with a `problem`.
 */
export function readTarget(value: unknown): Target {
  if (typeof value !== "object" || value === null) return unusable("", "the server is no object");
  const name: unknown = Reflect.get(value, "name");
  if (typeof name !== "string") return unusable("", "the server has no name");
  if (isServerConfig(value)) return targetOf(value, null);
  const { servers, diagnostics } = parseConfig({ mcpServers: { [name]: value } });
  const server = servers.find((parsed) => parsed.name === name);
  const first = diagnostics.find((found) => found.severity === "error");
  if (server === undefined) return unusable(name, first?.message ?? "the server cannot be read");
  return targetOf(server, first?.message ?? null);
}

/** A server of a parsed config; `problem` is the text of what keeps it from being connected. */
export function targetOf(server: ServerConfig, problem: string | null): Target {
  const [code] = server.problems;
  const open = isOpen(server.open) ? server.open : null;
  const failure: Failure | null =
    code === undefined ? null : { tag: "config", code, detail: detailOf(code, problem) };
  return {
    name: server.name,
    enabled: server.enabled,
    timeoutMs: server.timeoutMs,
    callTimeoutMs: server.callTimeoutMs ?? server.timeoutMs,
    tools: server.tools,
    required: server.required === true,
    era: server.era ?? (server.transport === "sse" ? "legacy" : "auto"),
    problem: failure,
    open,
    server,
  };
}

function detailOf(code: string, problem: string | null): string {
  if (code === "missing-command-or-url") return "neither command nor url";
  return problem ?? code;
}

function unusable(name: string, detail: string): Target {
  return {
    name,
    enabled: true,
    timeoutMs: DEFAULT_TIMEOUT_MS,
    callTimeoutMs: DEFAULT_TIMEOUT_MS,
    tools: undefined,
    required: false,
    era: "auto",
    problem: { tag: "invalid-argument", detail },
    open: null,
    server: null,
  };
}

function isOpen(value: unknown): value is OpenTransport {
  return typeof value === "function";
}

/** Whether a value is a server record of `parseConfig`, as far as connecting reads it. */
function isServerConfig(value: object): value is ServerConfig {
  const member = (key: string): unknown => Reflect.get(value, key);
  return (
    ["local", "remote", "unknown"].includes(textOf(member("kind"))) &&
    typeof member("enabled") === "boolean" &&
    typeof member("timeoutMs") === "number" &&
    isStrings(member("problems")) &&
    isAbsentOr(member("argv"), isStrings) &&
    isAbsentOr(member("env"), (env) => isTexts(env, true)) &&
    isAbsentOr(member("headers"), (headers) => isTexts(headers, false)) &&
    isAbsentOr(member("url"), isText) &&
    isAbsentOr(member("cwd"), isText) &&
    isAbsentOr(member("callTimeoutMs"), (ms) => typeof ms === "number") &&
    isAbsentOr(member("tools"), isFilter)
  );
}

function isAbsentOr(value: unknown, check: (value: unknown) => boolean): boolean {
  return value === undefined || check(value);
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}

function textOf(value: unknown): string {
  return isText(value) ? value : "";
}

function isStrings(value: unknown): boolean {
  return Array.isArray(value) && value.every(isText);
}

function isTexts(value: unknown, orNull: boolean): boolean {
  return (
    isObject(value) &&
    Object.values(value).every((text) => isText(text) || (orNull && text === null))
  );
}

function isFilter(value: unknown): boolean {
  return (
    isObject(value) && isAbsentOr(value["allow"], isStrings) && isAbsentOr(value["deny"], isStrings)
  );
}

type Check = readonly [expected: string, check: (value: unknown) => boolean];

const FUNCTION: Check = ["a function", (value) => typeof value === "function"];
const OBJECT: Check = ["an object", isObject];
const TEXT: Check = ["a string", isText];
const VERSIONS: readonly string[] = [...LEGACY_VERSIONS, ...MODERN_VERSIONS];
/** Wider than a JSON object: `process.env` has a prototype of its own. */
const RECORD: Check = [
  "an object",
  (value) => typeof value === "object" && value !== null && !Array.isArray(value),
];

const OPTION_CHECKS: Readonly<Record<keyof LoadOptions, Check>> = {
  signal: ["an AbortSignal", (value) => value instanceof AbortSignal],
  waitFor: FUNCTION,
  authorize: FUNCTION,
  onSample: FUNCTION,
  onRoots: FUNCTION,
  clientInfo: OBJECT,
  capabilities: OBJECT,
  initializeMeta: OBJECT,
  protocolVersion: [`one of ${VERSIONS.join(", ")}`, (value) => VERSIONS.includes(textOf(value))],
  onNotification: ["a list of [method, function]", isHandlerList],
  env: RECORD,
  inputs: ["an object of strings", (value) => isTexts(value, false)],
  verdicts: OBJECT,
  onUndefined: [
    '"error", "empty" or "keep"',
    (value) => ["error", "empty", "keep"].includes(textOf(value)),
  ],
  ownsSession: ["a boolean", (value) => typeof value === "boolean"],
  onExpired: ['"renew" or "fail"', (value) => ["renew", "fail"].includes(textOf(value))],
  baseDir: TEXT,
  onEvent: FUNCTION,
  concurrency: ["a positive integer", (value) => Number.isInteger(value) && Number(value) > 0],
  naming: ['"plain", "stable" or a rule', (value) => isText(value) || isObject(value)],
  fileName: TEXT,
};

function isHandlerList(value: unknown): boolean {
  return (
    Array.isArray(value) &&
    value.every(
      (pair: unknown) => Array.isArray(pair) && isText(pair[0]) && typeof pair[1] === "function",
    )
  );
}

/** What is wrong with options, as an `invalid-argument` that names the member; null when all is well. */
export function optionsProblem(options: unknown): Failure | null {
  if (options === undefined) return null;
  if (typeof options !== "object" || options === null || Array.isArray(options)) {
    return { tag: "invalid-argument", detail: "options is not an object" };
  }
  for (const [name, [expected, check]] of Object.entries(OPTION_CHECKS)) {
    const value: unknown = Reflect.get(options, name);
    if (value !== undefined && !check(value)) {
      return { tag: "invalid-argument", detail: `options.${name} is not ${expected}` };
    }
  }
  return null;
}
