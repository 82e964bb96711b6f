import { spawnSync } from "node:child_process";
import { until } from "./until.ts";

/** Whether a process runs; one that is dead may stay in the table until somebody asks for it. */
export function isRunning(pid: number): boolean {
  const { stdout } = spawnSync("ps", ["-o", "stat=", "-p", String(pid)], { encoding: "utf8" });
  const state = stdout.trim();
  return state !== "" && !state.startsWith("Z");
}

/** Waits until none of the processes runs any more. */
export async function untilGone(...pids: readonly number[]): Promise<void> {
  await until(`processes ${pids.join(", ")} are gone`, () => !pids.some(isRunning));
}
