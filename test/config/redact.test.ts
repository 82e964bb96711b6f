import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { redactor } from "../../src/config/redact.ts";
import { anyText } from "../support/arbitraries.ts";

/** A value long enough to be hidden; it holds no character of a name, so none arises from one. */
function anySecret(): fc.Arbitrary<string> {
  const unit = fc.constantFrom(
    "a",
    "b",
    "$",
    ".",
    "*",
    "\\",
    "/",
    "+",
    " ",
    '"',
    "\n",
    "é",
    "🧪",
    "[",
  );
  return fc.string({ unit, minLength: 6, maxLength: 12 }).filter((text) => !text.includes("\n\n"));
}

describe("redactor", () => {
  it("leaves no secret of six or more characters, for any secrets and any text around them", () => {
    fc.assert(
      fc.property(fc.array(anySecret(), { minLength: 1 }), fc.array(anyText()), (values, texts) => {
        const redact = redactor(values.map((value, i) => ({ name: `N${i}`, value })));
        const text = values.map((value, i) => `${texts[i] ?? ""}${value}`).join("|");
        const redacted = redact(text);
        for (const value of values) expect(redacted).not.toContain(value);
      }),
      {
        examples: [
          [
            ["abcdef", "cdefgh"],
            ["", ""],
          ],
          [["a.a.a.", "aaaaaa"], []],
        ],
      },
    );
  });

  it.each<[string, (value: string) => string]>([
    ["base64", (value) => Buffer.from(value).toString("base64")],
    ["base64 without padding", (value) => Buffer.from(value).toString("base64").replace(/=+$/, "")],
    ["base64url", (value) => Buffer.from(value).toString("base64url")],
    ["percent-encoding", encodeURIComponent],
    [
      "percent-encoding in small letters",
      (value) => encodeURIComponent(value).replaceAll(/%../g, (escape) => escape.toLowerCase()),
    ],
    ["the encoding of a url", encodeURI],
    ["the encoding of a form", (value) => encodeURIComponent(value).replaceAll("%20", "+")],
    ["a JSON string", (value) => JSON.stringify(value).slice(1, -1)],
  ])("finds %s of a secret, for any secret", (_, encode) => {
    fc.assert(
      fc.property(anySecret(), (value) => {
        expect(redactor([{ name: "KEY", value }])(`<${encode(value)}>`)).toBe("<«KEY»>");
      }),
      { examples: [["a b/c+d=?é"], ['"quoted"\n"text"']] },
    );
  });

  it("changes no text without secrets, for any text", () => {
    fc.assert(
      fc.property(anyText(), (text) => {
        expect(redactor([])(text)).toBe(text);
        expect(redactor([{ name: "A", value: "12345" }])(text + "12345")).toBe(`${text}12345`);
      }),
    );
  });

  it("takes no other text for a secret, however like it, for any secret", () => {
    fc.assert(
      fc.property(anySecret(), (value) => {
        const other = value.replaceAll(/[^a-z]/g, "x");
        fc.pre(!value.includes("\n") && other !== value);
        expect(redactor([{ name: "KEY", value }])(other)).toBe(other);
      }),
      { examples: [["a.a.a."], ["a*a*a*"]] },
    );
  });

  it("never throws, for any secrets and any text", () => {
    fc.assert(
      fc.property(
        fc.array(fc.record({ name: anyText(), value: anyText() })),
        anyText(),
        (all, text) => {
          expect(typeof redactor(all)(text)).toBe("string");
        },
      ),
      { examples: [[[{ name: "A", value: "\ud800\ud800\ud800\ud800\ud800\ud800" }], "x"]] },
    );
  });

  it("takes the longest of several that match, and of equals the first", () => {
    const redact = redactor([
      { name: "SHORT", value: "abcdef" },
      { name: "LONG", value: "abcdefgh" },
      { name: "SAME", value: "abcdef" },
    ]);
    expect(redact("abcdefgh abcdef")).toBe("«LONG» «SHORT»");
  });

  it("replaces in one pass: a name is never redacted", () => {
    const redact = redactor([
      { name: "abcdef", value: "secret" },
      { name: "X", value: "abcdef" },
    ]);
    expect(redact("secret")).toBe("«abcdef»");
  });

  it("finds each line of a value with several", () => {
    const redact = redactor([{ name: "PEM", value: "-----BEGIN-----\r\nMIIEow\nend" }]);
    expect(["-----BEGIN-----", "MIIEow", "end"].map(redact)).toEqual(["«PEM»", "«PEM»", "end"]);
  });
});
