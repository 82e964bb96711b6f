/**
 * From a value in memory to the tree of a config, one level at a time.
 *
 * The value is anybody's: getters may throw, proxies may lie, objects may hold themselves. Each
 * level is read once, when it is asked for, so what no reader looks at is never touched.
 */
import { isObject } from "../json.ts";
import { attempt } from "./attempt.ts";
import { pointer } from "./item.ts";
import type { Item, Member, Value } from "./item.ts";

/** More elements than this are no list of a config; a proxy can claim any length. */
const MAX_ITEMS = 100_000;

/** The tree of a value that is not text. Never throws, and never changes the value. */
export function readObject(input: unknown): Item {
  return itemOf(input, "");
}

function itemOf(raw: unknown, path: string): Item {
  return { path, offset: null, value: valueOf(raw, path) };
}

function valueOf(raw: unknown, path: string): Value {
  if (raw === null) return { kind: "null" };
  if (typeof raw === "string") return { kind: "string", text: raw };
  if (typeof raw === "number") return { kind: "number", number: raw };
  if (typeof raw === "boolean") return { kind: "boolean", flag: raw };
  if (typeof raw === "function") return { kind: "function", call: raw };
  if (typeof raw === "bigint") return { kind: "bigint" };
  if (typeof raw === "symbol") return { kind: "symbol" };
  return typeof raw === "object" ? compoundOf(raw, path) : { kind: "undefined" };
}

function compoundOf(raw: object, path: string): Value {
  const shape = attempt(() =>
    Array.isArray(raw) ? "array" : isObject(raw) ? "object" : "instance",
  );
  if (shape === undefined) return { kind: "unreadable value" };
  if (shape === "instance") return { kind: "class instance" };
  if (shape === "object") {
    const keys = attempt(() => Object.keys(raw));
    if (keys === undefined) return { kind: "unreadable value" };
    const members = once(() => keys.map((key): Member => ({ key, item: itemAt(raw, key, path) })));
    return {
      kind: "object",
      get members() {
        return members();
      },
    };
  }
  const length = attempt(() => Number(Reflect.get(raw, "length")));
  if (length === undefined || !(length <= MAX_ITEMS)) return { kind: "unreadable value" };
  const items = once(() => Array.from({ length }, (_, i) => itemAt(raw, i, path)));
  return {
    kind: "array",
    get items() {
      return items();
    },
  };
}

function itemAt(parent: object, key: string | number, path: string): Item {
  const below = pointer(path, key);
  const read = attempt((): { readonly raw: unknown } => ({ raw: Reflect.get(parent, key) }));
  if (read !== undefined) return itemOf(read.raw, below);
  return { path: below, offset: null, value: { kind: "unreadable value" } };
}

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}
