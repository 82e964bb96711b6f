/**
 * How long a server may take: every dialect's members, all in milliseconds.
 */
import { wrongType } from "./diagnostics.ts";
import type { Report } from "./diagnostics.ts";
import { readFirst } from "./fields.ts";
import type { Fields } from "./fields.ts";
import type { Item } from "./item.ts";

/** The unit of `timeout`; `guess` is milliseconds with a warning when the number looks wrong. */
export type TimeoutUnit = "ms" | "s" | "guess";

/** How each host counts `timeout`; one that has none leaves us guessing. */
const UNIT_OF_DIALECT = {
  "mcp-source": "ms",
  "amazon-q": "ms",
  "claude-code": "ms",
  "claude-desktop": "guess",
  cline: "s",
  codex: "guess",
  continue: "ms",
  copilot: "guess",
  crush: "s",
  cursor: "guess",
  gemini: "ms",
  goose: "s",
  inspector: "guess",
  librechat: "ms",
  mcporter: "guess",
  opencode: "ms",
  roo: "s",
  vscode: "guess",
  windsurf: "guess",
  zed: "guess",
} as const;

/** The host a config file was written for. */
export type Dialect = keyof typeof UNIT_OF_DIALECT;

const SECONDS_FILE = /(?:^|[\\/])(?:\.roo[\\/]mcp\.json|cline_mcp_settings\.json|crush\.json)$/;

/** Whether a value names a dialect. */
export function isDialect(value: unknown): value is Dialect {
  return typeof value === "string" && Object.hasOwn(UNIT_OF_DIALECT, value);
}

/** The unit of `timeout`, by the dialect, else by the name of the file; never by its size. */
export function timeoutUnit(
  dialect: Dialect | undefined,
  fileName: string | undefined,
): TimeoutUnit {
  if (dialect !== undefined) return UNIT_OF_DIALECT[dialect];
  return fileName !== undefined && SECONDS_FILE.test(fileName) ? "s" : "guess";
}

/** The budgets of one server, in milliseconds. */
export interface Timeouts {
  readonly timeoutMs: number;
  readonly callTimeoutMs?: number;
}

const DEFAULT_MS = 30_000;
/** Node's timers fire at once above this. */
const MAX_MS = 2 ** 31 - 1;
const SUSPICIOUS_MS = 1000;

/** `timeout` is absent: its unit depends on the dialect. The first of each list wins. */
const UNITS: Readonly<Record<string, "ms" | "s">> = {
  timeoutMs: "ms",
  timeoutSec: "s",
  startup_timeout_sec: "s",
  startup_timeout_ms: "ms",
  connectionTimeout: "ms",
  initTimeout: "ms",
  callTimeout: "ms",
  callTimeoutMs: "ms",
  tool_timeout_sec: "s",
  request_timeout_ms: "ms",
  defaultToolTimeout: "ms",
};
const CONNECT_KEYS = [
  "timeout",
  "timeoutMs",
  "timeoutSec",
  "startup_timeout_sec",
  "startup_timeout_ms",
  "connectionTimeout",
  "initTimeout",
];
const CALL_KEYS = [
  "callTimeout",
  "callTimeoutMs",
  "tool_timeout_sec",
  "request_timeout_ms",
  "defaultToolTimeout",
];

/** The budgets an entry names; an unusable one is reported and leaves the default. */
export function readTimeouts(fields: Fields, unit: TimeoutUnit, report: Report): Timeouts {
  const read = (at: Item, key: string): number | undefined =>
    readDuration(at, UNITS[key] ?? unit, report);
  const connect = readFirst(fields, CONNECT_KEYS, read, report);
  const call = readFirst(fields, CALL_KEYS, read, report);
  return {
    timeoutMs: connect?.value ?? DEFAULT_MS,
    ...(call === undefined ? {} : { callTimeoutMs: call.value }),
  };
}

function readDuration(at: Item, unit: TimeoutUnit, report: Report): number | undefined {
  const { value } = at;
  if (value.kind !== "number" || Number.isNaN(value.number)) {
    report(wrongType(at, "number"));
    return undefined;
  }
  const ms = unit === "s" ? value.number * 1000 : value.number;
  if (ms <= 0) {
    const message = `${at.path}: a timeout must be more than 0`;
    report({ code: "timeout-not-positive", at, message });
    return undefined;
  }
  if (ms > MAX_MS) {
    const message = `${at.path}: a timeout must be at most ${MAX_MS} ms`;
    report({ code: "timeout-too-large", at, message });
    return undefined;
  }
  if (unit === "guess" && ms < SUSPICIOUS_MS) {
    const message = `${ms} is read as ${ms} ms; Cline and Roo files count seconds: use ${ms * 1000} or dialect "cline"`;
    report({ code: "timeout-suspicious", at, message });
  }
  return ms;
}
