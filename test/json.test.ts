import { runInNewContext } from "node:vm";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Json } from "../src/json.ts";
import { canonicalJson, isObject, nameMap, parseJson } from "../src/json.ts";
import { anyJson, anyName, anyText, objectOf } from "./support/arbitraries.ts";

describe("canonicalJson", () => {
  it("gives the same text whatever the order of members, for any value", () => {
    fc.assert(
      fc.property(anyJson().chain(withMembersMoved), ([value, moved]) => {
        expect(canonicalJson(moved)).toBe(canonicalJson(value));
      }),
    );
  });

  it("is read back as the same value, for any value", () => {
    fc.assert(
      fc.property(anyJson(), (value) => {
        expect(JSON.parse(canonicalJson(value))).toEqual(withoutMinusZero(value));
      }),
      { examples: [[objectOf([["__proto__", { a: 1 }]])], [["\ud800"]]] },
    );
  });

  it("is the canonical text of what it is read back as, for any value", () => {
    fc.assert(
      fc.property(anyJson(), (value) => {
        const text = canonicalJson(value);
        expect(canonicalJson(JSON.parse(text))).toBe(text);
      }),
    );
  });

  it.each([
    [0, "0"],
    [-0, "0"],
    [5e-324, "5e-324"],
    [-5e-324, "-5e-324"],
    [1.7976931348623157e308, "1.7976931348623157e+308"],
    [9007199254740992, "9007199254740992"],
    [-9007199254740992, "-9007199254740992"],
    [295147905179352830000, "295147905179352830000"],
    [9.999999999999997e22, "9.999999999999997e+22"],
    [1e23, "1e+23"],
    [999999999999999700000, "999999999999999700000"],
    [1e21, "1e+21"],
    [0.000001, "0.000001"],
    [9.999999999999997e-7, "9.999999999999997e-7"],
    [333333333.3333332, "333333333.3333332"],
    [1.0, "1"],
    [4.5, "4.5"],
    [2e-3, "0.002"],
  ])("writes the number %d as %s", (number, text) => {
    expect(canonicalJson(number)).toBe(text);
  });

  it("orders members by UTF-16 unit, not by code point", () => {
    const keys = ["\u20ac", "\r", "\ufb33", "1", "\u{1f600}", "\u0080", "\u00f6"];
    expect(canonicalJson(objectOf(keys.map((key) => [key, 0])))).toBe(
      '{"\\r":0,"1":0,"\u0080":0,"\u00f6":0,"\u20ac":0,"\u{1f600}":0,"\ufb33":0}',
    );
  });

  it("orders number-like members as text", () => {
    expect(canonicalJson({ "2": 0, "10": 0, "1": 0, a: 0 })).toBe('{"1":0,"10":0,"2":0,"a":0}');
  });

  it("escapes only what it must, in short form where there is one", () => {
    expect(canonicalJson('€$\u000f\nA\'B"\\\\"/\b\f\r\t\u007f\u2028')).toBe(
      `"€$\\u000f\\nA'B\\"\\\\\\\\\\"/\\b\\f\\r\\t\u007f\u2028"`,
    );
    expect(canonicalJson("\udead")).toBe('"\\udead"');
  });

  it("leaves members out that are undefined", () => {
    expect(canonicalJson({ a: undefined, b: 1, c: undefined })).toBe('{"b":1}');
    expect(canonicalJson({ a: undefined })).toBe("{}");
  });

  it("writes values nested deeper than the call stack goes", () => {
    const depth = 200_000;
    const text = `${'{"a":['.repeat(depth)}${"]}".repeat(depth)}`;
    expect(canonicalJson(JSON.parse(text)) === text).toBe(true);
  });

  it("writes arrays longer than a call has arguments", () => {
    const length = 300_000;
    expect(canonicalJson(Array.from({ length }, () => 0))).toHaveLength(2 * length + 1);
  });
});

describe("isObject", () => {
  it.each([
    ["an object", {}, true],
    ["an object without prototype", Object.create(null), true],
    ["an object of another realm", runInNewContext("({ a: 1 })"), true],
    ["an array", [], false],
    ["an array of another realm", runInNewContext("[1]"), false],
    ["null", null, false],
    ["undefined", undefined, false],
    ["text", "{}", false],
    ["a function", () => ({}), false],
    ["a Date", new Date(0), false],
    ["a Map", new Map(), false],
    ["a Date of another realm", runInNewContext("new Date(0)"), false],
    ["an array without prototype", Object.setPrototypeOf([], null), false],
    ["an object with an object for prototype", Object.create({ a: 1 }), false],
    ["an object with a bare object for prototype", Object.create(Object.create(null)), false],
    [
      "an object whose prototype looks like another realm's",
      Object.create({ isPrototypeOf: () => false }),
      false,
    ],
  ])("for %s", (_, value, expected) => {
    expect(isObject(value)).toBe(expected);
  });
});

describe("parseJson", () => {
  it("reads what JSON.stringify writes, for any value", () => {
    fc.assert(
      fc.property(anyJson(), (value) => {
        expect(parseJson(JSON.stringify(value))).toEqual({ value: withoutMinusZero(value) });
      }),
    );
  });

  it("gives a value or undefined and never throws, for any text", () => {
    fc.assert(
      fc.property(anyText(), (text) => {
        const parsed = parseJson(text);
        expect(parsed === undefined || canonicalJson(parsed.value) !== "").toBe(true);
      }),
      { examples: [["{"], ["01"], ["\ufeff{}"], ["NaN"], [""], ["[".repeat(100_000)]] },
    );
  });

  it("tells null from what is no JSON", () => {
    expect(parseJson("null")).toEqual({ value: null });
    expect(parseJson("nil")).toBeUndefined();
  });
});

describe("nameMap", () => {
  it("holds exactly its entries as its own keys, for any names", () => {
    fc.assert(
      fc.property(fc.uniqueArray(anyName()), (names) => {
        const map = nameMap(names.map((name, i) => [name, i]));
        expect(Object.keys(map).toSorted()).toEqual(names.toSorted());
        for (const [i, name] of names.entries()) expect(map[name]).toBe(i);
      }),
      { examples: [[["__proto__", "constructor", "hasOwnProperty"]]] },
    );
  });

  it("knows no name that was not put in", () => {
    const map = nameMap<number>([]);
    for (const name of ["__proto__", "constructor", "toString"]) {
      expect(map[name]).toBeUndefined();
    }
  });
});

/** A value and its like with the members of each object in another order. */
function withMembersMoved(value: Json): fc.Arbitrary<readonly [Json, Json]> {
  return fc.noShrink(fc.infiniteStream(fc.nat())).map((numbers) => {
    const moved = (value: Json): Json => {
      if (Array.isArray(value)) return value.map(moved);
      if (!isObject(value)) return value;
      const members = Object.entries(value).map(([key, member = null]) => ({
        key,
        member: moved(member),
        rank: numbers.next().value ?? 0,
      }));
      members.sort((a, b) => a.rank - b.rank);
      return objectOf(members.map(({ key, member }) => [key, member]));
    };
    return [value, moved(value)];
  });
}

/** JSON text has no negative zero of its own in RFC 8785. */
function withoutMinusZero(value: Json): Json {
  if (value === 0) return 0;
  if (Array.isArray(value)) return value.map(withoutMinusZero);
  if (!isObject(value)) return value;
  return objectOf(Object.entries(value).map(([k, member = null]) => [k, withoutMinusZero(member)]));
}
