import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Json, JsonObject } from "../../src/json.ts";
import { paramHeaders, readParamHeaders } from "../../src/protocol/param-headers.ts";
import { anyJsonObject } from "../support/arbitraries.ts";
import { failureOf, valueOf } from "../support/results.ts";

const schema = (properties: JsonObject, more: JsonObject = {}): JsonObject => ({
  type: "object",
  properties,
  ...more,
});
const marked = (name: Json, type: Json = "string"): JsonObject => ({ type, "x-mcp-header": name });

describe("readParamHeaders", () => {
  it("finds annotations at any depth of properties, and takes data for no annotation", () => {
    const nested = schema({
      region: marked("Region"),
      where: schema({ zone: marked("Zone", "integer"), on: marked("On", "boolean") }),
      maybe: marked("Maybe", ["string", "null"]),
      method: marked("Method"),
      "x-mcp-header": { type: "string", default: { "x-mcp-header": 7 }, enum: ["x-mcp-header"] },
      plain: { type: "string", examples: [{ "x-mcp-header": "" }], const: { "x-mcp-header": "" } },
    });
    expect(valueOf(readParamHeaders(nested))).toEqual([
      { header: "Mcp-Param-Region", path: ["region"] },
      { header: "Mcp-Param-Zone", path: ["where", "zone"] },
      { header: "Mcp-Param-On", path: ["where", "on"] },
      { header: "Mcp-Param-Maybe", path: ["maybe"] },
      { header: "Mcp-Param-Method", path: ["method"] },
    ]);
  });

  it.each<[string, JsonObject]>([
    ["empty", schema({ a: marked("") })],
    ["a number", schema({ a: marked(7) })],
    ["an object", schema({ a: marked({}) })],
    ["with a blank", schema({ a: marked("My Region") })],
    ["with a colon", schema({ a: marked("Region:Primary") })],
    ["not ASCII", schema({ a: marked("Région") })],
    ["with a control character", schema({ a: marked("a\u0001") })],
    ["with a line break", schema({ a: marked("a\r\nb") })],
    ["used twice", schema({ a: marked("Region"), b: marked("Region") })],
    [
      "used twice in another case",
      schema({ a: marked("Region"), b: schema({ c: marked("REGION") }) }),
    ],
    ["on an object", schema({ a: marked("A", "object") })],
    ["on an array", schema({ a: marked("A", "array") })],
    ["on null alone", schema({ a: marked("A", "null") })],
    ["on a number that is no integer", schema({ a: marked("A", "number") })],
    ["on no type at all", schema({ a: { "x-mcp-header": "A", enum: ["x"] } })],
    ["on the root", schema({}, { "x-mcp-header": "A" })],
    ["inside items", schema({ a: { type: "array", items: marked("A") } })],
    ["inside anyOf", schema({ a: { anyOf: [marked("A")] } })],
    ["inside $defs", schema({}, { $defs: { d: marked("A") } })],
    ["inside if", schema({}, { if: schema({ a: marked("A") }) })],
    ["inside additionalProperties", schema({}, { additionalProperties: marked("A") })],
    ["inside patternProperties", schema({}, { patternProperties: { "^a": marked("A") } })],
    ["inside dependentSchemas", schema({}, { dependentSchemas: { a: marked("A") } })],
  ])("refuses a tool whose annotation is %s", (_what, inputSchema) => {
    expect(failureOf(readParamHeaders(inputSchema)).tag).toBe("malformed-body");
  });

  it("gives a value, for any schema", () => {
    fc.assert(
      fc.property(anyJsonObject(), (inputSchema) => {
        expect(typeof readParamHeaders(inputSchema).ok).toBe("boolean");
      }),
    );
  });
});

describe("paramHeaders", () => {
  const annotated = valueOf(
    readParamHeaders(schema({ n: marked("N"), in: schema({ m: marked("M") }) })),
  );

  it.each<[string, JsonObject, Readonly<Record<string, string>>]>([
    ["text as it is", { n: "us-west1" }, { "Mcp-Param-N": "us-west1" }],
    ["an empty text as an empty header", { n: "" }, { "Mcp-Param-N": "" }],
    ["text that no header carries, encoded", { n: "世" }, { "Mcp-Param-N": "=?base64?5LiW?=" }],
    ["an integer in decimal", { n: 42 }, { "Mcp-Param-N": "42" }],
    ["an integer however it was written", { n: 4.2e1 }, { "Mcp-Param-N": "42" }],
    ["minus zero as zero", { n: -0 }, { "Mcp-Param-N": "0" }],
    ["a boolean as a word", { n: false }, { "Mcp-Param-N": "false" }],
    ["a nested argument", { in: { m: "x" } }, { "Mcp-Param-M": "x" }],
    ["nothing for null", { n: null }, {}],
    ["nothing for what is absent", {}, {}],
    ["nothing for an object", { n: {} }, {}],
    ["nothing for what only the prototype has", { in: "text" }, {}],
  ])("gives %s", (_what, args, headers) => {
    expect(valueOf(paramHeaders(annotated, args))).toEqual(headers);
  });

  it.each([1.5, 2 ** 53, -(2 ** 53), 1e300])("refuses %d before anything is sent", (n) => {
    expect(failureOf(paramHeaders(annotated, { n })).tag).toBe("invalid-argument");
  });

  it("refuses half a surrogate pair, which the body could not carry either", () => {
    expect(failureOf(paramHeaders(annotated, { n: "\ud800" })).tag).toBe("invalid-argument");
  });
});
