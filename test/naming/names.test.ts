import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  hashedNames,
  isExactName,
  sanitize,
  stableName,
  toolName,
} from "../../src/naming/names.ts";
import { anyName, anyPairs, anyText, safeName } from "../support/arbitraries.ts";

const SAFE = /^[a-zA-Z0-9_-]*$/;

describe("sanitize", () => {
  it("yields only safe characters, for any text", () => {
    fc.assert(
      fc.property(anyText(), (text) => {
        expect(sanitize(text)).toMatch(SAFE);
      }),
      { examples: [["🧪"], ["\ud800"], [""]] },
    );
  });

  it("is idempotent, for any text", () => {
    fc.assert(
      fc.property(anyText(), (text) => {
        expect(sanitize(sanitize(text))).toBe(sanitize(text));
      }),
    );
  });

  it("yields one character for each code point, for any text", () => {
    fc.assert(
      fc.property(anyText(), (text) => {
        expect(sanitize(text)).toHaveLength(Array.from(text).length);
      }),
      { examples: [["🧪"], ["\ud800\ud800\udc00"]] },
    );
  });

  it("changes nothing in a safe name, for any safe name", () => {
    fc.assert(
      fc.property(safeName(), (name) => {
        expect(sanitize(name)).toBe(name);
      }),
    );
  });
});

describe("toolName", () => {
  it.each([
    ["remote api", "zebra note", "remote_api_zebra_note"],
    ["remote api", "alpha/stats", "remote_api_alpha_stats"],
    ["a-b", "c-d", "a-b_c-d"],
    ["docs.v2", "search", "docs_v2_search"],
    ["s", "🧪", "s__"],
    ["s", "é\u0301", "s___"],
    ["", "", "_"],
  ])("of %j and %j is %s", (server, tool, name) => {
    expect(toolName(server, tool)).toBe(name);
  });

  it("is the two sanitized parts around one `_`, for any pair", () => {
    fc.assert(
      fc.property(anyName(), anyName(), (server, tool) => {
        expect(toolName(server, tool)).toBe(`${sanitize(server)}_${sanitize(tool)}`);
      }),
    );
  });
});

describe("isExactName", () => {
  it("holds when both parts are safe as they are, for any pair", () => {
    fc.assert(
      fc.property(anyName(), anyName(), (server, tool) => {
        expect(isExactName(server, tool)).toBe(SAFE.test(server) && SAFE.test(tool));
      }),
    );
  });
});

describe("stableName", () => {
  it("never gives two pairs one name, for any pairs and cap", () => {
    fc.assert(
      fc.property(anyPairs(), anyCap(), (pairs, cap) => {
        const names = pairs.map(({ server, remoteName }) => stableName(server, remoteName, cap));
        expect(new Set(names).size).toBe(names.length);
      }),
      {
        examples: [
          [[pair("a_b", "c"), pair("a", "b_c")], 64],
          [[pair("a_b", "c"), pair("a", `b_c${hashEnd("a_b", "c")}`)], 64],
          [[pair("a", "b.c"), pair("a", `b_c${hashEnd("a", "b.c")}`)], 64],
        ],
      },
    );
  });

  it("is safe and within the cap, for any pair and cap", () => {
    fc.assert(
      fc.property(anyName(), longName(), anyCap(), (server, tool, cap) => {
        const name = stableName(server, tool, cap);
        expect(name).toMatch(SAFE);
        expect(name.length).toBeLessThanOrEqual(cap >= 32 ? cap : 32);
      }),
    );
  });

  it("is within 64 characters unless told otherwise, for any pair", () => {
    fc.assert(
      fc.property(anyName(), longName(), (server, tool) => {
        expect(stableName(server, tool)).toBe(stableName(server, tool, 64));
      }),
    );
  });

  it("is the plain name, or that cut and the pair's hash, for any pair", () => {
    fc.assert(
      fc.property(anyName(), longName(), (server, tool) => {
        const plain = toolName(server, tool);
        const name = stableName(server, tool);
        if (name === plain) return;
        expect(name).toBe(plain.slice(0, 64 - 9) + hashEnd(server, tool));
      }),
    );
  });

  it.each([
    ["nothing is in its way", "docs", "search", "docs_search"],
    ["only the tool holds `_`", "docs", "full_text_search", "docs_full_text_search"],
    ["a part is empty", "", "", "_"],
    ["it is as long as the cap", "docs", "x".repeat(59), `docs_${"x".repeat(59)}`],
    ["it ends in other hex", "docs", "x_cafe", "docs_x_cafe"],
  ])("is the plain name when %s", (_, server, tool, name) => {
    expect(stableName(server, tool)).toBe(name);
  });

  it.each([
    ["a character was replaced", "docs.v2", "search", "docs_v2_search_0bb7b9ce"],
    ["a character was replaced", "docs", "full text", "docs_full_text_6e87d2da"],
    ["the server holds `_`", "my_docs", "search", "my_docs_search_e088ae32"],
    ["it is too long", "docs", "x".repeat(60), `docs_${"x".repeat(50)}_1dd2e38d`],
    ["it ends like a hash", "docs", "x_cafecafe", "docs_x_cafecafe_4c01049b"],
  ])("ends in a hash when %s", (_, server, tool, name) => {
    expect(stableName(server, tool)).toBe(name);
  });
});

