#!/usr/bin/env node
/**
 * The program: this process as a `Host`, signals, and the exit code.
 *
 * Lives in this folder: the command line, a thin skin over what `../index.ts` exports. Each command is
 * a file of its own that gives an `Outcome`; `report.ts` and the `…-text.ts` files put it into words.
 * Not here: anything a caller of the library could want too.
 */
import { writeSync } from "node:fs";
import { EXIT, signalExit } from "./exit-code.ts";
import type { Host } from "./host.ts";
import { createLineReader } from "./line-reader.ts";
import { reportText } from "./report.ts";
import { bug, run } from "./run.ts";
import { plain } from "./style.ts";

const SIGNALS: readonly NodeJS.Signals[] = ["SIGINT", "SIGTERM", "SIGHUP"];

const ending = new AbortController();
const ended: { by: NodeJS.Signals | "broken-pipe" | null } = { by: null };
const lines = createLineReader(process.stdin);
let hasWritten = false;

const host: Host = {
  env: process.env,
  cwd: process.cwd(),
  isTerminal: {
    stdin: process.stdin.isTTY === true,
    stdout: process.stdout.isTTY === true,
    stderr: process.stderr.isTTY === true,
  },
  // A terminal that does not know its width says 0.
  columns: process.stdout.columns > 0 ? process.stdout.columns : null,
  signal: ending.signal,
  endingExit,
  writeOut: (text) => {
    hasWritten = true;
    process.stdout.write(text);
  },
  writeErr: (text) => void process.stderr.write(text),
  readStdin,
  readLine: (signal) => lines.next(signal),
};

function endingExit(): number | null {
  if (ended.by === null) return null;
  return ended.by === "broken-pipe" ? EXIT.done : signalExit(ended.by);
}

function end(by: NodeJS.Signals | "broken-pipe"): void {
  ended.by ??= by;
  ending.abort();
}

function readStdin(): Promise<string> {
  const chunks: Buffer[] = [];
  process.stdin.on("data", (chunk: Buffer) => chunks.push(chunk));
  // A person may never end the input.
  ending.signal.addEventListener("abort", () => process.stdin.destroy(), { once: true });
  return new Promise((resolve) => {
    process.stdin.once("close", () => resolve(Buffer.concat(chunks).toString("utf8")));
  });
}

for (const signal of SIGNALS) {
  process.on(signal, () => {
    // Whoever asks twice does not want to wait; the library's exit listener ends the children.
    if (ended.by !== null) process.exit(signalExit(signal));
    end(signal);
  });
}

process.stdout.on("error", () => end("broken-pipe"));
// Nobody listens any more; there is no other place to say so.
process.stderr.on("error", () => undefined);

process.on("uncaughtException", (error) => {
  const outcome = bug("", error);
  if (!hasWritten && process.argv.includes("--json")) {
    writeSync(1, reportText(outcome, outcome.exitCode));
  }
  const style = { paint: plain, isTerminal: false, columns: null, isWorkflowLog: false };
  writeSync(2, `${outcome.remarks(style).join("\n")}\n`);
  process.exit(outcome.exitCode);
});

process.exitCode = await run(process.argv.slice(2), host);
lines.close();
