/**
 * Text about a server without its secrets: what peers say passes through here before it is kept.
 */
import { isObject, nameMap, textOf } from "../json.ts";
import type { Json } from "../json.ts";
import type { Secret } from "./secrets.ts";

/** Replaces every known secret in a text from outside by `«NAME»`. */
export type Redact = (text: string) => string;

/** A shorter value occurs in ordinary text by chance. */
const LEAST_LENGTH = 6;
/** Deeper JSON is cut off; peers send any depth. */
const MAX_DEPTH = 500;

/**
 * A function that replaces every secret of 6 or more characters by `«NAME»`, in one pass.
 *
 * It also finds a value's base64, base64url, percent-encoded and JSON-escaped forms, and each line
 * of a value that has several. The longest match wins; of two secrets with one value, the first.
 *
 * @example
 * ```ts
 * import { redactor } from "mcp-source";
 * const redact = redactor([{ name: "TOKEN", value: "s3cr3t-value" }]);
 * redact("bad token s3cr3t-value"); // "bad token «TOKEN»"
 * ```
 */
export function redactor(secrets: readonly Secret[]): (text: string) => string {
  const names = new Map<string, string>();
  for (const { name, value } of Array.isArray(secrets) ? secrets.filter(isSecret) : []) {
    for (const form of formsOf(value)) if (!names.has(form)) names.set(form, name);
  }
  if (names.size === 0) return (text) => text;
  const longestFirst = [...names.keys()].sort((a, b) => b.length - a.length);
  const pattern = new RegExp(longestFirst.map(escaped).join("|"), "g");
  return (text) => textOf(text).replace(pattern, (form) => `«${names.get(form) ?? ""}»`);
}

/** A JSON value with every string and every key redacted; below 500 levels it is cut off. */
export function redactJson(redact: Redact, json: Json): Json {
  return redactLevel(redact, json, 0);
}

function redactLevel(redact: Redact, json: Json, depth: number): Json {
  if (typeof json === "string") return redact(json);
  if (typeof json !== "object" || json === null) return json;
  if (depth === MAX_DEPTH) return "…";
  if (isList(json)) return json.map((item) => redactLevel(redact, item, depth + 1));
  return nameMap(
    Object.entries(json).flatMap(([key, value]) =>
      value === undefined ? [] : [[redact(key), redactLevel(redact, value, depth + 1)] as const],
    ),
  );
}

function isList(json: Json): json is readonly Json[] {
  return Array.isArray(json);
}

function isSecret(secret: unknown): secret is Secret {
  return (
    isObject(secret) && typeof secret["name"] === "string" && typeof secret["value"] === "string"
  );
}

function formsOf(secret: string): readonly string[] {
  const values = [secret, ...secret.split(/\r\n|\n|\r/)];
  return values.filter((value) => value.length >= LEAST_LENGTH).flatMap(encodedForms);
}

function encodedForms(value: string): readonly string[] {
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

function escaped(text: string): string {
  return text.replace(/[$()*+.?[\\\]^{|}/-]/g, "\\$&");
}
