import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { headerShape } from "../../src/config/header-shape.ts";
import { anyName, anyText } from "../support/arbitraries.ts";

describe("headerShape", () => {
  it("names headers, their variables, and those that are missing", () => {
    const headers = {
      "X-Tenant": "acme",
      Authorization: "Bearer ${TOKEN}",
      "X-B": "${B:-d}${EMPTY}${SET}${TOKEN}",
    };
    expect(headerShape(headers, { env: { SET: "x", EMPTY: "" } })).toEqual({
      keys: ["Authorization", "X-B", "X-Tenant"],
      variables: ["B", "EMPTY", "SET", "TOKEN"],
      missing: ["EMPTY", "TOKEN"],
    });
  });

  it("is empty for no headers, and needs no environment", () => {
    expect(headerShape({})).toEqual({ keys: [], variables: [], missing: [] });
    expect(headerShape({ A: "${input:k}" })).toMatchObject({ variables: ["k"], missing: ["k"] });
  });

  it("depends on no literal text and on no value, for any headers", () => {
    fc.assert(
      fc.property(fc.dictionary(anyName(), anyText()), anyText(), (headers, text) => {
        const literal = (value: string): string => value.replaceAll(/[${]/g, "");
        const shapeOf = (put: string, T: string): unknown => {
          const entries = Object.entries(headers).map(([name, value]) => [
            name,
            `${literal(value)}${put}\${T}`,
          ]);
          return headerShape(Object.fromEntries(entries), { env: { T } });
        };
        expect(shapeOf("", "x")).toEqual(shapeOf(literal(text), `${text}y`));
      }),
    );
  });
});
