import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { encodeHeaderValue } from "../../src/protocol/header-values.ts";
import { anyText } from "../support/arbitraries.ts";

/** What a server makes of a header value. */
function decode(value: string): string {
  const encoded = /^=\?base64\?(.*)\?=$/s.exec(value)?.[1];
  return encoded === undefined ? value : Buffer.from(encoded, "base64").toString("utf8");
}

describe("encodeHeaderValue", () => {
  it.each([
    ["us-west1", "us-west1"],
    ["us west 1", "us west 1"],
    ["", ""],
    ["Hello, 世界", "=?base64?SGVsbG8sIOS4lueVjA==?="],
    [" padded ", "=?base64?IHBhZGRlZCA=?="],
    ["line1\nline2", "=?base64?bGluZTEKbGluZTI=?="],
    ["=?base64?literal?=", "=?base64?PT9iYXNlNjQ/bGl0ZXJhbD89?="],
    ["a\tb", "=?base64?YQli?="],
  ])("%j becomes %j", (text, header) => {
    expect(encodeHeaderValue(text)).toBe(header);
  });

  it("is undone by decoding, for any text that has UTF-8", () => {
    fc.assert(
      fc.property(anyText(), (text) => {
        const encoded = encodeHeaderValue(text);
        if (encoded === undefined) expect(text).toMatch(/[\ud800-\udfff]/u);
        else expect(decode(encoded)).toBe(text);
      }),
      { examples: [["=?base64?x?="], ["\ud800"], ["\t"], ["é"], ["\u007f"]] },
    );
  });

  it("is visible ASCII with blanks inside, for any text", () => {
    fc.assert(
      fc.property(anyText(), (text) => {
        expect(encodeHeaderValue(text) ?? "").toMatch(/^(?:[!-~](?:[ -~]*[!-~])?)?$/);
      }),
    );
  });
});
