import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import ts from "typescript";
import { describe, expect, it } from "vitest";
import { ROOT } from "./run-source.ts";

/** One promise and the test that shows it. */
interface Row {
  readonly row: string;
  readonly file: string;
  readonly test: string;
}

const ROW = /^\| (\w+) +\| .+? +\| (test\/\S+) +\| (`+) ?(.+?) ?\3 +\|$/gm;

const parity = readFileSync(resolve(ROOT, "docs/parity.md"), "utf8");
const rows: readonly Row[] = [...parity.matchAll(ROW)].map(
  ([, row = "", file = "", , test = ""]) => ({ row, file, test }),
);

/** Every string of a test file, its tests' names among them. */
function stringsIn(file: string): ReadonlySet<string> {
  const path = resolve(ROOT, file);
  const found = new Set<string>();
  if (!existsSync(path)) return found;
  const source = ts.createSourceFile(file, readFileSync(path, "utf8"), ts.ScriptTarget.ES2023);
  const visit = (node: ts.Node): void => {
    if (ts.isStringLiteralLike(node)) found.add(node.text);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

describe("docs/parity.md", () => {
  const strings = new Map(
    [...new Set(rows.map(({ file }) => file))].map((file) => [file, stringsIn(file)]),
  );

  it("holds no table row that this test cannot read", () => {
    const lines = parity.split("\n").filter((line) => /^\| [A-D]\d/.test(line));
    expect(rows.length).toBe(lines.length);
  });

  it.each(rows)("names for $row a test that exists: $test", ({ file, test }) => {
    expect([...(strings.get(file) ?? [])]).toContain(test);
  });
});
