/**
 * Signals a child together with what it started, and tells whether any of that is still alive.
 *
 * POSIX: the child's process group, which it leads. Windows knows no groups; there `taskkill` ends
 * the tree, and only while its root lives.
 */
import { spawn, spawnSync } from "node:child_process";
import { readFileSync, readdirSync } from "node:fs";

/** Sends a signal to a child's whole group; what is gone already is no fault. */
export function signalGroup(pid: number, signal: "SIGTERM" | "SIGKILL"): void {
  if (process.platform !== "win32") return void sendSignal(-pid, signal);
  const killer = spawn("taskkill", taskkillArgs(pid), { stdio: "ignore", windowsHide: true });
  killer.on("error", () => undefined);
  killer.unref();
}

/** Ends a child's whole group before the host's next breath: for the host's own `exit`. */
export function killGroupNow(pid: number): void {
  if (process.platform !== "win32") return void sendSignal(-pid, "SIGKILL");
  spawnSync("taskkill", taskkillArgs(pid), { stdio: "ignore", windowsHide: true });
}

/**
 * Whether a group whose leader was reaped still has a living member.
 *
 * A dead member that nobody reaps (PID 1 of a container is often no init) still counts for `kill`;
 * on Linux the process states tell it from a living one.
 */
export function hasLivingMembers(pid: number): boolean {
  if (process.platform === "win32" || !sendSignal(-pid, 0)) return false;
  return process.platform !== "linux" || someProcess((stat) => isLivingMember(stat, pid));
}

/** Whether a line of `/proc/PID/stat` is that of a living member of a group. */
export function isLivingMember(stat: string, group: number): boolean {
  // The name comes second, in parentheses, and may hold anything; the fields after it do not.
  const [state, , processGroup] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return processGroup === String(group) && state !== "Z" && state !== "X";
}

function someProcess(matches: (stat: string) => boolean): boolean {
  try {
    return readdirSync("/proc").some((name) => /^\d+$/.test(name) && matches(statOf(name)));
  } catch {
    return true;
  }
}

/** Empty when the process ended meanwhile. */
function statOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/stat`, "latin1");
  } catch {
    return "";
  }
}

/** Whether there was anyone to take the signal. */
function sendSignal(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, signal);
  } catch (error) {
    return !(error instanceof Error && "code" in error && error.code === "ESRCH");
  }
}

function taskkillArgs(pid: number): readonly string[] {
  return ["/pid", String(pid), "/T", "/F"];
}
