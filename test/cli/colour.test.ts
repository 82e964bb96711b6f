import { expect, it } from "vitest";
import { coloured, hasColor } from "../../src/cli/style.ts";

it.each([
  ["auto", {}, true, true],
  ["auto", {}, false, false],
  ["always", { NO_COLOR: "1", TERM: "dumb" }, false, true],
  ["never", { FORCE_COLOR: "1" }, true, false],
  ["auto", { NO_COLOR: "1" }, true, false],
  ["auto", { NO_COLOR: "" }, true, true],
  ["auto", { FORCE_COLOR: "1" }, false, true],
  ["auto", { FORCE_COLOR: "0" }, true, false],
  ["auto", { FORCE_COLOR: "1", NO_COLOR: "1" }, false, true],
  ["auto", { TERM: "dumb" }, true, false],
] as const)(
  "--color %s with %o on a terminal: %s gives %s",
  (choice, env, isTerminal, expected) => {
    expect(hasColor(choice, env, isTerminal)).toBe(expected);
  },
);

it("puts every colour off again", () => {
  expect(coloured("bad", "x")).toBe("\u001b[31mx\u001b[0m");
});
