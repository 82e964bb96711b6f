/**
 * Names, texts and JSON: ordinary ones, with what trips parsers and terminals among them. Drawn from
 * all of Unicode alone, a text hardly ever holds a dot or a blank, and faults in those go unseen.
 */
import type { Json, JsonObject } from "../../json.ts";
import type { Arbitrary, FastCheck } from "./fast-check.ts";

/** The corners of UTF-16, lone surrogates among them, control characters and the like. */
const HOSTILE_UNITS = [
  "\ud800",
  "\udfff",
  "\uffff",
  "\u{10000}",
  "\u{10ffff}",
  "\0",
  "\n",
  "\r",
  "\t",
  "\u001b",
  "\u007f",
  "\u0085",
  "\u2028",
  "\u202e",
  "\ufeff",
  "\u{e0041}",
  '"',
  "\\",
  "é",
  "e\u0301",
  "🧪",
  "a",
  "_",
];

/** What objects of JavaScript have by themselves, what is no text to a number, and next to nothing. */
const HOSTILE_NAMES = ["", " ", ".", "_", "__proto__", "constructor", "toString", "0", "-0", "1e3"];

/** Names that become one when made safe, or when joined. */
const CROWDED_NAMES = ["a", "b", "a_a", "a.a", "a_b", "a.b", "a b", "ü", "a_b_a", "A"];

/** Any text. */
export function anyText(fc: FastCheck): Arbitrary<string> {
  return fc.oneof(
    fc.string({ unit: "grapheme-ascii" }),
    fc.string({ unit: "binary" }),
    fc.string({ unit: fc.constantFrom(...HOSTILE_UNITS) }),
    fc.constantFrom(...HOSTILE_NAMES),
  );
}

/** The name of a server or a tool. */
export function anyName(fc: FastCheck): Arbitrary<string> {
  return fc.oneof(
    fc.stringMatching(/^[a-zA-Z0-9_-]{1,12}$/),
    fc.constantFrom(...CROWDED_NAMES),
    anyText(fc),
  );
}

function anyNumber(fc: FastCheck): Arbitrary<number> {
  return fc.oneof(
    fc.integer(),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.constantFrom(0, 1e21, 5e-324, Number.MAX_VALUE, Number.MAX_SAFE_INTEGER + 1, 0.1),
  );
}

/** Any JSON value, four levels deep at most. */
export function anyJson(fc: FastCheck): Arbitrary<Json> {
  return fc.letrec<{ json: Json; array: Json[]; object: JsonObject }>((tie) => ({
    json: fc.oneof(
      { maxDepth: 4, withCrossShrink: true },
      fc.constant(null),
      fc.boolean(),
      anyNumber(fc),
      anyText(fc),
      tie("array"),
      tie("object"),
    ),
    array: fc.array(tie("json"), { maxLength: 4 }),
    object: members(fc, anyName(fc), tie("json")),
  })).json;
}

/** Any JSON object. */
export function anyJsonObject(fc: FastCheck): Arbitrary<JsonObject> {
  return members(fc, anyName(fc), anyJson(fc));
}

/** An object with such names and values as its own members, whatever they are called. */
export function members(
  fc: FastCheck,
  names: Arbitrary<string>,
  values: Arbitrary<Json>,
  maxLength: number = 5,
): Arbitrary<JsonObject> {
  return fc
    .uniqueArray(fc.tuple(names, values), { maxLength, selector: ([name]) => name })
    .map((entries): JsonObject => Object.fromEntries(entries));
}
