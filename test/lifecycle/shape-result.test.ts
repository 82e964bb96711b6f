import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { canonicalJson } from "../../src/json.ts";
import type { Json, JsonObject } from "../../src/json.ts";
import { failedResult, shapeResult, toolResult } from "../../src/lifecycle/shape-result.ts";
import { anyFailure, anyJson, anyJsonObject, anyText } from "../support/arbitraries.ts";

/** Content blocks, most of a known type, with members of any kind. */
const anyBlock = (): fc.Arbitrary<Json> =>
  fc.oneof(
    fc.record({ type: fc.constant("text"), text: anyText() }),
    fc.record(
      {
        type: fc.oneof(
          fc.constantFrom("text", "image", "audio", "resource", "resource_link"),
          anyJson(),
        ),
        text: anyJson(),
        data: fc.oneof(fc.base64String(), anyJson()),
        mimeType: anyJson(),
        uri: anyJson(),
        resource: anyJson(),
      },
      { requiredKeys: [] },
    ),
    anyJson(),
  );

const anyResult = (): fc.Arbitrary<JsonObject> =>
  fc.oneof(
    fc.record(
      {
        content: fc.oneof(fc.array(anyBlock(), { maxLength: 5 }), anyJson()),
        structuredContent: anyJson(),
        isError: fc.oneof(fc.boolean(), anyJson()),
        _meta: anyJson(),
      },
      { requiredKeys: [] },
    ),
    anyJsonObject(),
  );

const text = (value: string): JsonObject => ({ type: "text", text: value });

it("gives a printable result for any JSON object", () => {
  fc.assert(
    fc.property(anyResult(), (result) => {
      const shaped = shapeResult(result, "srv");
      expect(shaped).toMatchObject({
        output: expect.any(String),
        isError: expect.any(Boolean),
        content: expect.any(Array),
      });
      expect(() => JSON.stringify(shaped)).not.toThrow();
      if (shaped.failure !== undefined) expect(shaped.isError).toBe(true);
    }),
  );
});

it("is an error exactly when the server says true, for any result that is one", () => {
  fc.assert(
    fc.property(fc.array(anyBlock(), { maxLength: 3 }), anyJson(), (content, isError) => {
      expect(shapeResult({ content, isError }, "srv").isError).toBe(isError === true);
    }),
  );
});

it("carries the original blocks, for any content", () => {
  fc.assert(
    fc.property(fc.array(anyJsonObject(), { maxLength: 5 }), (content) => {
      const shaped = shapeResult({ content }, "srv");
      expect(shaped.content).toHaveLength(content.length);
      for (const [i, block] of content.entries()) expect(shaped.content[i]).toBe(block);
    }),
  );
});

it("joins the text parts of a result without structured content, for any texts", () => {
  fc.assert(
    fc.property(fc.array(anyText(), { minLength: 1, maxLength: 5 }), (texts) => {
      expect(shapeResult({ content: texts.map(text) }, "srv").output).toBe(texts.join("\n"));
    }),
  );
});

it("prefers structured content as canonical JSON, for any value, null and 0 among them", () => {
  fc.assert(
    fc.property(anyJson(), (structuredContent) => {
      const shaped = shapeResult({ content: [text("x")], structuredContent }, "srv");
      expect(shaped.output).toBe(canonicalJson(structuredContent));
      expect(shaped.structuredContent).toBe(structuredContent);
    }),
    { examples: [[null], [0], [""], [false]] },
  );
});

