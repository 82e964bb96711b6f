/**
 * Starts a child process and waits until it runs; every way to fail is a value.
 */
import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { access, constants, stat } from "node:fs/promises";
import { Socket } from "node:net";
import { err, ok } from "../../failure.ts";
import type { Result, TransportFailure } from "../../failure.ts";
import type { Redact } from "../../redact.ts";

import { hasLivingMembers, killGroupNow } from "./process-group.ts";
import { forgetGroup, watchGroup } from "./reaper.ts";
import { spawnCommand } from "./spawn-command.ts";
import type { SpawnCall } from "./spawn-command.ts";
import { attemptProblem, cwdFailure, startFailure } from "./spawn-failure.ts";
import type { Attempt } from "./spawn-failure.ts";

/** How a process ended; `exitCode` is null when a signal ended it. */
export interface Exit {
  readonly exitCode: number | null;
  readonly signal: string | null;
}

/** A child that runs, with its three pipes. */
export interface Child {
  readonly process: ChildProcess;
  readonly pid: number;
  readonly stdin: Socket;
  readonly stdout: Socket;
  readonly stderr: Socket;
  /** Resolves when the process has ended; its pipes may live on in its own children. */
  readonly exited: Promise<void>;
  /** How it ended; null while it runs. */
  exit(): Exit | null;
  /** Whether neither it nor anything of its process group is alive. */
  isGone(): boolean;
}

/**
 * Starts a child; gives `transport` (spawn-failed) when it does not run, and `cancelled` when the
 * signal fired before it was started. Never rejects.
 */
export async function startChild(
  attempt: Attempt,
  redact: Redact,
  signal: AbortSignal | undefined,
): Promise<Result<Child>> {
  const failed = (failure: TransportFailure): Result<Child> =>
    err({ ...failure, detail: redact(failure.detail) });
  const problem = attemptProblem(attempt) ?? (await cwdProblem(attempt.cwd));
  if (problem !== null) return failed(problem);
  if (signal?.aborted === true) return err({ tag: "cancelled" });
  const started = await invokeSpawn(
    spawnCommand(process.platform, attempt.command, attempt.args, attempt),
  );
  if ("code" in started) return failed(startFailure(attempt, started.code));
  return runningChild(started, (code) => failed(startFailure(attempt, code)));
}

/** Checked first: for a missing directory the system blames the command. */
async function cwdProblem(cwd: string | undefined): Promise<TransportFailure | null> {
  if (cwd === undefined) return null;
  try {
    if (!(await stat(cwd)).isDirectory()) return cwdFailure(cwd, "ENOTDIR");
    await access(cwd, constants.X_OK);
    return null;
  } catch (error) {
    return cwdFailure(cwd, errorCode(error));
  }
}

/** `spawn` throws for some codes and emits others. */
async function invokeSpawn(
  call: SpawnCall,
): Promise<ChildProcess | { readonly code: string | undefined }> {
  try {
    const start = call.via === "node" ? spawn : (await import("cross-spawn")).default;
    return start(call.command, call.args, call.options);
  } catch (error) {
    return { code: errorCode(error) };
  }
}

function runningChild(
  process: ChildProcess,
  failed: (code: string | undefined) => Result<Child>,
): Promise<Result<Child>> {
  if (process.pid !== undefined) watchGroup(process.pid);
  return new Promise((resolve) => {
    process.on("error", (error) => {
      for (const stream of process.stdio ?? []) stream?.destroy();
      resolve(failed(errorCode(error)));
    });
    process.once("spawn", () => {
      const child = childOf(process);
      resolve(child === null ? failed("EMFILE") : ok(child));
    });
  });
}

function childOf(process: ChildProcess): Child | null {
  const { pid, stdin, stdout, stderr } = process;
  if (pid === undefined) return null;
  if (!(stdin instanceof Socket && stdout instanceof Socket && stderr instanceof Socket)) {
    killGroupNow(pid);
    forgetGroup(pid);
    return null;
  }
  // Node destroys it when the process exits; what a wrapper started may still read from it.
  process.stdin = null;
  const exit = (): Exit | null => {
    const { exitCode, signalCode } = process;
    return exitCode === null && signalCode === null ? null : { exitCode, signal: signalCode };
  };
  // Asked of the system no more once the group is gone: its number may then be someone else's.
  let isGone = false;
  const checkGone = (): boolean => {
    if (isGone || exit() === null || hasLivingMembers(pid)) return isGone;
    isGone = true;
    forgetGroup(pid);
    return true;
  };
  const exited = new Promise<void>((resolve) => {
    process.once("exit", () => {
      checkGone();
      resolve();
    });
  });
  return { process, pid, stdin, stdout, stderr, exited, exit, isGone: checkGone };
}

function errorCode(error: unknown): string | undefined {
  return error instanceof Error && "code" in error && typeof error.code === "string"
    ? error.code
    : undefined;
}
