import fc from "fast-check";
import { expect, it } from "vitest";
import { cutToWidth, displayWidth, tableLines } from "../../src/cli/table.ts";
import { anyText } from "../support/arbitraries.ts";

const CONTROL = /[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069\u{e0000}-\u{e007f}]/u;
const anyRows = (): fc.Arbitrary<{ text: string }[][]> =>
  fc.array(fc.tuple(anyText(), anyText(), anyText()).map((row) => row.map((text) => ({ text }))));

it("draws no control character and one line for each row, for any text", () => {
  fc.assert(
    fc.property(anyRows(), fc.option(fc.nat(200), { nil: undefined }), (rows, width) => {
      const lines = tableLines(["A", "B", "C"], rows, width === undefined ? {} : { width });
      expect(lines).toHaveLength(rows.length + 1);
      for (const line of lines) expect(line).not.toMatch(CONTROL);
    }),
  );
});

it("lines the columns up by what a terminal shows", () => {
  const rows = ["日本", "e\u0301", "🧪", "abcd"].map((text) => [{ text }, { text: "|" }]);
  const lines = tableLines(["N", "X"], rows);
  const places = lines.slice(1).map((line) => displayWidth(line.slice(0, line.indexOf("|"))));
  expect(new Set(places)).toEqual(new Set([6]));
});

it("cuts the last column so that no line is wider, for any text that leaves room", () => {
  fc.assert(
    fc.property(anyText(), fc.integer({ min: 40, max: 120 }), (text, width) => {
      for (const line of tableLines(["A", "B"], [[{ text: "name" }, { text }]], { width })) {
        expect(displayWidth(line)).toBeLessThanOrEqual(width);
      }
    }),
  );
});

it("cuts to a width and says so, for any text", () => {
  fc.assert(
    fc.property(anyText(), fc.integer({ min: 1, max: 40 }), (text, columns) => {
      const cut = cutToWidth(text, columns);
      expect(displayWidth(cut)).toBeLessThanOrEqual(columns);
      if (cut !== text) expect(cut).toMatch(/…$/);
    }),
  );
});
