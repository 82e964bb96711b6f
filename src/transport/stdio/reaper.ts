/**
 * Ends every living child when the host ends: by `process.exit`, an uncaught error or naturally.
 *
 * One listener for all children, there only while one lives. A host that dies by a signal runs no
 * listener; its children notice by the end of their stdin.
 */
import { killGroupNow } from "./process-group.ts";

const living = new Set<number>();

/** Has a child's group killed when the host exits. */
export function watchGroup(pid: number): void {
  if (living.size === 0) process.on("exit", killAll);
  living.add(pid);
}

/** Forgets a child's group, once nothing of it is left. */
export function forgetGroup(pid: number): void {
  living.delete(pid);
  if (living.size === 0) process.removeListener("exit", killAll);
}

function killAll(): void {
  for (const pid of living) killGroupNow(pid);
}
