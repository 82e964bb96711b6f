import ts from "typescript";
import { describe, expect, it } from "vitest";
import { placesOf, readSource, sourceFiles } from "./source-files.ts";

const files = sourceFiles();

/** What no file may hold, how it looks, and who may. The linter has no rule for these. */
const rules: readonly Rule[] = [
  {
    law: "writes to no console",
    matches: isNamed("console"),
    planted: "function f() { console.log(1); }",
    exempt: "src/cli/",
  },
  {
    law: "rejects no promise",
    matches: isNamed("reject"),
    planted: "function f() { return Promise.reject(1); }",
  },
  {
    law: "has no class",
    matches: ts.isClassLike,
    planted: "const A = class {};",
  },
];

interface Rule {
  readonly law: string;
  readonly matches: (node: ts.Node) => boolean;
  /** Code that breaks the rule. */
  readonly planted: string;
  readonly exempt?: string;
}

describe("src", () => {
  it("is found", () => {
    expect(files.map(({ file }) => file)).toContain("src/index.ts");
  });

  it.each(rules)("$law", ({ matches, exempt = "nowhere" }) => {
    const bound = files.filter(({ file }) => !file.startsWith(exempt));
    expect(bound.flatMap((file) => placesOf(file, matches))).toEqual([]);
  });

  it.each(rules)("is seen where it breaks the rule: $law", ({ matches, planted }) => {
    const clean = "// console, reject, class\nconst text = 'console reject class';";
    expect(placesOf(readSource("src/a.ts", clean), matches)).toEqual([]);
    expect(placesOf(readSource("src/a.ts", `\n${planted}`), matches)).toEqual(["src/a.ts:2"]);
  });

  it("has no file over 400 lines", () => {
    const long = files.filter(({ text }) => text.trimEnd().split("\n").length > 400);
    expect(long.map(({ file }) => file)).toEqual([]);
  });

  it("has no file that is called after nothing it holds", () => {
    const vague = files.filter(({ file }) => /(?:^|\/)(?:utils?|helpers?|common)\.ts$/.test(file));
    expect(vague.map(({ file }) => file)).toEqual([]);
  });
});

function isNamed(name: string): (node: ts.Node) => boolean {
  return (node) => ts.isIdentifier(node) && node.text === name;
}
