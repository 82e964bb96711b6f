import fc from "fast-check";
import { expect, it } from "vitest";
import { canonicalJson } from "../../src/index.ts";
import type { Json, JsonObject } from "../../src/index.ts";
import { coerceText, printValue } from "../../src/cli/coerce.ts";
import { hasType, schemaOf, typesOf } from "../../src/cli/value-schema.ts";
import type { JsonType } from "../../src/cli/value-schema.ts";
import { anyJson, anyText } from "../support/arbitraries.ts";

const TYPES: readonly JsonType[] = [
  "string",
  "integer",
  "number",
  "boolean",
  "array",
  "object",
  "null",
];
const someTypes = (): fc.Arbitrary<JsonType[]> => fc.subarray([...TYPES], { minLength: 1 });

/** The same types, said in the ways servers say them. */
const schemaWith = (types: readonly JsonType[]): fc.Arbitrary<JsonObject> =>
  fc.constantFrom<JsonObject>(
    types.length === 1 ? { type: types[0]! } : { type: [...types] },
    { anyOf: types.map((type) => ({ type })) },
    { oneOf: types.map((type) => ({ type })) },
    { $defs: { v: { type: [...types] } }, $ref: "#/$defs/v", description: "d" },
  );

const isSendable = (value: Json): boolean =>
  typeof value !== "number" || !Number.isInteger(value) || Number.isSafeInteger(value);

it("reads back what it prints, for any schema and any value the schema takes", () => {
  const schemas = someTypes().chain((types) => schemaWith(types));
  fc.assert(
    fc.property(schemas, fc.oneof(anyJson(), anyText(), fc.integer()), (node, value) => {
      const schema = schemaOf(node);
      fc.pre(hasType(value, typesOf(schema)) && isSendable(value));
      const read = coerceText(printValue(value, schema), schema);
      expect(read.ok && canonicalJson(read.value)).toBe(canonicalJson(value));
    }),
    {
      examples: [
        [{ type: ["string", "number"] }, "5"],
        [{ type: ["string", "null"] }, '"null"'],
      ],
    },
  );
});

it("gives only values of a wanted type, for any text", () => {
  fc.assert(
    fc.property(someTypes(), fc.oneof(anyText(), fc.json()), (types, text) => {
      const read = coerceText(text, schemaOf({ type: types }));
      if (read.ok) expect(hasType(read.value, new Set(types))).toBe(true);
    }),
  );
});

it("takes a text as it is where only strings are wanted, for any text", () => {
  fc.assert(
    fc.property(anyText(), (text) => {
      expect(coerceText(text, schemaOf({ type: "string" }))).toEqual({ ok: true, value: text });
    }),
    { examples: [["5"], ["true"], ['"quoted"'], ["[1]"]] },
  );
});

it.each([
  ["5", { type: "integer" }, 5],
  ["1e3", { type: "integer" }, 1000],
  ["-0.5", { type: "number" }, -0.5],
  ["false", { type: "boolean" }, false],
  ['["a",1]', { type: "array" }, ["a", 1]],
  ["null", { anyOf: [{ type: "string" }, { type: "null" }] }, null],
  ["5", { type: ["string", "number"] }, 5],
  ['"5"', { type: ["string", "number"] }, "5"],
  ["five", { type: ["string", "number"] }, "five"],
  ["2", { enum: [1, 2] }, 2],
  ["2", { enum: ["1", "2"] }, "2"],
] as const)("reads %s after %o as %o", (text, schema, value) => {
  expect(coerceText(text, schemaOf(schema as unknown as JsonObject))).toEqual({ ok: true, value });
});

it.each([
  ["five", "integer"],
  ["5.5", "integer"],
  ["0x10", "number"],
  ["", "number"],
  ["yes", "boolean"],
  ["True", "boolean"],
  ["a,b", "array"],
  ["9007199254740993", "integer"],
  ["1e999", "number"],
] as const)("refuses %o where %s is wanted", (text, type) => {
  expect(coerceText(text, schemaOf({ type })).ok).toBe(false);
});
