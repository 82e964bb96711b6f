/**
 * A config as a tree of values that know where they stand; text and objects become the same tree.
 */

/** A value and its place; `offset` is where its member begins, null when there is no text. */
export interface Item {
  readonly path: string;
  readonly offset: number | null;
  readonly value: Value;
}

/** One member of an object; a text can hold the same key several times. */
export interface Member {
  readonly key: string;
  readonly item: Item;
}

/** One server of a config: its name and what stands there. */
export interface Entry {
  readonly name: string;
  readonly item: Item;
}

/** An object with its members in the order of the text. */
export interface ObjectValue {
  readonly kind: "object";
  readonly members: readonly Member[];
}

/** What stands at a place. The last kinds exist only in objects that are not JSON. */
export type Value =
  | ObjectValue
  | { readonly kind: "array"; readonly items: readonly Item[] }
  | { readonly kind: "string"; readonly text: string }
  | { readonly kind: "number"; readonly number: number }
  | { readonly kind: "boolean"; readonly flag: boolean }
  | { readonly kind: "null" }
  | { readonly kind: "function"; readonly call: unknown }
  | { readonly kind: "undefined" | "bigint" | "symbol" | "class instance" | "unreadable value" };

/** The pointer of a member or element below a pointer, after RFC 6901. */
export function pointer(parent: string, key: string | number): string {
  return `${parent}/${String(key).replaceAll("~", "~0").replaceAll("/", "~1")}`;
}

/** The members of an object by key; of a key that is written twice, the last counts. */
export function membersByKey(item: Item): Map<string, Item> {
  if (item.value.kind !== "object") return new Map();
  return new Map(item.value.members.map((member) => [member.key, member.item]));
}

/** The member of an object with this key, if it is an object and has one. */
export function memberOf(item: Item, key: string): Item | undefined {
  if (item.value.kind !== "object") return undefined;
  return item.value.members.findLast((member) => member.key === key)?.item;
}
