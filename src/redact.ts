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

/** How a value may be spelled by whoever echoes it: base64, base64url, percent-encoded, in JSON. */
export function encodedForms(value: string): readonly string[] {
  const base64 = btoa(
    Array.from(new TextEncoder().encode(value), (byte) => String.fromCharCode(byte)).join(""),
  );
  const unpadded = base64.replace(/=+$/, "");
  const base64url = unpadded.replaceAll("+", "-").replaceAll("/", "_");
  const percent = percentForms(value);
  return [value, base64, unpadded, base64url, ...percent, JSON.stringify(value).slice(1, -1)];
}

/** Encoders differ in which characters they spare, how they write a blank, and in the hex's case. */
function percentForms(value: string): readonly string[] {
  // A lone surrogate has no UTF-8 and would make the encoders throw.
  const text = value.replace(/[\ud800-\udfff]/gu, "\ufffd");
  const forms = [encodeURIComponent(text), encodeURI(text)];
  const plus = forms.map((form) => form.replaceAll("%20", "+"));
  return [...forms, ...plus].flatMap((form) => [
    form,
    form.replace(/%[0-9A-F]{2}/g, (escape) => escape.toLowerCase()),
  ]);
}
