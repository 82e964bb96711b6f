/**
 * Ends a child step by step, politely first, and knows when all of it is gone.
 *
 * The order is that of the specification: end its stdin, wait, SIGTERM, wait, SIGKILL.
 *
 * @see https://modelcontextprotocol.io/specification/2025-11-25/basic/lifecycle#shutdown
 */
import type { Child } from "./spawn-child.ts";
import { signalGroup } from "./process-group.ts";
import { settledWithin } from "./settled-within.ts";

/** How long each step waits, in milliseconds. */
export interface Graces {
  readonly stdinGraceMs: number;
  readonly termGraceMs: number;
}

/** For a server that never answered, or whose load was aborted. */
export const HURRIED: Graces = { stdinGraceMs: 100, termGraceMs: 500 };

/** For every other server, unless the caller says otherwise. */
export const POLITE: Graces = { stdinGraceMs: 2000, termGraceMs: 2000 };

/** SIGKILL cannot be ignored, but a process inside a system call may take its time to die. */
const KILL_WAIT_MS = 1000;
const FIRST_POLL_MS = 2;
const LONGEST_POLL_MS = 50;

/**
 * Ends a child and its process group; resolves when nothing of them is alive. Never rejects.
 *
 * A child that exits when its stdin ends is never signalled. What it leaves behind in its group
 * gets SIGTERM and SIGKILL like a child that stays. Several may run at once: the fastest wins.
 */
export async function endChild(child: Child, graces: Graces): Promise<void> {
  child.stdin.end();
  await settledWithin(child.exited, graces.stdinGraceMs);
  if (child.isGone()) return;
  signalGroup(child.pid, "SIGTERM");
  if (await isGoneWithin(child, graces.termGraceMs)) return;
  signalGroup(child.pid, "SIGKILL");
  await isGoneWithin(child, KILL_WAIT_MS);
}

async function isGoneWithin(child: Child, timeMs: number): Promise<boolean> {
  const deadline = performance.now() + timeMs;
  await settledWithin(child.exited, timeMs);
  for (let pauseMs = FIRST_POLL_MS; !child.isGone(); pauseMs = nextPause(pauseMs)) {
    const leftMs = deadline - performance.now();
    if (leftMs <= 0) return false;
    await settledWithin(NEVER, Math.min(pauseMs, leftMs));
  }
  return true;
}

const NEVER: Promise<never> = new Promise(() => undefined);

function nextPause(pauseMs: number): number {
  return Math.min(pauseMs * 2, LONGEST_POLL_MS);
}
