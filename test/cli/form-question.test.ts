import fc from "fast-check";
import { expect, it } from "vitest";
import { formFields } from "../../src/index.ts";
import type { FormField, JsonObject } from "../../src/index.ts";
import { questionOf, readField } from "../../src/cli/form-question.ts";
import { anyJsonObject, anyText } from "../support/arbitraries.ts";

const field = (schema: JsonObject, isRequired = true): FormField =>
  formFields({ properties: { x: schema }, required: isRequired ? ["x"] : [] })[0]!;

it.each([
  [{ type: "string" }, "Ada", "Ada"],
  [{ type: "string" }, "5", "5"],
  [{ type: "integer", minimum: 0 }, "36", 36],
  [{ type: "boolean" }, "true", true],
  [{ type: "string", enum: ["a", "b"] }, "2", "b"],
  [{ type: "string", enum: ["a", "b"] }, "a", "a"],
  [{ oneOf: [{ const: "r", title: "Red" }] }, "Red", "r"],
  [{ type: "array", items: { enum: ["a", "b", "c"] } }, "3, a,3", ["c", "a"]],
  [{ type: "number", default: 7 }, "", 7],
] as const)("for %j takes %j as %j", (schema, line, value) => {
  expect(readField(field(schema as unknown as JsonObject), line)).toEqual({ kind: "value", value });
});

it.each([
  [{ type: "integer" }, "ten"],
  [{ type: "integer", minimum: 0 }, "-1"],
  [{ type: "string" }, ""],
  [{ type: "string", format: "email" }, "nobody"],
  [{ type: "string", enum: ["a", "b"] }, "3"],
  [{ type: "array", items: { enum: ["a"] } }, "a,b"],
] as const)("for %j asks again after %j", (schema, line) => {
  expect(readField(field(schema as unknown as JsonObject), line).kind).toBe("wrong");
});

it("leaves out what nobody has to answer", () => {
  expect(readField(field({ type: "string" }, false), " ")).toEqual({ kind: "left-out" });
});

it("shows nothing a terminal acts on, for any form and any answer", () => {
  fc.assert(
    fc.property(anyText(), anyJsonObject(), anyText(), (name, schema, line) => {
      for (const one of formFields({ properties: { [name]: schema } })) {
        const { lines, prompt } = questionOf(one);
        expect([...lines, prompt].join("")).not.toMatch(/[\u0000-\u001f\u007f-\u009f]/);
        expect(["value", "left-out", "wrong"]).toContain(readField(one, line).kind);
      }
    }),
  );
});
