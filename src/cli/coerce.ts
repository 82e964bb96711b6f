/**
 * A value typed as text, as the JSON its schema asks for.
 */
import type { Json } from "../index.ts";
import { hasType, typesOf } from "./value-schema.ts";
import type { Schema } from "./value-schema.ts";

/** The value, or that the text is none the schema takes. */
export type Coerced = { readonly ok: true; readonly value: Json } | { readonly ok: false };

/**
 * The value that a text stands for.
 *
 * Where only strings are wanted the text is taken as it is. Else it is read as JSON when that gives a
 * value of a wanted type, and taken as it is when strings are wanted too: with number or string,
 * `5` is the number and `"5"`, quotes and all, the string.
 */
export function coerceText(text: string, schema: Schema): Coerced {
  const types = typesOf(schema);
  if (types.size === 1 && types.has("string")) return { ok: true, value: text };
  const json = parsed(text);
  if (json !== undefined && hasType(json, types) && isExact(json)) return { ok: true, value: json };
  return types.has("string") ? { ok: true, value: text } : { ok: false };
}

/** The text that `coerceText` reads back as this value, for a value the schema takes. */
export function printValue(value: Json, schema: Schema): string {
  if (typeof value !== "string") return JSON.stringify(value);
  const read = coerceText(value, schema);
  return read.ok && read.value === value ? value : JSON.stringify(value);
}

function parsed(text: string): Json | undefined {
  try {
    const value: Json = JSON.parse(text);
    return value;
  } catch {
    return undefined;
  }
}

/** A number that JavaScript would round must not be sent as another one. */
function isExact(value: Json): boolean {
  if (typeof value !== "number") return true;
  return Number.isFinite(value) && (!Number.isInteger(value) || Number.isSafeInteger(value));
}
