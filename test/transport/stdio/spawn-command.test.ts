import { describe, expect, it } from "vitest";
import { spawnCommand } from "../../../src/transport/stdio/spawn-command.ts";

const ARGS = ["-y", 'a "quoted" word', "50%", "a&b"];
const ENV = { PATH: "C:\\tools", PATHEXT: ".EXE;.CMD" };

describe("what is handed to the system", () => {
  it("is Node's spawn in a process group of its own on POSIX", () => {
    expect(spawnCommand("linux", "npx", ARGS, { cwd: "/srv/app", env: ENV })).toEqual({
      via: "node",
      command: "npx",
      args: ARGS,
      options: {
        cwd: "/srv/app",
        env: ENV,
        stdio: ["pipe", "pipe", "pipe"],
        shell: false,
        detached: true,
        windowsHide: true,
      },
    });
    expect(spawnCommand("darwin", "npx", [], { env: {} }).options.detached).toBe(true);
  });

  it.each(["npx", "npx.cmd", "C:\\Program Files\\nodejs\\npx.cmd"])(
    "is cross-spawn on Windows, with the command and arguments as they are: %s",
    (command) => {
      expect(spawnCommand("win32", command, ARGS, { env: ENV })).toEqual({
        via: "cross-spawn",
        command,
        args: ARGS,
        options: {
          env: ENV,
          stdio: ["pipe", "pipe", "pipe"],
          shell: false,
          detached: false,
          windowsHide: true,
        },
      });
    },
  );
});
