/**
 * Applies a redaction to whole JSON values.
 */
import { isObject, nameMap } from "../json.ts";
import type { Json } from "../json.ts";
import type { Redact } from "./transport.ts";

/** Deeper than any real error; walking a million levels overflows the stack, and so would printing. */
const DEEPEST = 200;

/** A copy of a JSON value with every string and every key redacted, cut off below 200 levels. */
export function redactJson(redact: Redact, value: Json, depth = 0): Json {
  if (typeof value === "string") return redact(value);
  if (typeof value !== "object" || value === null) return value;
  if (depth >= DEEPEST) return "«too deep»";
  if (Array.isArray(value)) return value.map((item: Json) => redactJson(redact, item, depth + 1));
  if (!isObject(value)) return value;
  return nameMap(
    Object.entries(value).flatMap(([key, member]) =>
      member === undefined ? [] : [[redact(key), redactJson(redact, member, depth + 1)] as const],
    ),
  );
}

/** Leaves every text as it is. */
export const noRedaction: Redact = (text) => text;
