import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { redactJson } from "../src/redact.ts";
import { anyJson } from "./support/arbitraries.ts";

describe("redactJson", () => {
  const redact = (text: string): string => text.replaceAll("secret-value", "«KEY»");

  it("redacts strings and keys at every depth", () => {
    expect(
      redactJson(redact, { "a secret-value": [{ b: "secret-value" }, 1, null, true] }),
    ).toEqual({
      "a «KEY»": [{ b: "«KEY»" }, 1, null, true],
    });
  });

  it("changes nothing else, for any value", () => {
    fc.assert(
      fc.property(anyJson(), (json) => {
        expect(redactJson((text) => text, json)).toEqual(json);
      }),
    );
  });

  it("cuts off what is deeper than 200 levels and never throws", () => {
    const deep = JSON.parse(`${"[".repeat(20_000)}${"]".repeat(20_000)}`);
    expect(JSON.stringify(redactJson(redact, deep))).toBe(
      `${"[".repeat(200)}"…"${"]".repeat(200)}`,
    );
  });
});
