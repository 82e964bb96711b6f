/**
 * Text about a server without its secrets: what peers say passes through here before it is kept.
 */
import { isObject, textOf } from "../json.ts";
import { encodedForms } from "../redact.ts";
import type { Redact } from "../redact.ts";
import type { Secret } from "./secrets.ts";

/** A shorter value occurs in ordinary text by chance. */
const LEAST_LENGTH = 6;
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
export function redactor(secrets: readonly Secret[]): Redact {
  const names = new Map<string, string>();
  for (const { name, value } of Array.isArray(secrets) ? secrets.filter(isSecret) : []) {
    for (const form of formsOf(value)) if (!names.has(form)) names.set(form, name);
  }
  if (names.size === 0) return (text) => text;
  const longestFirst = [...names.keys()].sort((a, b) => b.length - a.length);
  const pattern = new RegExp(longestFirst.map(escaped).join("|"), "g");
  return (text) => textOf(text).replace(pattern, (form) => `«${names.get(form) ?? ""}»`);
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

function escaped(text: string): string {
  return text.replace(/[$()*+.?[\\\]^{|}/-]/g, "\\$&");
}
