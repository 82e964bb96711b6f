/**
 * Typed reading of an entry's members: each reader gives a value or reports why there is none.
 */
import { quoted, wrongType } from "./diagnostics.ts";
import type { Report } from "./diagnostics.ts";
import type { Item } from "./item.ts";

/** The members of one entry by key, those of nested objects hoisted, null ones left out. */
export type Fields = ReadonlyMap<string, Item>;

/** A text of the config with the place it was read from. */
export interface Piece {
  readonly text: string;
  readonly at: Item;
}

/** A piece under a name: a header, a variable of the environment. Null removes the variable. */
export interface NamedPiece {
  readonly name: string;
  readonly text: string | null;
  readonly at: Item;
}

/** A string, and nothing taken for one. */
export function readString(at: Item, report: Report): string | undefined {
  if (at.value.kind === "string") return at.value.text;
  report(wrongType(at, "string"));
  return undefined;
}

/** A string; a number or boolean in its place is written out. */
export function readText(at: Item, report: Report): string | undefined {
  const { value } = at;
  if (value.kind !== "number" && value.kind !== "boolean") return readString(at, report);
  const message = `${at.path}: ${value.kind} taken for a string; put it in quotes`;
  report({ code: "coerced-value", at, message, expected: "string", actual: value.kind });
  return String(value.kind === "number" ? value.number : value.flag);
}

/** A boolean; the strings "true" and "false" are taken for one. */
export function readBoolean(at: Item, report: Report): boolean | undefined {
  const { value } = at;
  if (value.kind === "boolean") return value.flag;
  if (value.kind !== "string" || (value.text !== "true" && value.text !== "false")) {
    report(wrongType(at, "boolean"));
    return undefined;
  }
  const message = `${at.path}: string taken for a boolean; leave out the quotes`;
  report({ code: "coerced-value", at, message, expected: "boolean", actual: "string" });
  return value.text === "true";
}

/** A string out of a few; another one is a `wrong-type` that lists them. */
export function readChoice<T extends string>(
  at: Item,
  choices: readonly T[],
  report: Report,
): T | undefined {
  const { value } = at;
  const found = choices.find((choice) => value.kind === "string" && value.text === choice);
  if (found === undefined) {
    const expected = choices.map((choice) => `"${choice}"`).join(" | ");
    const words = choices.map((choice) => `"${choice}"`).join(" or ");
    const finding = wrongType(at, expected, words);
    const message =
      value.kind === "string"
        ? finding.message.replace(/ string$/, " another string")
        : finding.message;
    report({ ...finding, message });
  }
  return found;
}

/** A list of strings with their places; one bad element costs the whole list. */
export function readPieces(at: Item, report: Report): readonly Piece[] | undefined {
  if (at.value.kind !== "array") {
    report(wrongType(at, "string[]", "array of strings"));
    return undefined;
  }
  const pieces = at.value.items.map((item) => ({ text: readText(item, report), at: item }));
  return pieces.every(isPiece) ? pieces : undefined;
}

/** A list of strings, such as names of tools. */
export function readNames(at: Item, report: Report): readonly string[] | undefined {
  return readPieces(at, report)?.map((piece) => piece.text);
}

/** An object of strings as pieces; a bad member costs only itself. Null members are kept as null. */
export function readNamedPieces(at: Item, report: Report): readonly NamedPiece[] {
  if (at.value.kind !== "object") {
    report(wrongType(at, "object", "object of strings"));
    return [];
  }
  return at.value.members.flatMap(({ key: name, item }): NamedPiece[] => {
    if (item.value.kind === "undefined") return [];
    if (item.value.kind === "null") return [{ name, text: null, at: item }];
    const text = readText(item, report);
    return text === undefined ? [] : [{ name, text, at: item }];
  });
}

/** A value that was found under one of several keys. */
export interface Found<T> {
  readonly key: string;
  readonly at: Item;
  readonly value: T;
}

/** The value of the first alias that has one; the others must agree. */
export function readFirst<T>(
  fields: Fields,
  keys: readonly string[],
  read: (at: Item, key: string) => T | undefined,
  report: Report,
): Found<T> | undefined {
  let first: Found<T> | undefined;
  for (const key of keys) {
    const at = fields.get(key);
    const value = at === undefined ? undefined : read(at, key);
    if (at === undefined || value === undefined) continue;
    if (first === undefined) first = { key, at, value };
    else if (first.value !== value) report(conflict(at, key, first.key));
  }
  return first;
}

/** Named pieces from several aliases, the later overlaying the earlier name by name. */
export function readOverlaid(
  fields: Fields,
  keys: readonly string[],
  read: (at: Item) => readonly NamedPiece[],
  report: Report,
): readonly NamedPiece[] {
  const pieces = new Map<string, NamedPiece & { readonly key: string }>();
  for (const key of keys) {
    const at = fields.get(key);
    const own = at === undefined ? [] : read(at);
    for (const piece of own) {
      const earlier = pieces.get(piece.name);
      if (earlier !== undefined && earlier.key !== key && earlier.text !== piece.text) {
        report(conflict(earlier.at, `${earlier.key}/${piece.name}`, `${key}/${piece.name}`));
      }
      pieces.set(piece.name, { ...piece, key });
    }
  }
  return [...pieces.values()].map(({ name, text, at }) => ({ name, text, at }));
}

/** Two members that should say the same and do not. */
export function conflict(at: Item, loser: string, winner: string): Parameters<Report>[0] {
  const message = `${quoted(loser)} and ${quoted(winner)} disagree; ${quoted(winner)} is used`;
  return { code: "conflicting-keys", at, message };
}

function isPiece(piece: { readonly text: string | undefined; readonly at: Item }): piece is Piece {
  return piece.text !== undefined;
}
