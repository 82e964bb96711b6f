/**
 * `x-mcp-header`: parameters of a tool that also travel as `Mcp-Param-…` headers.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http
 */
import { err, ok } from "../failure.ts";
import type { Result } from "../failure.ts";
import { isObject } from "../json.ts";
import type { Json, JsonObject } from "../json.ts";
import { encodeHeaderValue } from "./header-values.ts";

const ANNOTATION = "x-mcp-header";
const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const PRIMITIVES: ReadonlySet<Json> = new Set(["string", "integer", "boolean"]);

/** One annotated parameter. */
export interface ParamHeader {
  /** The whole header name, `Mcp-Param-…`. */
  readonly header: string;
  /** Where the value is in the arguments. */
  readonly path: readonly string[];
}

/** Keywords whose value is one schema. */
const SCHEMA_KEYWORDS: ReadonlySet<string> = new Set([
  "additionalItems",
  "additionalProperties",
  "contains",
  "contentSchema",
  "else",
  "if",
  "items",
  "not",
  "propertyNames",
  "then",
  "unevaluatedItems",
  "unevaluatedProperties",
]);
/** Keywords whose value is a list of schemas. */
const LIST_KEYWORDS: ReadonlySet<string> = new Set([
  "allOf",
  "anyOf",
  "items",
  "oneOf",
  "prefixItems",
]);
/** Keywords whose value maps names to schemas. */
const MAP_KEYWORDS: ReadonlySet<string> = new Set([
  "$defs",
  "definitions",
  "dependencies",
  "dependentSchemas",
  "patternProperties",
  "properties",
]);

/** A place in a schema where an annotation may stand, and the path of properties that leads there. */
interface Place {
  readonly schema: JsonObject;
  /** Null when the place is not reached by `properties` alone. */
  readonly path: readonly string[] | null;
}

/**
 * The annotated parameters of an input schema; a broken annotation gives `malformed-body` with the
 * reason, and makes that tool unusable over HTTP.
 *
 * An annotation must be a non-empty header token, unique whatever its case, on a parameter of type
 * string, integer or boolean (or null beside one of them), reached through `properties` alone.
 */
export function readParamHeaders(inputSchema: JsonObject): Result<readonly ParamHeader[]> {
  const headers: ParamHeader[] = [];
  const taken = new Set<string>();
  for (const { schema, path } of placesOf({ schema: inputSchema, path: [] })) {
    const name = schema[ANNOTATION];
    if (name === undefined) continue;
    const annotation = readAnnotation(name, path, schema["type"]);
    if (typeof annotation === "string") return broken(`${describePath(path)}${annotation}`);
    const key = annotation.header.toLowerCase();
    if (taken.has(key))
      return broken(`${describePath(path)}is used twice, as ${annotation.header}`);
    taken.add(key);
    headers.push(annotation);
  }
  return ok(headers);
}

function broken(detail: string): Result<never> {
  return err({ tag: "malformed-body", detail: `${ANNOTATION} ${detail}` });
}

function describePath(path: readonly string[] | null): string {
  return path === null || path.length === 0 ? "" : `at ${path.join(".")}: `;
}

/** The annotation of one place, or what is wrong with it. */
function readAnnotation(
  name: Json,
  path: readonly string[] | null,
  type: Json | undefined,
): ParamHeader | string {
  if (typeof name !== "string") return "is no string";
  if (name === "") return "is empty";
  if (!TOKEN.test(name)) return "is no header token";
  if (path === null || path.length === 0)
    return "is not on a property reached through properties alone";
  if (!isPrimitiveType(type)) return "is on a parameter that is no string, integer or boolean";
  return { header: `Mcp-Param-${name}`, path };
}

function isPrimitiveType(type: Json | undefined): boolean {
  if (type === undefined) return false;
  const types: readonly Json[] = Array.isArray(type) ? type : [type];
  const values = types.filter((one) => one !== "null");
  return values.length > 0 && values.every((one) => PRIMITIVES.has(one));
}

/** Every schema inside a schema; data such as `default`, `enum` or `examples` is none. */
function* placesOf(start: Place): Generator<Place> {
  const open: Place[] = [start];
  for (let place = open.pop(); place !== undefined; place = open.pop()) {
    yield place;
    open.push(...subschemas(place).toReversed());
  }
}

function subschemas({ schema, path }: Place): Place[] {
  return Object.entries(schema).flatMap(([keyword, value]): Place[] => {
    if (keyword === "properties" && isObject(value)) {
      return Object.entries(value).flatMap(([name, sub]) =>
        isObject(sub) ? [{ schema: sub, path: path === null ? null : [...path, name] }] : [],
      );
    }
    return schemasUnder(keyword, value).map((sub) => ({ schema: sub, path: null }));
  });
}

function schemasUnder(keyword: string, value: Json | undefined): readonly JsonObject[] {
  if (Array.isArray(value)) return LIST_KEYWORDS.has(keyword) ? value.filter(isObject) : [];
  if (!isObject(value)) return [];
  if (SCHEMA_KEYWORDS.has(keyword)) return [value];
  return MAP_KEYWORDS.has(keyword) ? Object.values(value).filter(isObject) : [];
}

/**
 * The `Mcp-Param-…` headers of a call.
 *
 * Absent and null arguments, and ones that are no primitive, give no header. Fails with
 * `invalid-argument` for a number that is no safe integer and for text without UTF-8.
 */
export function paramHeaders(
  annotated: readonly ParamHeader[],
  args: JsonObject,
): Result<Readonly<Record<string, string>>> {
  const headers: [string, string][] = [];
  for (const { header, path } of annotated) {
    const value = path.reduce<Json | undefined>(
      (at, key) => (isObject(at) && Object.hasOwn(at, key) ? at[key] : undefined),
      args,
    );
    const text = headerText(value);
    if (text === null) continue;
    const encoded = text === undefined ? undefined : encodeHeaderValue(text);
    if (encoded === undefined) {
      return err({
        tag: "invalid-argument",
        detail: `the argument ${path.join(".")} cannot be sent in the header ${header}`,
      });
    }
    headers.push([header, encoded]);
  }
  return ok(Object.fromEntries(headers));
}

/** A value as text; null when it has no header, undefined when it cannot be written as one. */
function headerText(value: Json | undefined): string | null | undefined {
  if (typeof value === "string") return value;
  if (typeof value === "boolean") return String(value);
  if (typeof value === "number") {
    return Number.isSafeInteger(value) ? String(value === 0 ? 0 : value) : undefined;
  }
  return null;
}
