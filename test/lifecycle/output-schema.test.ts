import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Json, JsonObject } from "../../src/json.ts";
import { connect } from "../../src/lifecycle/connect.ts";
import { outputFindings } from "../../src/lifecycle/output-schema.ts";
import { anyJson, anyJsonObject } from "../support/arbitraries.ts";
import { listing } from "../support/memory-server.ts";
import { connected } from "../support/results.ts";

const COUNT = { type: "object", properties: { n: { type: "integer" } }, required: ["n"] };

async function codesFor(schema: JsonObject, value: Json | undefined): Promise<readonly string[]> {
  return (await outputFindings(schema, value)).map(({ code }) => code);
}

describe("a structured result", () => {
  it("that keeps its schema has no finding", async () => {
    expect(await outputFindings(COUNT, { n: 1 })).toEqual([]);
  });

  it.each<[Json, string]>([
    [{}, "the result must have required property 'n'"],
    [{ n: "1" }, "/n must be integer"],
    ["x", "the result must be object"],
  ])("that breaks it has one, which says where: %j", async (value, detail) => {
    expect(await outputFindings(COUNT, value)).toEqual([{ code: "output-schema", detail }]);
  });

  it("that is not there has one", async () => {
    expect(await codesFor(COUNT, undefined)).toEqual(["missing-structured-content"]);
  });

  it("larger than 8 MiB is not checked, and that is said", async () => {
    expect(await codesFor(COUNT, "x".repeat(8 * 2 ** 20))).toEqual(["output-not-checked"]);
  });
});

describe("a schema", () => {
  it("of draft-07 and of 2020-12 means what its dialect says", async () => {
    const tuple = [{ type: "integer" }, { type: "string" }];
    const draft07 = { $schema: "http://json-schema.org/draft-07/schema#", items: tuple };
    const newer = { $schema: "https://json-schema.org/draft/2020-12/schema", prefixItems: tuple };
    const implied = { prefixItems: tuple };
    for (const schema of [draft07, newer, implied]) {
      expect(await codesFor(schema, [1, "a"])).toEqual([]);
      expect(await codesFor(schema, ["a", 1])).toEqual(["output-schema"]);
    }
  });

  it.each<[JsonObject]>([
    [{ $schema: "http://json-schema.org/draft-04/schema#" }],
    [{ $schema: 5 }],
    [{ type: "no such type" }],
    [{ $ref: "https://x.example/elsewhere" }],
    [{ properties: 5 }],
  ])("that cannot be used is one finding, and not an error: %j", async (schema) => {
    expect(await codesFor(schema, {})).toEqual(["output-not-checked"]);
  });

  it("may share its `$id` with another", async () => {
    const one = { $id: "https://x.example/s", type: "string" };
    const other = { $id: "https://x.example/s", type: "number" };
    expect(await codesFor(one, "a")).toEqual([]);
    expect(await codesFor(other, "a")).toEqual(["output-schema"]);
  });

  it("whose pattern explodes is stopped", async () => {
    const schema = { type: "string", pattern: "^(a|a)*$" };
    const started = performance.now();
    expect(await codesFor(schema, `${"a".repeat(60)}b`)).toEqual(["output-not-checked"]);
    expect(performance.now() - started).toBeLessThan(10_000);
  });

  it("that is too deep or too large is not compiled", async () => {
    let deep: JsonObject = {};
    for (let depth = 0; depth < 50_000; depth++) deep = { not: deep };
    expect(await codesFor(deep, {})).toEqual(["output-not-checked"]);
    expect(await codesFor({ description: "x".repeat(2 ** 20) }, {})).toEqual([
      "output-not-checked",
    ]);
  });

  it("gives findings for any schema and any value, and never throws", async () => {
    const anySchema = fc.oneof(
      anyJsonObject(),
      fc.record(
        {
          type: fc.oneof(fc.constantFrom("object", "string", "array", "number"), anyJson()),
          properties: fc.dictionary(fc.string(), anyJsonObject(), { maxKeys: 3 }),
          pattern: fc.oneof(fc.string(), anyJson()),
          enum: fc.array(anyJson(), { maxLength: 3 }),
          anyOf: fc.array(anyJsonObject(), { maxLength: 3 }),
          uniqueItems: anyJson(),
          $ref: fc.constantFrom("#", "#/x", "other", "#/properties"),
          $id: fc.string(),
        },
        { requiredKeys: [] },
      ),
    );
    await fc.assert(
      fc.asyncProperty(anySchema, anyJson(), async (schema, value) => {
        const findings = await outputFindings(schema, value);
        expect(findings.length).toBeLessThanOrEqual(1);
      }),
    );
  });
});

it("stands beside the result of a call, which is kept", async () => {
  const open = listing([], {
    "tools/list": () => ({ tools: [{ name: "count", inputSchema: {}, outputSchema: COUNT }] }),
    "tools/call": () => ({ content: [], structuredContent: { n: "three" } }),
  });
  const connection = connected(await connect({ name: "m", open }));
  expect(await connection.tools[0]!.execute()).toEqual({
    output: '{"n":"three"}',
    isError: false,
    content: [],
    structuredContent: { n: "three" },
    findings: [{ code: "output-schema", detail: "/n must be integer" }],
  });
});
