import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { ROOT } from "./run-source.ts";

/** A file of the library: its path from the repository, its text and its tree. */
export interface SourceFile {
  readonly file: string;
  readonly text: string;
  readonly tree: ts.SourceFile;
}

/** Every TypeScript file of src. */
export function sourceFiles(): readonly SourceFile[] {
  return readdirSync(join(ROOT, "src"), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts"))
    .map((file) => readSource(`src/${file}`, readFileSync(join(ROOT, "src", file), "utf8")));
}

/** A text as a file of src. */
export function readSource(file: string, text: string): SourceFile {
  return { file, text, tree: ts.createSourceFile(file, text, ts.ScriptTarget.ES2023, true) };
}

/** Where a file has a node of that kind, as `src/json.ts:12`. */
export function placesOf(
  { file, tree }: SourceFile,
  matches: (node: ts.Node) => boolean,
): readonly string[] {
  const places: string[] = [];
  const visit = (node: ts.Node): void => {
    if (matches(node)) {
      places.push(`${file}:${tree.getLineAndCharacterOfPosition(node.getStart()).line + 1}`);
    }
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return places;
}
