import { once } from "node:events";
import { join } from "node:path";
import { expect, it } from "vitest";
import {
  contentOf,
  ending,
  folderWith,
  isRunning,
  runCli,
  runInTerminal,
  server,
  start,
} from "./run-cli.ts";

it.each([
  ["SIGINT", 130],
  ["SIGTERM", 143],
  ["SIGHUP", 129],
] as const)("on %s during a call ends the server and exits %i", async (signal, code) => {
  const cwd = folderWith({ mcpServers: { t: server("tools.mjs") } });
  const ready = join(cwd, "ready");
  const child = start(["call", "t_wait", `ready=${ready}`, "--json"], { cwd });
  const ended = ending(child);
  const pid = Number(await contentOf(ready));
  child.kill(signal);
  const { stdout, ...rest } = await ended;
  expect(rest).toMatchObject({ code, stderr: "" });
  expect(JSON.parse(stdout)).toMatchObject({ exitCode: code, errors: [{ tag: "cancelled" }] });
  expect(isRunning(pid)).toBe(false);
});

it("on SIGINT during a load ends the servers and exits 130", async () => {
  const pidFile = { PID_FILE: "${PID_FILE}" };
  const cwd = folderWith({ mcpServers: { a: server("silent.mjs", { env: pidFile }) } });
  const path = join(cwd, "pid");
  const child = start(["list"], { cwd, env: { PID_FILE: path } });
  const ended = ending(child);
  const pid = Number(await contentOf(path));
  child.kill("SIGINT");
  expect(await ended).toMatchObject({ code: 130, stdout: "" });
  expect(isRunning(pid)).toBe(false);
});

it("on a second SIGINT exits at once, and the servers are gone", async () => {
  const cwd = folderWith({ mcpServers: { t: server("tools.mjs") } });
  const ready = join(cwd, "ready");
  const child = start(["call", "t_wait", `ready=${ready}`], { cwd });
  const ended = ending(child);
  const pid = Number(await contentOf(ready));
  child.kill("SIGINT");
  child.kill("SIGINT");
  expect((await ended).code).toBe(130);
  expect(isRunning(pid)).toBe(false);
});

it("on Ctrl-C in a terminal ends a question and exits 130", async () => {
  const cwd = folderWith({ mcpServers: { t: server("tools.mjs") } });
  const typing = [{ after: "Answer? [y/n] ", type: "\u0003" }];
  const { code, stdout } = await runInTerminal(["call", "t_ask", "--color", "never"], typing, {
    cwd,
  });
  expect(stdout).toContain("error: interrupted");
  expect(code).toBe(130);
});

it("exits 0 quietly when nobody reads its result", async () => {
  const cwd = folderWith({ mcpServers: { t: server("tools.mjs") } });
  const child = start(["list"], { cwd });
  child.stdout.destroy();
  let stderr = "";
  child.stderr.on("data", (chunk: Buffer) => (stderr += chunk.toString()));
  expect(await once(child, "close")).toEqual([0, null]);
  expect(stderr).toBe("Using mcp.json\n");
});

it("writes a large result to a pipe whole", async () => {
  const cwd = folderWith({ mcpServers: { t: server("large.mjs") } });
  const { stdout } = await runCli(["list", "--json"], { cwd });
  expect(JSON.parse(stdout).tools).toHaveLength(20);
  expect(stdout.length).toBeGreaterThan(2_000_000);
});
