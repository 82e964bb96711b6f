import fc from "fast-check";
import { expect, it } from "vitest";
import { didYouMean, suggestions } from "../../src/cli/suggest.ts";
import { anyText } from "../support/arbitraries.ts";

it.each([
  ["echo", ["everything_echo", "everything_add"], ["everything_echo"]],
  ["Git.Log", ["git_log", "git_log_all"], ["git_log", "git_log_all"]],
  ["git_lgo", ["git_log", "notes_add"], ["git_log"]],
  ["log", ["git_log", "svn_log", "git_log_all"], ["git_log", "svn_log", "git_log_all"]],
  ["zzz", ["git_log"], []],
  ["a", ["banana"], []],
] as const)("for %s among %j gives %j", (name, known, expected) => {
  expect(suggestions(name, known)).toEqual(expected);
});

it("gives at most three of the known names, each once, for any names", () => {
  fc.assert(
    fc.property(anyText(), fc.array(anyText()), (name, known) => {
      const near = suggestions(name, known);
      expect(near.length).toBeLessThanOrEqual(3);
      expect(new Set(near).size).toBe(near.length);
      for (const one of near) expect(known).toContain(one);
    }),
  );
});

it("asks in words", () => {
  expect(didYouMean("log", ["git_log", "svn_log"])).toBe('; did you mean "git_log" or "svn_log"?');
  expect(didYouMean("x", [])).toBe("");
});
