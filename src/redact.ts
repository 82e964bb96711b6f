/**
 * Taking secrets out of what peers say: the function that does it, over whole JSON values.
 *
 * Which secrets there are is the config's matter (`redactor`); here is only how one is applied.
 */
import { isObject, nameMap } from "./json.ts";
import type { Json } from "./json.ts";

/** Replaces every known secret in a text by `«NAME»`. */
export type Redact = (text: string) => string;

/** Leaves every text as it is. */
export const noRedaction: Redact = (text) => text;

/** Peers send any depth; a million levels would overflow the stack, here or when it is printed. */
const DEEPEST = 200;

/** A JSON value with every string and every key redacted; below 200 levels it is cut off. */
export function redactJson(redact: Redact, json: Json): Json {
  return redactLevel(typeof redact === "function" ? redact : noRedaction, json, 0);
}

function redactLevel(redact: Redact, json: Json, depth: number): Json {
  if (typeof json === "string") return redact(json);
  if (typeof json !== "object" || json === null) return json;
  if (depth === DEEPEST) return "…";
  if (isList(json)) return json.map((item) => redactLevel(redact, item, depth + 1));
  // A class instance is no JSON, and nothing that a peer can send.
  if (!isObject(json)) return null;
  return nameMap(
    Object.entries(json).flatMap(([key, value]) =>
      value === undefined ? [] : [[redact(key), redactLevel(redact, value, depth + 1)] as const],
    ),
  );
}

function isList(json: Json): json is readonly Json[] {
  return Array.isArray(json);
}
