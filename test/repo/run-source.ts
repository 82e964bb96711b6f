import { spawn } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import ts from "typescript";

/** The repository's folder; the programs of these tests run there. */
export const ROOT: string = resolve(import.meta.dirname, "../..");

/** What a program printed and how it ended. */
export interface Run {
  readonly stdout: string;
  readonly stderr: string;
  readonly code: number | null;
}

/** Runs a program to its end, in the repository's folder unless told otherwise. */
export function run(command: string, args: readonly string[], cwd: string = ROOT): Promise<Run> {
  return new Promise((resolve, reject) => {
    const env = { ...process.env, CI: "true", NO_COLOR: "1" };
    const child = spawn(command, args, { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
    let stdout = "";
    let stderr = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text));
    child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
    child.once("error", reject);
    child.once("close", (code) => resolve({ stdout, stderr, code }));
  });
}

/** Runs a TypeScript text as a program of its own that imports the built package by its name. */
export async function runSource(name: string, source: string): Promise<Run> {
  const { outputText } = ts.transpileModule(source, {
    compilerOptions: {
      module: ts.ModuleKind.ESNext,
      target: ts.ScriptTarget.ES2023,
      verbatimModuleSyntax: true,
    },
  });
  const file = resolve(ROOT, ".cache/run", `${name}.js`);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, outputText);
  return run(process.execPath, [file]);
}
