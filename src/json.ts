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

/** A text as it is; anything else that a caller without types hands in is the empty text. */
export function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
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
 * as its `\u` escape, where the RFC would refuse it, and a value may be nested to any depth: the
 * function is total.
 *
 * @example
 * ```ts
 * import { canonicalJson } from "mcp-source";
 * canonicalJson({ b: 1, a: [true, null] }); // '{"a":[true,null],"b":1}'
 * ```
 */
export function canonicalJson(value: Json): string {
  let text = "";
  // A stack of our own: a peer can nest deeper than the call stack goes.
  const begun: Begun[] = [];
  const write = (value: Json): void => {
    if (typeof value !== "object" || value === null) text += scalarText(value);
    else {
      text += isArray(value) ? "[" : "{";
      begun.push(begin(value));
    }
  };
  write(value);
  for (let inner = begun.at(-1); inner !== undefined; inner = begun.at(-1)) {
    const at = inner.written++;
    if (at === inner.values.length) {
      text += inner.end;
      begun.pop();
    } else {
      text += `${at === 0 ? "" : ","}${inner.labels[at] ?? ""}`;
      write(inner.values[at] ?? null);
    }
  }
  return text;
}

/** What is no JSON at all, such as a function, is written as null, as `JSON.stringify` does in arrays. */
function scalarText(value: unknown): string {
  const text: unknown = typeof value === "bigint" ? null : JSON.stringify(value);
  return typeof text === "string" ? text : "null";
}

/** An array or object of whose members some are written. */
interface Begun {
  readonly values: readonly (Json | undefined)[];
  /** What stands before each value of an object. */
  readonly labels: readonly string[];
  readonly end: "]" | "}";
  written: number;
}

function begin(value: readonly Json[] | JsonObject): Begun {
  if (isArray(value)) return { values: value, labels: [], end: "]", written: 0 };
  const keys = Object.keys(value)
    .filter((key) => value[key] !== undefined)
    .sort();
  return {
    values: keys.map((key) => value[key]),
    labels: keys.map((key) => `${JSON.stringify(key)}:`),
    end: "}",
    written: 0,
  };
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

/** Whether a value nests deeper than so many levels; looks no further than that. */
export function isDeeperThan(value: Json | undefined, levels: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (levels === 0) return true;
  return Object.values(value).some((member) => isDeeperThan(member, levels - 1));
}
