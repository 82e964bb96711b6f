import { join } from "node:path";
import { expect, it } from "vitest";
import { EVERYTHING, folderWith, runCli, server } from "./run-cli.ts";

it("prints what a failing tool says and exits 5", async () => {
  const cwd = folderWith({ mcpServers: { t: server("tools.mjs") } });
  const { code, stdout, stderr } = await runCli(["call", "t_fail", "-q"], { cwd });
  expect(stdout).toBe("the disk is full\n");
  expect(stderr).toBe("error: the tool answered with an error\n");
  expect(code).toBe(5);
});

it.each([
  ["t_ehco", 'unknown tool: t_ehco; did you mean "t_echo"?'],
  ["echo", 'unknown tool: echo; did you mean "t_echo"?'],
  ["t/ehco", 'unknown tool: t/ehco; did you mean "t/echo"?'],
])("says what may have been meant by %s and exits 5", async (tool, message) => {
  const cwd = folderWith({ mcpServers: { t: server("tools.mjs") } });
  const { code, stderr } = await runCli(["call", tool], { cwd });
  expect(stderr).toContain(message);
  expect(code).toBe(5);
});

it("starts only the server the tool is on", async () => {
  const cwd = folderWith({ mcpServers: { t: server("tools.mjs"), other: server("crash.mjs") } });
  const { code, stdout } = await runCli(["call", "t_echo", "message=hi", "--json"], { cwd });
  expect(JSON.parse(stdout).servers.map(({ name }: { name: string }) => name)).toEqual(["t"]);
  expect(code).toBe(0);
});

it("says why the server of the tool failed, with its exit code", async () => {
  const cwd = folderWith({ mcpServers: { t: server("crash.mjs") } });
  const { code, stderr } = await runCli(["call", "t_echo"], { cwd });
  expect(stderr).toContain('mcp server "t" failed at initialize: peer-exited (status 3)');
  expect(code).toBe(4);
});

it("says that a server is disabled, and how to enable it", async () => {
  const cwd = folderWith({ mcpServers: { t: server("tools.mjs", { disabled: true }) } });
  const { code, stderr } = await runCli(["call", "t_echo"], { cwd });
  expect(stderr).toMatch(/server "t" is disabled in the config\n {2}Fix: remove "disabled"/);
  expect(code).toBe(2);
});

it("gives up after --timeout and exits 4", async () => {
  const cwd = folderWith({ mcpServers: { t: server("tools.mjs") } });
  const args = ["call", "t_wait", `ready=${join(cwd, "ready")}`, "--timeout", "100"];
  const { code, stderr } = await runCli(args, { cwd });
  expect(stderr).toContain('mcp server "t" failed at tools/call: timeout (100 ms)');
  expect(code).toBe(4);
});

it("is one JSON document for a result, an error of the tool, and a wrong argument", async () => {
  const cwd = folderWith({ mcpServers: { t: server("tools.mjs") } });
  const run = async (...args: string[]) =>
    JSON.parse((await runCli(["call", ...args, "--json"], { cwd })).stdout);
  expect(await run("t_echo", "message=hi")).toMatchObject({
    command: "call",
    ok: true,
    exitCode: 0,
    tool: { server: "t", remoteName: "echo" },
    result: { output: '{"message":"hi"}', isError: false, content: [{ type: "text" }] },
    errors: [],
  });
  expect(await run("t_fail")).toMatchObject({ ok: false, exitCode: 5, result: { isError: true } });
  expect(await run("t_echo")).toMatchObject({
    ok: false,
    exitCode: 2,
    result: null,
    errors: [
      { tag: "invalid-argument", server: "t", fix: expect.stringContaining("mcp-source call") },
    ],
  });
});

it("calls a tool of the official server by its name", async () => {
  const everything = { command: process.execPath, args: [EVERYTHING, "stdio"] };
  const cwd = folderWith({ mcpServers: { everything } });
  const { code, stdout } = await runCli(["call", "everything_get-sum", "a=2", "b=3"], { cwd });
  expect(stdout).toBe("The sum of 2 and 3 is 5.\n");
  expect(code).toBe(0);
});
