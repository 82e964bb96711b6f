import { readFileSync, readdirSync } from "node:fs";
import { resolve } from "node:path";
import ts from "typescript";
import { ROOT } from "./run-source.ts";

/** A piece of TypeScript that readers will copy. */
export interface Snippet {
  /** Where it stands: `README.md:12`. */
  readonly place: string;
  readonly source: string;
}

/** A fenced block of a Markdown text. */
export interface Block {
  readonly language: string;
  /** The line of its opening fence, from 1. */
  readonly line: number;
  readonly text: string;
}

/** Every fenced block of a text, in order. */
export function fencedBlocks(text: string): readonly Block[] {
  return [...text.matchAll(/^ *```(\w*)\n([^]*?)^ *```$/gm)].map((match) => ({
    language: match[1] ?? "",
    line: text.slice(0, match.index).split("\n").length,
    text: match[2] ?? "",
  }));
}

/** Every `ts` block of README.md, docs and the doc comments of src. */
export function allSnippets(): readonly Snippet[] {
  const documents = ["README.md", ...filesOf("docs", ".md")].flatMap((file) =>
    snippetsOf(file, textOf(file)),
  );
  const comments = filesOf("src", ".ts").flatMap((file) =>
    snippetsOf(file, textOf(file).replaceAll(/^ *(?:\/\*)?\*(?: |\/?$)/gm, "")),
  );
  return [...documents, ...comments];
}

/** Where an `@example` stands that is no `ts` block. */
export function loosePlaces(): readonly string[] {
  return filesOf("src", ".ts").flatMap((file) =>
    [...textOf(file).matchAll(/^ *\* @example(?!\n *\* ```ts\n)/gm)].map(
      (match) => `${file}:${textOf(file).slice(0, match.index).split("\n").length}`,
    ),
  );
}

/** What the compiler says of each snippet, by place; the package is the built one. */
export function compileSnippets(snippets: readonly Snippet[]): ReadonlyMap<string, string> {
  const sources = new Map(
    snippets.map(({ source }, index) => [resolve(ROOT, `snippet-${index}.ts`), source]),
  );
  const options = compilerOptions();
  const host = ts.createCompilerHost(options);
  const { fileExists, readFile } = host;
  host.fileExists = (file) => sources.has(file) || fileExists(file);
  host.readFile = (file) => sources.get(file) ?? readFile(file);
  const program = ts.createProgram([...sources.keys()], options, host);
  const files = [...sources.keys()];
  return new Map(
    snippets.map(({ place }, index) => {
      const file = program.getSourceFile(files[index] ?? "");
      const found = ts.getPreEmitDiagnostics(program, file);
      return [place, ts.formatDiagnostics(found, host)];
    }),
  );
}

function compilerOptions(): ts.CompilerOptions {
  const config = ts.readConfigFile(resolve(ROOT, "tsconfig.json"), ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent(config.config, ts.sys, ROOT);
  // A snippet shows a part of a program.
  const loosened = { noUnusedLocals: false, noImplicitReturns: false, isolatedDeclarations: false };
  return { ...options, ...loosened, declaration: false, paths: {} };
}

function snippetsOf(file: string, text: string): readonly Snippet[] {
  return fencedBlocks(text)
    .filter(({ language }) => language === "ts")
    .map(({ line, text: source }) => ({ place: `${file}:${line}`, source }));
}

function filesOf(folder: string, ending: string): readonly string[] {
  return readdirSync(resolve(ROOT, folder), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(ending))
    .map((file) => `${folder}/${file}`)
    .toSorted();
}

function textOf(file: string): string {
  return readFileSync(resolve(ROOT, file), "utf8");
}
