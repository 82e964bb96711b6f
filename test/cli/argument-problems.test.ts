import fc from "fast-check";
import { expect, it } from "vitest";
import type { JsonObject } from "../../src/index.ts";
import { valueProblems } from "../../src/cli/check-value.ts";
import { exampleValue, expectation } from "../../src/cli/expectation.ts";
import { assignments, exampleWords, readArguments } from "../../src/cli/read-arguments.ts";
import { schemaOf } from "../../src/cli/value-schema.ts";
import { anyJson, anyJsonObject, anyText } from "../support/arbitraries.ts";

const SCHEMA: JsonObject = {
  type: "object",
  properties: {
    message: { type: "string", minLength: 2 },
    count: { type: "integer", minimum: 1, maximum: 10 },
    tags: { type: "array", items: { type: "string" }, maxItems: 2 },
    place: {
      type: "object",
      properties: { city: { type: "string" }, floor: { type: "integer" } },
      required: ["city"],
    },
    "a.b": { type: "number" },
    colour: { enum: ["red", "green"] },
  },
  required: ["message"],
};

const read = (words: readonly string[], base: JsonObject = {}, schema: JsonObject = SCHEMA) => {
  const list = assignments(words);
  return readArguments(schema, base, list.ok ? list.list : []);
};
const said = (words: readonly string[], base?: JsonObject): string[] =>
  read(words, base).problems.map(({ at, message }) => `${at} ${message}`);

it("sets each argument in the type its schema asks for", () => {
  const words = [
    "message=5=five",
    "count=3",
    'tags=["x"]',
    "place.city=Ulm",
    "place.floor=2",
    "a.b=1.5",
  ];
  expect(read(words)).toEqual({
    args: {
      message: "5=five",
      count: 3,
      tags: ["x"],
      place: { city: "Ulm", floor: 2 },
      "a.b": 1.5,
    },
    problems: [],
  });
});

it("puts key=value on top of --args", () => {
  const base = { message: "old", place: { city: "Bern" } };
  expect(read(["message=new", "place.floor=1"], base).args).toEqual({
    message: "new",
    place: { city: "Bern", floor: 1 },
  });
});

it("says of every argument what is wrong, before anything is sent", () => {
  expect(said([])).toEqual(["message is missing"]);
  expect(said(["message=hi", "count=many"])).toEqual(["count cannot be many"]);
  expect(said(["message=hi", "count=11", "colour=blue"])).toEqual([
    "count is too large",
    "colour is none of the allowed values",
  ]);
  expect(said(["mesage=hi"])).toEqual([
    'mesage is not known; did you mean "message"?',
    "message is missing",
  ]);
  expect(said(["message=hi", "message=ho"])).toEqual(["message is given twice"]);
  expect(said(["message=hi", "place.floor=1"])).toEqual(["place.city is missing"]);
  expect(said(["message=h"])).toEqual(["message is too short"]);
  expect(said([], { message: "hi", tags: ["a", 1] })).toEqual(["tags[1] is a number"]);
});

it("lets --args send what the schema does not list, and not what it forbids", () => {
  expect(said([], { message: "hi", extra: 1 })).toEqual([]);
  const closed = { ...SCHEMA, additionalProperties: false };
  expect(read([], { message: "hi", extra: 1 }, closed).problems).toMatchObject([{ at: "extra" }]);
});

it("takes any argument of a tool that lists none", () => {
  expect(read(["x=1", "y=two"], {}, { type: "object" }).args).toEqual({ x: 1, y: "two" });
});

it("names the first word that is no assignment", () => {
  expect(assignments(["a=1", "=2"])).toEqual({ ok: false, word: "=2" });
  expect(assignments(["a=1", "b"])).toEqual({ ok: false, word: "b" });
});

it("keeps an argument called __proto__ as an argument", () => {
  const { args } = read(["__proto__=1"], {}, { type: "object" });
  expect(Object.keys(args)).toEqual(["__proto__"]);
});

it("finds nothing wrong with its own examples, for the schemas people write", () => {
  const leaf = fc.constantFrom<JsonObject>(
    { type: "string" },
    { type: "string", format: "date" },
    { type: "integer", minimum: 3, maximum: 9 },
    { type: "number", exclusiveMinimum: 0 },
    { type: "boolean" },
    { enum: ["a", 1] },
    { anyOf: [{ type: "null" }, { type: "integer" }] },
    { type: "array", items: { type: "string" } },
  );
  const schemas = fc
    .dictionary(fc.stringMatching(/^[a-z]{1,5}$/), leaf)
    .map((properties): JsonObject => ({
      type: "object",
      properties,
      required: Object.keys(properties),
    }));
  fc.assert(
    fc.property(schemas, (schema) => {
      expect(valueProblems(exampleValue(schemaOf(schema)), schemaOf(schema))).toEqual([]);
      expect(read(exampleWords(schema), {}, schema).problems).toEqual([]);
    }),
  );
});

it("ends, and says something, for any schema and any arguments", () => {
  const circular: JsonObject = {
    anyOf: [{ $ref: "#" }, { $ref: "#" }],
    properties: { a: { $ref: "#" } },
    // So that no alternative fits and both are tried at every step.
    required: ["b"],
  };
  fc.assert(
    fc.property(anyJsonObject(), anyJson(), anyText(), (node, value, text) => {
      const schema = schemaOf(node);
      expect(typeof expectation(schema)).toBe("string");
      expect(Array.isArray(valueProblems(value, schema))).toBe(true);
      expect(exampleValue(schema)).not.toBeUndefined();
      const list = assignments([`${text}=${text}`]);
      if (list.ok) readArguments(node, {}, list.list);
    }),
    { examples: [[circular, { a: { a: { a: {} } } }, "a"]] },
  );
});
