/**
 * Real runs of the built program, under pipes and in a pseudo terminal.
 */
import { spawn } from "node:child_process";
import type { ChildProcessWithoutNullStreams } from "node:child_process";
import { once } from "node:events";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  watch,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { onTestFinished } from "vitest";

const ROOT: string = resolve(import.meta.dirname, "../..");
/** Of util-linux; it runs a command in a pseudo terminal. */
const PSEUDO_TERMINAL = "script";
/** The built program. */
export const MAIN: string = join(ROOT, "dist/cli/main.js");

/** Where a fixture program is. */
export const fixture = (name: string): string => join(ROOT, "test/fixtures/cli", name);
/** The official server that shows everything. */
export const EVERYTHING: string = join(
  ROOT,
  "node_modules/@modelcontextprotocol/server-everything/dist/index.js",
);

/** How a run ended. */
export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** How a run is made. */
export interface RunOptions {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: string;
}

/** Nothing of the machine's own but what finds programs: CI, colours and tokens would show. */
function environment(env: Readonly<Record<string, string>> = {}): NodeJS.ProcessEnv {
  const { PATH, HOME, TMPDIR } = process.env;
  return { PATH, HOME, ...(TMPDIR === undefined ? {} : { TMPDIR }), ...env };
}

/** Starts the program. */
export function start(
  args: readonly string[],
  options: RunOptions = {},
): ChildProcessWithoutNullStreams {
  return spawn(process.execPath, [MAIN, ...args], {
    cwd: options.cwd ?? ROOT,
    env: environment(options.env),
  });
}

/** Runs the program to its end. */
export async function runCli(args: readonly string[], options: RunOptions = {}): Promise<Ended> {
  const child = start(args, options);
  child.stdin.end(options.input ?? "");
  return ending(child);
}

/** What a started program says until its end. */
export async function ending(child: ChildProcessWithoutNullStreams): Promise<Ended> {
  const said = { stdout: "", stderr: "" };
  child.stdout.setEncoding("utf8").on("data", (text: string) => (said.stdout += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (said.stderr += text));
  const [code, signal] = (await once(child, "close")) as [number | null, NodeJS.Signals | null];
  return { code, signal, ...said };
}

/** One thing to type, after a text has appeared. */
export interface Typing {
  readonly after: string;
  readonly type: string;
}

/** Runs the program in a pseudo terminal of 100 columns; stdout and stderr are one there. */
export async function runInTerminal(
  args: readonly string[],
  typing: readonly Typing[] = [],
  options: RunOptions = {},
): Promise<Ended> {
  const quoted = [process.execPath, MAIN, ...args].map(
    (word) => `'${word.replaceAll("'", `'\\''`)}'`,
  );
  const command = `stty cols 100 rows 30; exec ${quoted.join(" ")}`;
  const child = spawn(PSEUDO_TERMINAL, ["-qec", command, "/dev/null"], {
    cwd: options.cwd ?? ROOT,
    env: environment({ TERM: "xterm", SHELL: "/bin/sh", ...options.env }),
  });
  let seen = "";
  const left = [...typing];
  child.stdout.on("data", (chunk: Buffer) => {
    seen += chunk.toString("utf8");
    const next = left[0];
    if (next === undefined || !seen.includes(next.after)) return;
    left.shift();
    seen = "";
    child.stdin.write(next.type);
  });
  return ending(child);
}

/** A new folder with a config in it, gone after the test. */
export function folderWith(config: unknown, place = "mcp.json"): string {
  const folder = mkdtempSync(join(tmpdir(), "mcp-source-cli-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  if (config !== undefined) writeConfig(folder, place, config);
  return folder;
}

/** Writes a config into a folder; a text as it is, an object as JSON. */
export function writeConfig(folder: string, place: string, config: unknown): void {
  mkdirSync(dirname(join(folder, place)), { recursive: true });
  const text = typeof config === "string" ? config : JSON.stringify(config, null, 2);
  writeFileSync(join(folder, place), text);
}

/** A server entry that runs a fixture. */
export function server(name: string, extra: Readonly<Record<string, unknown>> = {}): object {
  return { command: process.execPath, args: [fixture(name)], ...extra };
}

/** The text of a file, as soon as there is some. */
export async function contentOf(path: string): Promise<string> {
  const read = (): string => (existsSync(path) ? readFileSync(path, "utf8") : "");
  const changes = watch(dirname(path));
  try {
    while (read() === "") await once(changes, "change");
    return read();
  } finally {
    changes.close();
  }
}

/** Whether a process runs; one that only waits to be collected does not. */
export function isRunning(pid: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    return !/\) [ZX] /.test(stat);
  } catch {
    return false;
  }
}

/** An entry for the official server that shows everything. */
export const everything: object = { command: process.execPath, args: [EVERYTHING] };

/** An entry for a server of both eras, with the words that its program takes. */
export const garden: object = {
  command: process.execPath,
  args: [join(ROOT, "test/fixtures/dual-era/stdio.mjs")],
};
