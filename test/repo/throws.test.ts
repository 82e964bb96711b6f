import { readFileSync, readdirSync } from "node:fs";
import { resolve } from "node:path";
import ts from "typescript";
import { expect, it } from "vitest";
import { ROOT } from "./run-source.ts";

/** Where each `throw` of the library stands; the command line may throw to itself. */
function throwPlaces(): readonly string[] {
  return readdirSync(resolve(ROOT, "src"), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts") && !file.startsWith("cli/"))
    .flatMap((file) => {
      const text = readFileSync(resolve(ROOT, "src", file), "utf8");
      return throwsIn(ts.createSourceFile(file, text, ts.ScriptTarget.ES2023, true));
    });
}

function throwsIn(source: ts.SourceFile): readonly string[] {
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isThrowStatement(node)) found.push(functionAround(node));
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

function functionAround(node: ts.Node): string {
  if (ts.isSourceFile(node)) return node.fileName;
  if (ts.isFunctionDeclaration(node)) return node.name?.text ?? "";
  return functionAround(node.parent);
}

it("throws in orThrow and nowhere else", () => {
  expect(throwPlaces()).toEqual(["orThrow"]);
});