describe("hashedNames", () => {
  it("never gives a name twice and keeps the cap, for any pair and cap", () => {
    fc.assert(
      fc.property(anyName(), longName(), anyCap(), (server, tool, cap) => {
        const names = take(12, hashedNames(server, tool, cap));
        expect(new Set(names).size).toBe(12);
        for (const name of names) {
          expect(name).toMatch(SAFE);
          expect(name.length).toBeLessThanOrEqual(cap >= 32 ? cap : 32);
        }
      }),
    );
  });

  it("ends in 8, 16, 32, 64 digits of the hash, then in a count", () => {
    const hash = sha256("my_docs", "search");
    expect(take(6, hashedNames("my_docs", "search", Infinity))).toEqual([
      "my_docs_search_e088ae32",
      "my_docs_search_e088ae3213fb83af",
      `my_docs_search_${hash.slice(0, 32)}`,
      `my_docs_search_${hash}`,
      `my_docs_search_${hash}_2`,
      `my_docs_search_${hash}_3`,
    ]);
  });

  it("has no names with more digits than the cap has room for", () => {
    const hash = sha256("my_docs", "search");
    expect(take(4, hashedNames("my_docs", "search", 64))).toEqual([
      "my_docs_search_e088ae32",
      "my_docs_search_e088ae3213fb83af",
      `my_docs_search_${hash.slice(0, 32)}`,
      `my_docs_search_${hash.slice(0, 32)}_2`,
    ]);
  });
});

/** Caps that matter, too small ones and none at all among them. */
function anyCap(): fc.Arbitrary<number> {
  return fc.oneof(
    fc.integer({ min: 32, max: 130 }),
    fc.constantFrom(0, -1, 8, 31, 32, 33, 34, 64, 65, 66, NaN, Infinity),
  );
}

function longName(): fc.Arbitrary<string> {
  return fc.oneof(anyName(), fc.string({ unit: "grapheme-ascii", minLength: 20, maxLength: 140 }));
}

function pair(server: string, remoteName: string): { server: string; remoteName: string } {
  return { server, remoteName };
}

function hashEnd(server: string, tool: string): string {
  return `_${sha256(server, tool).slice(0, 8)}`;
}

function sha256(server: string, tool: string): string {
  return createHash("sha256")
    .update(Buffer.from(JSON.stringify([server, tool]), "utf8"))
    .digest("hex");
}

function take(count: number, names: Iterator<string>): string[] {
  return Array.from({ length: count }, () => String(names.next().value));
}
