import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../src/json.ts";
import {
  contentProblem,
  fillDefaults,
  formFields,
} from "../../src/lifecycle/elicitation-schema.ts";

const form = (properties: JsonObject, required: readonly string[] = []): JsonObject => ({
  type: "object",
  properties,
  required,
});

describe("formFields", () => {
  it("reads every kind of field, with titles, choices and defaults, in the server's order", () => {
    const fields = formFields(
      form(
        {
          name: { type: "string", title: "Your name", description: "as on the card" },
          age: { type: "integer", default: 3 },
          share: { type: "number" },
          sure: { type: "boolean" },
          plain: { type: "string", enum: ["a", "b"], enumNames: ["A"] },
          titled: { type: "string", oneOf: [{ const: "x", title: "X" }, { const: "y" }] },
          many: { type: "array", items: { enum: ["p", "q"] } },
          manyTitled: { type: "array", items: { anyOf: [{ const: "r", title: "R" }] } },
        },
        ["age"],
      ),
    );
    expect(fields.map(({ name, type }) => `${name}:${type}`)).toEqual([
      "name:string",
      "age:integer",
      "share:number",
      "sure:boolean",
      "plain:choice",
      "titled:choice",
      "many:choices",
      "manyTitled:choices",
    ]);
    expect(fields[0]).toMatchObject({ title: "Your name", description: "as on the card" });
    expect(fields[1]).toMatchObject({ isRequired: true, default: 3 });
    const options = fields.map((field) =>
      field.options.map(({ value, title }) => `${value}=${title}`),
    );
    expect(options.slice(4)).toEqual([["a=A", "b=b"], ["x=X", "y=y"], ["p=p", "q=q"], ["r=R"]]);
  });

  it("gives a list, for any JSON object", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (schema) => {
        expect(Array.isArray(formFields(schema as JsonObject))).toBe(true);
      }),
    );
  });
});

describe("contentProblem", () => {
  const cases: readonly [JsonObject, unknown, string | null][] = [
    [{ type: "string" }, "x", null],
    [{ type: "string" }, 1, "f must be text"],
    [{ type: "string", minLength: 2 }, "😀", "f needs at least 2 characters"],
    [{ type: "string", maxLength: 1 }, "ab", "f takes at most 1 characters"],
    [{ type: "string", format: "email" }, "a@b.c", null],
    [{ type: "string", format: "email" }, "a b", "f must be a valid email"],
    [{ type: "string", format: "uri" }, "https://x/y", null],
    [{ type: "string", format: "uri" }, "x/y", "f must be a valid uri"],
    [{ type: "string", format: "date" }, "2024-02-29", null],
    [{ type: "string", format: "date" }, "2023-02-29", "f must be a valid date"],
    [{ type: "string", format: "date-time" }, "2024-02-29T10:00:00Z", null],
    [{ type: "string", format: "date-time" }, "2024-02-29 10:00", "f must be a valid date-time"],
    [{ type: "string", pattern: "(a+)+$" }, "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!", null],
    [{ type: "integer" }, 1.5, "f must be a whole number"],
    [{ type: "integer", minimum: 1 }, 0, "f must be at least 1"],
    [{ type: "number", maximum: 1 }, 2, "f must be at most 1"],
    [{ type: "boolean" }, "true", "f must be true or false"],
    [{ type: "string", enum: ["a", "b"] }, "c", "f must be one of a, b"],
    [{ type: "array", items: { enum: ["a"] } }, ["a"], null],
    [{ type: "array", items: { enum: ["a"] } }, ["b"], "f must hold only a"],
    [{ type: "array", items: { enum: ["a"] }, minItems: 1 }, [], "f needs at least 1"],
    [{ type: "array", items: { enum: ["a"] } }, "a", "f must be a list"],
  ];
  it.each(cases)("%j with %j: %s", (schema, value, problem) => {
    expect(contentProblem(form({ f: schema }), { f: value } as JsonObject)).toBe(problem);
  });

  it("misses what is required, and nothing else", () => {
    const schema = form({ a: { type: "string" }, b: { type: "string" } }, ["a"]);
    expect(contentProblem(schema, {})).toBe("a is missing");
    expect(contentProblem(schema, { a: "" })).toBeNull();
  });
});

describe("fillDefaults", () => {
  it("never changes what was answered, and fills only what has a default, for any content", () => {
    const schema = form({
      a: { type: "string", default: "x" },
      b: { type: "integer", default: 0 },
      c: {},
    });
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom("a", "b", "c", "d"), fc.string()), (content) => {
        const filled = fillDefaults(schema, content);
        expect(filled).toMatchObject(content);
        expect(Object.keys(filled).sort()).toEqual(
          [...new Set([...Object.keys(content), "a", "b"])].sort(),
        );
      }),
    );
  });
});