describe("by example", () => {
  it.each<[string, JsonObject, string]>([
    [
      "joined text (C129, C153)",
      { content: [text("line one"), text("line two")] },
      "line one\nline two",
    ],
    [
      "structured content, sorted (C130, C153)",
      { content: [], structuredContent: { zulu: 1, alpha: 2, nested: { b: false, a: true } } },
      '{"alpha":2,"nested":{"a":true,"b":false},"zulu":1}',
    ],
    ["structured content alone", { structuredContent: [1] }, "[1]"],
    [
      "an error's text (C131, C153)",
      { content: [text("no"), text("way")], isError: true },
      "no\nway",
    ],
    ["an error without text", { content: [], isError: true }, "the tool returned an error"],
    [
      "an error's structured content where it has no text",
      { content: [], structuredContent: { a: 1 }, isError: true },
      '{"a":1}',
    ],
    [
      "an image, described (C154, C182)",
      { content: [{ type: "image", mimeType: "image/png", data: "AAAA" }] },
      "[image image/png 3 bytes]",
    ],
    [
      "text beside an image (C154)",
      { content: [{ type: "image", data: "AAAA" }, text("only")] },
      "only",
    ],
    ["nothing (C155)", { content: [] }, ""],
    ["an empty text", { content: [text("")] }, ""],
    [
      "a resource, described",
      { content: [{ type: "resource", resource: { uri: "file:///a", text: "1234" } }] },
      "[resource file:///a 4 characters]",
    ],
    [
      "a link, described",
      { content: [{ type: "resource_link", uri: "file:///b" }] },
      "[resource_link file:///b]",
    ],
    ["a part without a type", { content: [{}] }, "[part]"],
    [
      "padding of base64",
      {
        content: [
          { type: "audio", data: "AA==" },
          { type: "audio", data: "AAA=" },
        ],
      },
      "[audio 1 bytes]\n[audio 2 bytes]",
    ],
  ])("%s", (_, result, output) => {
    expect(shapeResult(result, "srv").output).toBe(output);
  });

  it("keeps the result's own metadata", () => {
    const shaped = shapeResult({ content: [], _meta: { a: 1 } }, "srv");
    expect(shaped).toEqual({ output: "", isError: false, content: [], metadata: { a: 1 } });
  });

  it.each<[Json | undefined, string]>([
    [undefined, "absent"],
    [null, "null"],
    ["x", "a string"],
    [{}, "an object"],
  ])("without content of the right shape is malformed: %j", (content, word) => {
    const result = content === undefined ? {} : { content, structuredContent: 1 };
    expect(shapeResult(result, "srv")).toEqual({
      output: `mcp server "srv" failed at tools/call: malformed-body: the result's content is ${word}, not an array`,
      isError: true,
      content: [],
      failure: {
        tag: "malformed-body",
        detail: `the result's content is ${word}, not an array`,
        maybeExecuted: true,
      },
    });
  });

  it("nested too deep to be printed is a limit", () => {
    let structuredContent: Json = 0;
    for (let depth = 0; depth < 100_000; depth++) structuredContent = [structuredContent];
    expect(shapeResult({ content: [], structuredContent }, "srv")).toMatchObject({
      isError: true,
      failure: { tag: "limit", limit: "depth", value: 1000 },
    });
  });
});

it("says which server failed at the call, for any failure (C110, C146)", () => {
  fc.assert(
    fc.property(anyFailure(), (failure) => {
      const result = failedResult(failure, "srv");
      expect(result.output).toMatch(/^mcp server "srv" failed at tools\/call: /);
      expect(result).toEqual({ output: result.output, isError: true, content: [], failure });
    }),
  );
});

it("shapes the answer of a call, or says that it is none, for any value", () => {
  const anyAnswer = fc.oneof(
    anyResult().map((value) => ({ ok: true, value }) as const),
    anyFailure().map((failure) => ({ ok: false, failure }) as const),
  );
  fc.assert(
    fc.property(anyAnswer, (answer) => {
      expect(toolResult(answer, "srv")).toEqual(
        answer.ok ? shapeResult(answer.value, "srv") : failedResult(answer.failure, "srv"),
      );
    }),
  );
  fc.assert(
    fc.property(fc.anything(), (answer) => {
      const shaped = toolResult(answer as never, "srv");
      expect(typeof shaped.output).toBe("string");
    }),
    { examples: [[null], [{ ok: true }], [{ ok: false, failure: 1 }]] },
  );
  expect(toolResult(null as never, "srv").failure).toMatchObject({ tag: "invalid-argument" });
});
