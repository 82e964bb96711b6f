import fc from "fast-check";
import { expect, it } from "vitest";
import type { Json, JsonObject } from "../../src/json.ts";
import { readTools } from "../../src/lifecycle/read-tools.ts";
import { anyJson, anyJsonObject, anyName } from "../support/arbitraries.ts";

/** Definitions, most of them usable, whose names soon come again. */
const anyDefinition = (): fc.Arbitrary<JsonObject> =>
  fc.oneof(
    fc.record(
      {
        name: fc.oneof(fc.constantFrom("a", "b", ""), anyName(), anyJson()),
        title: anyJson(),
        description: anyJson(),
        inputSchema: fc.oneof(fc.constant({ type: "object" }), anyJson()),
        outputSchema: anyJson(),
        annotations: anyJson(),
      },
      { requiredKeys: ["name"] },
    ),
    anyJsonObject(),
  );

it("exposes or notes every definition, each name once, for any list", () => {
  fc.assert(
    fc.property(fc.array(anyDefinition(), { maxLength: 10 }), (definitions) => {
      const { tools, notes } = readTools(definitions);
      const leftOut = notes.filter(({ code }) => code !== "missing-input-schema");
      expect(tools.length + leftOut.length).toBe(definitions.length);
      expect(new Set(tools.map((tool) => tool.remoteName)).size).toBe(tools.length);
      for (const tool of tools) {
        expect(definitions).toContain(tool.definition);
        expect(tool.definition["name"]).toBe(tool.remoteName);
        expect(tool).toMatchObject({
          description: expect.any(String),
          inputSchema: expect.any(Object),
        });
      }
    }),
  );
});

it("keeps the server's order, for any usable tools", () => {
  fc.assert(
    fc.property(fc.uniqueArray(anyName().filter((name) => name !== "")), (names) => {
      const { tools, notes } = readTools(names.map((name) => ({ name, inputSchema: {} })));
      expect(tools.map((tool) => tool.remoteName)).toEqual(names);
      expect(notes).toEqual([]);
    }),
  );
});

it("passes a schema and a definition on untouched, and defaults what is missing (C210)", () => {
  const inputSchema = { type: "object", additionalProperties: true, "x-own": [1] };
  const definition = { name: "a", inputSchema, extra: { kept: true } };
  const [tool] = readTools([definition]).tools;
  expect(tool?.inputSchema).toBe(inputSchema);
  expect(tool?.definition).toBe(definition);
  expect(tool).toEqual({ remoteName: "a", description: "", inputSchema, definition });
});

it("takes any object where there is no input schema, and notes it", () => {
  const { tools, notes } = readTools([{ name: "a" }, { name: "b", inputSchema: "x" }]);
  expect(tools.map((tool) => tool.inputSchema)).toEqual([{ type: "object" }, { type: "object" }]);
  expect(notes).toEqual([
    {
      code: "missing-input-schema",
      detail: '"a" has no input schema (absent); any object is taken',
    },
    {
      code: "missing-input-schema",
      detail: '"b" has no input schema (a string); any object is taken',
    },
  ]);
});

it("keeps the first of two tools with one name, and notes the other", () => {
  const { tools, notes } = readTools([
    { name: "a", description: "first", inputSchema: {} },
    { name: "a", description: "second", inputSchema: {} },
  ]);
  expect(tools.map((tool) => tool.description)).toEqual(["first"]);
  expect(notes.map(({ code }) => code)).toEqual(["duplicate-tool"]);
});

it.each<[Json, string]>([
  [undefined as never, "absent"],
  ["", "empty"],
  [5, "a number"],
  [null, "null"],
])("drops a tool whose name is %j, and the others stay", (name, word) => {
  const { tools, notes } = readTools([{ name }, { name: "b", inputSchema: {} }]);
  expect(tools.map((tool) => tool.remoteName)).toEqual(["b"]);
  expect(notes).toEqual([{ code: "dropped-tool", detail: `a tool whose name is ${word}` }]);
});

it("drops a definition that nests too deep to be printed", () => {
  let inputSchema: JsonObject = {};
  for (let depth = 0; depth < 50_000; depth++) inputSchema = { inputSchema };
  const { tools, notes } = readTools([{ name: "deep", inputSchema }]);
  expect(tools).toEqual([]);
  expect(notes.map(({ code }) => code)).toEqual(["dropped-tool"]);
});
