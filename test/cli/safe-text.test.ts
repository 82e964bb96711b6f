import fc from "fast-check";
import { expect, it } from "vitest";
import {
  firstLine,
  jsonWithoutWorkflowCommands,
  safeLines,
  withoutWorkflowCommands,
} from "../../src/cli/safe-text.ts";
import { anyJson, anyText } from "../support/arbitraries.ts";

const CONTROL =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069\u{e0000}-\u{e007f}]/u;

it("leaves nothing for a terminal to act on, for any text", () => {
  fc.assert(
    fc.property(anyText(), (text) => {
      expect(safeLines(text)).not.toMatch(CONTROL);
    }),
  );
});

it("keeps lines and tabs as they are, for any printable text", () => {
  const printable = fc.array(fc.constantFrom("a", "é", "🧪", " ", "\t", "\n", "::"));
  fc.assert(
    fc.property(printable, (parts) => {
      expect(safeLines(parts.join(""))).toBe(parts.join(""));
    }),
  );
});

const workflowText = (): fc.Arbitrary<string> =>
  fc
    .array(
      fc.oneof(
        fc.constantFrom(":", "::", "#", "##[", "[", " ", "\t", "\n", "\r", "\u00a0"),
        anyText(),
      ),
    )
    .map((parts) => parts.join(""));

it("leaves no line a runner takes for a command, for any text", () => {
  fc.assert(
    fc.property(workflowText(), (text) => {
      const guarded = withoutWorkflowCommands(text);
      for (const line of guarded.split(/[\r\n\u2028\u2029]/))
        expect(line.trimStart()).not.toMatch(/^::/);
      expect(guarded).not.toContain("##[");
    }),
  );
});

it("changes no text without commands, for any of them", () => {
  fc.assert(
    fc.property(anyText(), (text) => {
      fc.pre(!text.includes("::") && !text.includes("##["));
      expect(withoutWorkflowCommands(text)).toBe(text);
    }),
  );
});

it("guards a JSON document without changing what it says, for any value", () => {
  fc.assert(
    fc.property(fc.oneof(anyJson(), workflowText()), (value) => {
      const json = jsonWithoutWorkflowCommands(JSON.stringify(value));
      expect(JSON.parse(json)).toEqual(JSON.parse(JSON.stringify(value)));
      expect(json).not.toContain("##[");
    }),
    { examples: [["##[add-path]"], ["###[x"]] },
  );
});

it("takes the first line that says something", () => {
  expect(firstLine("\n  \r\n  Finds notes. \nMore.")).toBe("Finds notes.");
  expect(firstLine("")).toBe("");
});
