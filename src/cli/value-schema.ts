/**
 * What a JSON schema says about a value, as far as it is certain and can be said in a few words.
 *
 * Schemas come from servers: they may be deep, circular or broken, so every walk here is bounded, and
 * what is not understood is left to the server.
 */
import { isObject } from "../index.ts";
import type { Json, JsonObject } from "../index.ts";

/** The types of JSON, with integer apart from number as schemas have it. */
export type JsonType = "string" | "integer" | "number" | "boolean" | "array" | "object" | "null";

/** A schema, and the document in which its `$ref`s point. */
export interface Schema {
  readonly node: JsonObject;
  readonly root: JsonObject;
}

const TYPES: readonly JsonType[] = [
  "string",
  "integer",
  "number",
  "boolean",
  "array",
  "object",
  "null",
];
const ALL_TYPES: ReadonlySet<JsonType> = new Set(TYPES);
/** How far a chain of references is followed. */
const MAX_REFERENCES = 16;
/** How many alternatives are looked at; a schema can refer to itself twice at every step. */
const MAX_ALTERNATIVES = 64;

/** A schema document. */
export function schemaOf(root: JsonObject): Schema {
  return { node: root, root };
}

/** A part of a schema's document; true, false and anything that is no object say nothing. */
export function within(schema: Schema, node: Json | undefined): Schema {
  return { node: isObject(node) ? node : {}, root: schema.root };
}

/** The schema a local `$ref` leads to, else the schema itself. */
export function resolved(schema: Schema): Schema {
  let found = schema;
  for (let step = 0; step < MAX_REFERENCES; step++) {
    const ref = found.node["$ref"];
    if (typeof ref !== "string") return found;
    const target = atPointer(schema.root, ref);
    if (target === undefined) return within(schema, {});
    // Members beside a `$ref`, such as a description, belong to the place that refers.
    const { $ref: _, ...beside } = found.node;
    found = within(schema, { ...target, ...beside });
  }
  return within(schema, {});
}

function atPointer(root: JsonObject, ref: string): JsonObject | undefined {
  if (!ref.startsWith("#")) return undefined;
  let at: Json | undefined = root;
  for (const part of ref.slice(1).split("/").slice(1)) {
    const key = part.replaceAll("~1", "/").replaceAll("~0", "~");
    at = isObject(at) && Object.hasOwn(at, key) ? at[key] : undefined;
  }
  return isObject(at) ? at : undefined;
}

/** The schemas of which a value has to match one; empty when there is no such choice. */
export function alternatives(schema: Schema): readonly Schema[] {
  const choice = schema.node["anyOf"] ?? schema.node["oneOf"];
  return Array.isArray(choice) ? choice.map((node: Json) => within(schema, node)) : [];
}

/** The types a value may have; all of them when the schema does not say. */
export function typesOf(schema: Schema): ReadonlySet<JsonType> {
  const found = new Set<JsonType>();
  const open = [schema];
  for (let seen = 0; open.length > 0; seen++) {
    const next = resolved(open.pop() ?? schema);
    const own = ownTypes(next);
    const choice = own.length > 0 ? [] : alternatives(next);
    if (seen >= MAX_ALTERNATIVES || (own.length === 0 && choice.length === 0)) return ALL_TYPES;
    for (const type of own) found.add(type);
    open.push(...choice);
  }
  return found;
}

function ownTypes(schema: Schema): readonly JsonType[] {
  const { type } = schema.node;
  const named = (Array.isArray(type) ? type : [type]).flatMap((name: Json | undefined) =>
    TYPES.filter((known) => known === name),
  );
  return named.length > 0 ? named : (allowedValues(schema) ?? []).map(typeOf);
}

/** The values of `enum` or `const`; null when any value may do. */
export function allowedValues(schema: Schema): readonly Json[] | null {
  const { node } = resolved(schema);
  if (node["const"] !== undefined) return [node["const"]];
  const list = node["enum"];
  return Array.isArray(list) ? list : null;
}

/** The type of a value; a whole number is an integer. */
export function typeOf(value: Json): JsonType {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  switch (typeof value) {
    case "string":
      return "string";
    case "boolean":
      return "boolean";
    case "number":
      return Number.isInteger(value) ? "integer" : "number";
    default:
      return "object";
  }
}

/** Whether a value has one of the types; an integer is a number too. */
export function hasType(value: Json, types: ReadonlySet<JsonType>): boolean {
  const type = typeOf(value);
  return types.has(type) || (type === "integer" && types.has("number"));
}

/** The schemas of an object's members. */
export function propertiesOf(schema: Schema): ReadonlyMap<string, Schema> {
  const { node } = resolved(schema);
  const properties = isObject(node["properties"]) ? node["properties"] : {};
  return new Map(Object.entries(properties).map(([name, part]) => [name, within(schema, part)]));
}

/** The members an object must have. */
export function requiredOf(schema: Schema): readonly string[] {
  const { required } = resolved(schema).node;
  return Array.isArray(required) ? required.filter((name) => typeof name === "string") : [];
}
