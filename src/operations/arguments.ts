/**
 * What callers hand to operations, checked once at the border.
 */
import { err, ok } from "../failure.ts";
import type { Failure, Result } from "../failure.ts";
import { isObject } from "../json.ts";
import type { CallOptions } from "../lifecycle/records.ts";
import { META } from "../protocol/envelope.ts";
import type { RequestId } from "../protocol/messages.ts";

/** The levels of log messages, least severe first. */
export const LOG_LEVELS = [
  "debug",
  "info",
  "notice",
  "warning",
  "error",
  "critical",
  "alert",
  "emergency",
] as const;

/** How severe a log message is. */
export type LogLevel = (typeof LOG_LEVELS)[number];

/** Whether a value is a level of the protocol. */
export function isLogLevel(value: unknown): value is LogLevel {
  return LOG_LEVELS.some((level) => level === value);
}

/** The failure for an argument that cannot be taken; nothing was sent. */
export function invalid(detail: string): Failure {
  return { tag: "invalid-argument", detail, maybeExecuted: false };
}

/** Reads the options of a request: the known members and nothing else. */
export function readCallOptions(given: unknown): Result<CallOptions> {
  if (given === undefined) return ok({});
  if (!isCallOptions(given)) return err(invalid(optionsProblem(given) ?? "options is no object"));
  const { signal, timeoutMs, maxTotalMs, resetTimeoutOnProgress, onProgress, meta } = given;
  return ok({
    ...(signal === undefined ? {} : { signal }),
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
    ...(maxTotalMs === undefined ? {} : { maxTotalMs }),
    ...(resetTimeoutOnProgress === undefined ? {} : { resetTimeoutOnProgress }),
    ...(onProgress === undefined ? {} : { onProgress }),
    ...(meta === undefined ? {} : { meta }),
  });
}

function isCallOptions(given: unknown): given is CallOptions {
  return optionsProblem(given) === null;
}

type Check = readonly [expected: string, check: (value: unknown) => boolean];

const MILLISECONDS: Check = [
  "a number of milliseconds",
  (value) => typeof value === "number" && value >= 0,
];

const CHECKS: Readonly<Record<keyof CallOptions, Check>> = {
  signal: ["an AbortSignal", (value) => value instanceof AbortSignal],
  timeoutMs: MILLISECONDS,
  maxTotalMs: MILLISECONDS,
  resetTimeoutOnProgress: ["a boolean", (value) => typeof value === "boolean"],
  onProgress: ["a function", (value) => typeof value === "function"],
  meta: ["an object whose reserved members are well formed", isMeta],
};

function optionsProblem(given: unknown): string | null {
  if (typeof given !== "object" || given === null || Array.isArray(given)) {
    return "options is no object";
  }
  for (const [name, [expected, check]] of Object.entries(CHECKS)) {
    const value: unknown = Reflect.get(given, name);
    if (value !== undefined && !check(value)) return `options.${name} is not ${expected}`;
  }
  return null;
}

function isMeta(value: unknown): boolean {
  if (!isObject(value)) return false;
  const { progressToken, [META.logLevel]: logLevel } = value;
  return (
    (progressToken === undefined || isRequestId(progressToken)) &&
    (logLevel === undefined || isLogLevel(logLevel))
  );
}

/** Whether a value can be the id of a request or a progress token: text or a safe integer. */
export function isRequestId(value: unknown): value is RequestId {
  return typeof value === "string" || Number.isSafeInteger(value);
}

/** What is wrong with a text that must not be blank, or null. */
export function blankProblem(name: string, value: unknown): Failure | null {
  if (typeof value !== "string") return invalid(`${name} is no string`);
  return value.trim() === "" ? invalid(`${name} is blank`) : null;
}

/** What is wrong with a function of the caller's, or null. */
export function functionProblem(name: string, value: unknown): Failure | null {
  return typeof value === "function" ? null : invalid(`${name} is no function`);
}

/** What is wrong with an object that may be left out, or null. */
export function objectProblem(name: string, value: unknown): Failure | null {
  return value === undefined || isObject(value) ? null : invalid(`${name} is no JSON object`);
}

/** What is wrong with a map of texts that may be left out, or null. */
export function textsProblem(name: string, value: unknown): Failure | null {
  if (value === undefined) return null;
  if (!isObject(value)) return invalid(`${name} is no JSON object`);
  const odd = Object.entries(value).find(
    ([, text]) => text !== undefined && typeof text !== "string",
  );
  return odd === undefined ? null : invalid(`${name}.${odd[0]} is no string`);
}
