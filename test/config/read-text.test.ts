import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Item } from "../../src/config/item.ts";
import { readText } from "../../src/config/read-text.ts";
import type { Json } from "../../src/json.ts";
import { anyJson, anyText, objectOf } from "../support/arbitraries.ts";
import { anyStyle, textInStyle } from "./arbitraries.ts";

/** JSON text, whole or with something put in, taken out or swapped. */
function nearlyJson(): fc.Arbitrary<string> {
  const token = fc.constantFrom(
    "{",
    "}",
    "[",
    "]",
    ",",
    ":",
    '"',
    "1",
    "-",
    ".",
    "e",
    "\\",
    "t",
    " ",
  );
  const tokens = fc.array(fc.oneof(token, fc.constantFrom('"a"', "true", "null", "/", "\u00a0")));
  const whole = fc.tuple(anyJson(), fc.boolean()).map(([json, isWide]) => {
    return JSON.stringify(json, null, isWide ? 2 : 0);
  });
  const cut = fc
    .tuple(whole, fc.nat(), fc.nat({ max: 2 }), fc.oneof(token, anyText()))
    .map(([text, at, length, put]) => {
      const start = at % (text.length + 1);
      return text.slice(0, start) + put + text.slice(start + length);
    });
  return fc.oneof(
    whole,
    cut,
    tokens.map((parts) => parts.join("")),
  );
}

describe("readText", () => {
  it("takes what JSON.parse takes and refuses what it refuses, but for looser text it says so of", () => {
    fc.assert(
      fc.property(nearlyJson(), (text) => {
        const { root, findings } = readText(text);
        const isLoose = findings.some(({ code }) => code === "not-strict-json" || code === "bom");
        if (isLoose) return;
        expect(root !== null).toBe(isJson(text));
      }),
      {
        numRuns: 500,
        examples: [["[1,,2]"], ["{,}"], ["01"], ["\u00a0{}"], ['"\t"'], ['{"a":1}}']],
      },
    );
  });

  it("reads the value that JSON.parse reads, for any value in any style", () => {
    fc.assert(
      fc.property(anyJson(), anyStyle(), (json, style) => {
        const { root } = readText(textInStyle(json, style));
        expect(root === null ? undefined : jsonOf(root)).toEqual(JSON.parse(JSON.stringify(json)));
      }),
      { examples: [[objectOf([["__proto__", 1]]), [0]]] },
    );
  });

  it("gives every value the pointer and the position where its member begins, for any value", () => {
    fc.assert(
      fc.property(anyJson(), anyStyle(), (json, style) => {
        const text = textInStyle(json, style);
        const { root, positionOf } = readText(text);
        for (const { item, key } of root === null ? [] : membersBelow(root)) {
          const { line, column } = positionOf(item.offset ?? -1);
          const start = text.split(/\r\n|\n|\r/)[line - 1]?.slice(column - 1) ?? "";
          expect(start.startsWith(JSON.stringify(key))).toBe(true);
        }
      }),
    );
  });

  it("is too deep from the 65th level on, in brackets and braces alike", () => {
    for (const [open, close] of [
      ["[", "]"],
      ['{"a":', "}"],
    ] as const) {
      const nested = (levels: number): string => `${open.repeat(levels)}1${close.repeat(levels)}`;
      expect(readText(nested(64)).root).not.toBeNull();
      expect(readText(nested(65)).findings.map(({ code }) => code)).toEqual(["too-deep"]);
      expect(readText(nested(100_000)).root).toBeNull();
    }
  });

  it.each([
    ["comment", "// c\n{}", 0],
    ["comment after a comma that is not trailing", "[1, /* c */ 2]", 4],
    ["trailing comma", "[1, 2 , ]", 6],
    ["comma before a comment and a bracket", "[1, /* c */ ]", 2],
    ["comment before a comma", "/**/[1,]", 0],
  ])("points at the first thing that is not strict: %s", (_, text, offset) => {
    expect(readText(text).findings).toMatchObject([{ code: "not-strict-json", at: { offset } }]);
  });

  it("says no more than one character of a text that is no JSON, for any string", () => {
    fc.assert(
      fc.property(anyText(), (text) => {
        const secret = "s3cr3t";
        const { findings } = readText(`{"token": ${text} ${secret}`);
        expect(JSON.stringify(findings)).not.toContain(secret);
      }),
    );
  });
});

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function jsonOf({ value }: Item): Json {
  switch (value.kind) {
    case "object":
      return objectOf(value.members.map(({ key, item }) => [key, jsonOf(item)]));
    case "array":
      return value.items.map(jsonOf);
    case "string":
      return value.text;
    case "number":
      return value.number;
    case "boolean":
      return value.flag;
    default:
      return null;
  }
}

function membersBelow({ value }: Item): { readonly item: Item; readonly key: string }[] {
  if (value.kind === "array") return value.items.flatMap(membersBelow);
  if (value.kind !== "object") return [];
  return value.members.flatMap((member) => [member, ...membersBelow(member.item)]);
}
