import ts from "typescript";
import { expect, it } from "vitest";
import { placesOf, readSource, sourceFiles } from "./source-files.ts";

it("throws in orThrow and nowhere else", () => {
  // The command line may throw to itself.
  const files = sourceFiles().filter(({ file }) => !file.startsWith("src/cli/"));
  expect(files.flatMap((file) => placesOf(file, isThrowInOrThrow))).toHaveLength(1);
  expect(files.flatMap((file) => placesOf(file, isThrowElsewhere))).toEqual([]);
});

it("sees a throw in a function within orThrow, or in none", () => {
  const text = "function orThrow() {\n  return () => {\n    throw 1;\n  };\n}\nthrow 2;";
  expect(placesOf(readSource("src/a.ts", text), isThrowElsewhere)).toEqual([
    "src/a.ts:3",
    "src/a.ts:6",
  ]);
});

function isThrowInOrThrow(node: ts.Node): boolean {
  return ts.isThrowStatement(node) && functionAround(node) === "orThrow";
}

function isThrowElsewhere(node: ts.Node): boolean {
  return ts.isThrowStatement(node) && functionAround(node) !== "orThrow";
}

/** The name of the innermost function a node is in; undefined for none, and for one without. */
function functionAround(node: ts.Node): string | undefined {
  if (ts.isFunctionDeclaration(node)) return node.name?.text;
  return ts.isSourceFile(node) || ts.isFunctionLike(node) ? undefined : functionAround(node.parent);
}
