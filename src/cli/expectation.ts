/**
 * What a schema asks for, in a few words, and a value that would do.
 */
import { visible } from "../index.ts";
import type { Json } from "../index.ts";
import {
  allowedValues,
  alternatives,
  propertiesOf,
  requiredOf,
  resolved,
  typesOf,
  within,
} from "./value-schema.ts";
import type { JsonType, Schema } from "./value-schema.ts";

const MAX_VALUES = 12;
const MAX_DEPTH = 3;
/** An example inside another need not be complete: every member may hold as many again. */
const MAX_MEMBERS = 8;

/** What is expected: `a whole number from 1 to 10`, `"a" or "b"`, `text or nothing (null)`. */
export function expectation(unresolved: Schema): string {
  const schema = resolved(unresolved);
  const values = allowedValues(schema);
  if (values !== null) return visible(listOf(values.map((value) => JSON.stringify(value))));
  const types = typesOf(schema);
  if (types.size === 7) return "any JSON value";
  const limited = alternatives(schema).find((one) => !typesOf(one).has("null")) ?? schema;
  return listOf([...types].map((type) => typePhrase(type, resolved(limited))));
}

function listOf(parts: readonly string[]): string {
  const shown = parts.slice(0, MAX_VALUES);
  if (shown.length < parts.length) return `${shown.join(", ")}, … (${parts.length} values)`;
  const last = shown.at(-1) ?? "nothing";
  return shown.length < 2 ? last : `${shown.slice(0, -1).join(", ")} or ${last}`;
}

function typePhrase(type: JsonType, schema: Schema): string {
  const { node } = schema;
  switch (type) {
    case "string":
      return `text${sizePhrase(node["minLength"], node["maxLength"], "characters")}${formatPhrase(node["format"])}`;
    case "integer":
      return `a whole number${rangePhrase(schema)}`;
    case "number":
      return `a number${rangePhrase(schema)}`;
    case "boolean":
      return "true or false";
    case "array":
      return `a JSON list${sizePhrase(node["minItems"], node["maxItems"], "elements")}, such as ${exampleText(schema)}`;
    case "object":
      return `a JSON object, such as ${exampleText(schema)}`;
    case "null":
      return "null";
  }
}

function formatPhrase(format: Json | undefined): string {
  return typeof format === "string" ? ` (${visible(format)})` : "";
}

function rangePhrase({ node }: Schema): string {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum } = node;
  if (typeof minimum === "number" && typeof maximum === "number") {
    return ` from ${minimum} to ${maximum}`;
  }
  const least =
    typeof minimum === "number"
      ? ` from ${minimum}`
      : typeof exclusiveMinimum === "number"
        ? ` above ${exclusiveMinimum}`
        : "";
  const most =
    typeof maximum === "number"
      ? ` up to ${maximum}`
      : typeof exclusiveMaximum === "number"
        ? ` below ${exclusiveMaximum}`
        : "";
  return `${least}${most}`;
}

function sizePhrase(least: Json | undefined, most: Json | undefined, unit: string): string {
  const hasLeast = typeof least === "number" && least > 0;
  if (hasLeast && typeof most === "number") return ` of ${least} to ${most} ${unit}`;
  if (hasLeast) return ` of at least ${least} ${unit}`;
  return typeof most === "number" ? ` of at most ${most} ${unit}` : "";
}

function exampleText(schema: Schema): string {
  return visible(JSON.stringify(exampleValue(schema)));
}

const FORMATS: Readonly<Record<string, string>> = {
  uri: "https://example.com/",
  url: "https://example.com/",
  email: "ada@example.com",
  date: "2026-01-31",
  "date-time": "2026-01-31T12:00:00Z",
};

/** A value the schema would take, as far as can be told: its own example, default or first choice. */
export function exampleValue(unresolved: Schema, depth: number = 0): Json {
  const schema = resolved(unresolved);
  const { examples, default: standard, format } = schema.node;
  const [given] = Array.isArray(examples) ? examples : [];
  const first = given ?? standard ?? allowedValues(schema)?.[0];
  if (first !== undefined && first !== null) return first;
  const choice = alternatives(schema).find((one) => !typesOf(one).has("null"));
  if (choice !== undefined && depth < MAX_DEPTH) return exampleValue(choice, depth + 1);
  const [type] = typesOf(schema);
  switch (type) {
    case "integer":
    case "number":
      return exampleNumber(schema);
    case "boolean":
      return true;
    case "array":
      return depth < MAX_DEPTH
        ? [exampleValue(within(schema, schema.node["items"]), depth + 1)]
        : [];
    case "object":
      return exampleObject(schema, depth);
    case "null":
      return null;
    default:
      return typeof format === "string" ? (FORMATS[format] ?? "text") : "text";
  }
}

function exampleNumber({ node }: Schema): number {
  const { minimum, maximum, exclusiveMinimum } = node;
  if (typeof minimum === "number") return minimum;
  if (typeof exclusiveMinimum === "number") return exclusiveMinimum + 1;
  return typeof maximum === "number" && maximum < 1 ? maximum : 1;
}

function exampleObject(schema: Schema, depth: number): Json {
  if (depth >= MAX_DEPTH) return {};
  const properties = propertiesOf(schema);
  return Object.fromEntries(
    requiredOf(schema)
      .slice(0, depth === 0 ? Infinity : MAX_MEMBERS)
      .map((name) => [name, exampleValue(properties.get(name) ?? within(schema, {}), depth + 1)]),
  );
}
