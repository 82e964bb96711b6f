import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import ts from "typescript";
import { expect, it } from "vitest";
import { ROOT } from "./run-source.ts";

const SENTENCE = /^[A-Z`"«0-9].{10,}?[.:](?:\s|$)/s;

/** What a file exports, itself or from others, and the text of each doc comment. */
function exportsOf(file: string): ReadonlyMap<string, string> {
  const program = ts.createProgram([file], {
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    allowImportingTsExtensions: true,
    noEmit: true,
    noLib: true,
    types: [],
  });
  const checker = program.getTypeChecker();
  const source = program.getSourceFile(file);
  const module = source && checker.getSymbolAtLocation(source);
  return new Map(
    (module === undefined ? [] : checker.getExportsOfModule(module)).map((symbol) => {
      const isAlias = (symbol.flags & ts.SymbolFlags.Alias) !== 0;
      const original = isAlias ? checker.getAliasedSymbol(symbol) : symbol;
      return [symbol.name, ts.displayPartsToString(original.getDocumentationComment(checker))];
    }),
  );
}

it.each([
  ["index.ts", ["fromConfig", "Failure", "Json"]],
  ["testing/index.ts", ["faultyTransport", "FaultPlan", "canary"]],
])("says of every export of %s, in a sentence at least, what it is", (file, some) => {
  const docs = exportsOf(join(ROOT, "src", file));
  expect([...docs.keys()]).toEqual(expect.arrayContaining(some));
  expect([...docs].filter(([, doc]) => !SENTENCE.test(doc))).toEqual([]);
});

it("sees an export that says nothing", () => {
  const folder = mkdtempSync(join(tmpdir(), "exports-"));
  const said = "/** A constant of which enough is said. */\nexport const documented = 1;";
  const unsaid = "export const bare = 2;\n/** curt */\nexport const curt = 3;";
  writeFileSync(join(folder, "a.ts"), `${said}\n${unsaid}\n`);
  writeFileSync(join(folder, "index.ts"), 'export * from "./a.ts";\n');
  const docs = exportsOf(join(folder, "index.ts"));
  rmSync(folder, { recursive: true });
  expect([...docs.keys()]).toEqual(["documented", "bare", "curt"]);
  expect([...docs].filter(([, doc]) => !SENTENCE.test(doc)).map(([name]) => name)).toEqual([
    "bare",
    "curt",
  ]);
});
