import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compareCodePoints, sortedByName } from "../src/order.ts";
import { anyText, withShuffled } from "./support/arbitraries.ts";

describe("compareCodePoints", () => {
  it("agrees with comparing the lists of code points, for any two texts", () => {
    fc.assert(
      fc.property(twoTexts(), ([left, right]) => {
        expect(Math.sign(compareCodePoints(left, right))).toBe(compareLists(left, right));
      }),
      {
        examples: [
          [["\u{10000}", "\uffff"]],
          [["\ud800", "\ud800\udc00"]],
          [["\ud800\udc00", "\ud800\ue000"]],
          [["\ud800\ue000", "\ud800\udc00"]],
          [["a\ud83d\ude00", "a\ud83d\ude01"]],
        ],
      },
    );
  });

  it("is zero for equal texts only, for any two texts", () => {
    fc.assert(
      fc.property(twoTexts(), ([left, right]) => {
        expect(compareCodePoints(left, right) === 0).toBe(left === right);
      }),
    );
  });

  it("is turned around when its arguments are, for any two texts", () => {
    fc.assert(
      fc.property(twoTexts(), ([left, right]) => {
        expect(compareCodePoints(left, right) + compareCodePoints(right, left)).toBe(0);
      }),
    );
  });

  it("puts upper case first and astral characters last, in every locale", () => {
    const names = ["\u{1f9ea}", "\uff5e", "é", "zip", "aab", "Zip", "run10", "run2", "_", ""];
    expect(names.sort(compareCodePoints)).toEqual([
      "",
      "Zip",
      "_",
      "aab",
      "run10",
      "run2",
      "zip",
      "é",
      "\uff5e",
      "\u{1f9ea}",
    ]);
  });
});

describe("sortedByName", () => {
  it("gives one order for any order of distinct names, and leaves the list alone", () => {
    fc.assert(
      fc.property(withShuffled(fc.uniqueArray(anyText())), ([names, shuffled]) => {
        const before = [...shuffled];
        const sorted = sortedByName(shuffled, (name) => name);
        expect(sorted).toEqual(sortedByName(names, (name) => name));
        expect(sorted).toEqual(names.toSorted(compareCodePoints));
        expect(shuffled).toEqual(before);
      }),
    );
  });

  it("keeps items of the same name in the order given", () => {
    const items = [
      { name: "b", at: 0 },
      { name: "a", at: 1 },
      { name: "b", at: 2 },
      { name: "a", at: 3 },
    ];
    expect(sortedByName(items, ({ name }) => name).map(({ at }) => at)).toEqual([1, 3, 0, 2]);
  });
});

/** Two texts that often share a beginning, and often part in the middle of a surrogate pair. */
function twoTexts(): fc.Arbitrary<[string, string]> {
  const unit = fc.constantFrom("\ud800", "\udbff", "\udc00", "\udfff", "\ue000", "a");
  const text = fc.oneof(anyText(), fc.string({ unit, maxLength: 3 }));
  return fc
    .tuple(fc.oneof(fc.constant(""), text), text, text)
    .map(([start, left, right]) => [start + left, start + right]);
}

/** The definition of the order, slow and plain. */
function compareLists(left: string, right: string): number {
  const a = Array.from(left, (character) => character.codePointAt(0) ?? -1);
  const b = Array.from(right, (character) => character.codePointAt(0) ?? -1);
  const at = a.findIndex((point, i) => point !== b[i]);
  if (at === -1) return Math.sign(a.length - b.length);
  return Math.sign((a[at] ?? -1) - (b[at] ?? -1));
}
