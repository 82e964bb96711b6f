/**
 * JSON as it crosses the wire: its types, guards and its one canonical text.
 *
 * Lives here: what is true of any JSON value. Not here: anything that knows MCP or JSON-RPC.
 */

/** Any JSON value. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;

/** A JSON object; its members are read with `object["name"]` and may be absent. */
export interface JsonObject {
  readonly [key: string]: Json | undefined;
}

/**
 * Whether a value is a JSON object: not null, not an array, not a class instance such as a Date.
 *
 * @example
 * ```ts
 * import { isObject } from "mcp-source";
 * isObject({ a: 1 }); // true
 * isObject([1]); // false
 * ```
 */
export function isObject(value: unknown): value is JsonObject {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null || isForeignPlainPrototype(prototype);
}

/** Objects of another realm (a `vm`, a worker's transfer) have their own Object.prototype. */
function isForeignPlainPrototype(prototype: unknown): boolean {
  return (
    typeof prototype === "object" &&
    prototype !== null &&
    Object.getPrototypeOf(prototype) === null &&
    Object.hasOwn(prototype, "isPrototypeOf")
  );
}

/** The text of JSON, or undefined when it is not JSON. Never throws. */
export function parseJson(text: string): { readonly value: Json } | undefined {
  try {
    const value: Json = JSON.parse(text);
    return { value };
  } catch {
    return undefined;
  }
}

/**
 * The canonical text of a JSON value after RFC 8785: members sorted by UTF-16 code unit, no blanks.
 *
 * Members that are `undefined` are left out, as `JSON.stringify` does. A lone surrogate is written
 * as its `\u` escape, where the RFC would refuse it: the function is total.
 *
 * @example
 * ```ts
 * import { canonicalJson } from "mcp-source";
 * canonicalJson({ b: 1, a: [true, null] }); // '{"a":[true,null],"b":1}'
 * ```
 */
export function canonicalJson(value: Json): string {
  if (isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const members = Object.keys(value)
    .sort()
    .flatMap((key) => {
      const member = value[key];
      return member === undefined ? [] : [`${JSON.stringify(key)}:${canonicalJson(member)}`];
    });
  return `{${members.join(",")}}`;
}

function isArray(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}

/** A map for names from outside: no prototype, so `__proto__` and `constructor` are ordinary keys. */
export function nameMap<T>(entries: Iterable<readonly [string, T]>): Record<string, T> {
  const map: Record<string, T> = Object.create(null);
  for (const [name, value] of entries) map[name] = value;
  return map;
}
