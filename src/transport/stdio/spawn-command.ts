/**
 * What is handed to the system to start a child, decided without starting anything.
 */
import type { SpawnOptions } from "node:child_process";

/** Where and with which environment a child runs. */
export interface SpawnPlace {
  readonly cwd?: string;
  readonly env: Readonly<Record<string, string>>;
}

/** One call of a spawn function, as data. */
export interface SpawnCall {
  /** Node's own `spawn`, or cross-spawn's. */
  readonly via: "node" | "cross-spawn";
  readonly command: string;
  readonly args: readonly string[];
  readonly options: SpawnOptions;
}

/**
 * The call that starts a command on a platform: never a shell, pipes for all three streams.
 *
 * On POSIX the child leads a process group of its own, so that its children can be ended with it.
 * On Windows cross-spawn finds `.cmd` scripts through PATHEXT and quotes for them: Node refuses to
 * start them by itself (CVE-2024-27980).
 *
 * @param platform - As in `process.platform`.
 */
export function spawnCommand(
  platform: string,
  command: string,
  args: readonly string[],
  place: SpawnPlace,
): SpawnCall {
  const isWindows = platform === "win32";
  return {
    via: isWindows ? "cross-spawn" : "node",
    command,
    args,
    options: {
      ...(place.cwd === undefined ? {} : { cwd: place.cwd }),
      env: place.env,
      stdio: ["pipe", "pipe", "pipe"],
      shell: false,
      detached: !isWindows,
      windowsHide: true,
    },
  };
}
