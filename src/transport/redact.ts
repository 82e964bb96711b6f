/**
 * Applies a redaction to whole JSON values.
 */
import { isObject, nameMap } from "../json.ts";
import type { Json } from "../json.ts";
import type { Redact } from "./transport.ts";

/** A copy of a JSON value with every string and every key redacted. */
export function redactJson(redact: Redact, value: Json): Json {
  if (typeof value === "string") return redact(value);
  if (Array.isArray(value)) return value.map((item: Json) => redactJson(redact, item));
  if (!isObject(value)) return value;
  return nameMap(
    Object.entries(value).flatMap(([key, member]) =>
      member === undefined ? [] : [[redact(key), redactJson(redact, member)] as const],
    ),
  );
}

/** Leaves every text as it is. */
export const noRedaction: Redact = (text) => text;
