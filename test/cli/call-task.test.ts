import { expect, it } from "vitest";
import { everything, folderWith, garden, runCli, runInTerminal } from "./run-cli.ts";

const folder = (): string => folderWith({ mcpServers: { everything, garden } });
const research = ["call", "everything_simulate-research-query", "topic=tides"];

it("follows a task to its result, and says on a terminal how far it is", async () => {
  const { code, stdout } = await runInTerminal([...research, "--task"], [], { cwd: folder() });
  expect(stdout).toContain("Calling everything_simulate-research-query: working, Gathering");
  expect(stdout).toContain("# Research Report: tides\r\n");
  expect(code).toBe(0);
});

it("answers what a task asks from --answers", async () => {
  const answers = '[{"ok":true,"data":{"interpretation":"technical"}}]';
  const args = [...research, "ambiguous=true", "--task", "--answers", answers, "--json"];
  const { code, stdout } = await runCli(args, { cwd: folder() });
  const { result } = JSON.parse(stdout);
  expect(result.isError).toBe(false);
  expect(result.output).toContain("# Research Report: tides (technical)");
  expect(code).toBe(0);
});

it("calls a tool plainly that is not to be called as a task", async () => {
  const old = await runCli(["call", "everything_echo", "message=hi", "--task"], { cwd: folder() });
  expect(old).toMatchObject({ code: 0, stdout: "Echo: hi\n" });
  const modern = await runCli(["call", "garden_say", "text=hi", "--task"], { cwd: folder() });
  expect(modern).toMatchObject({ code: 0, stdout: "hi\n" });
  const failing = await runCli(["call", "garden_wilt", "--task"], { cwd: folder() });
  expect(failing).toMatchObject({ code: 5, stdout: "it wilted\n" });
});

it("gives up a task when --timeout is over", async () => {
  const args = [...research, "--task", "--timeout", "1200", "--json"];
  const { code, stdout } = await runCli(args, { cwd: folder() });
  expect(JSON.parse(stdout).errors).toMatchObject([{ tag: "timeout", phase: "tools/call" }]);
  expect(code).toBe(4);
});
