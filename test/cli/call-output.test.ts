import { expect, it } from "vitest";
import { folderWith, runCli, runInTerminal, server } from "./run-cli.ts";

const folder = (): string => folderWith({ mcpServers: { t: server("tools.mjs") } });
const SAID = "\u001b[31mred\u001b[0m\tend\n  ::set-output name=x::y\nlast ##[add-path]/tmp";

it("gives a pipe the text as the tool said it", async () => {
  expect((await runCli(["call", "t_lines"], { cwd: folder() })).stdout).toBe(`${SAID}\n`);
});

it("gives a terminal nothing to act on", async () => {
  const { stdout } = await runInTerminal(["call", "t_lines", "-q", "--color", "never"], [], {
    cwd: folder(),
  });
  expect(stdout).toContain("\\u{1b}[31mred\\u{1b}[0m\tend\r\n");
  expect(stdout).not.toContain("\u001b[31m");
});

it("gives a GitHub Actions runner no command", async () => {
  const env = { GITHUB_ACTIONS: "true" };
  const { stdout } = await runCli(["call", "t_lines"], { cwd: folder(), env });
  expect(stdout).toContain("\n  \\u{3a}:set-output");
  expect(stdout).not.toContain("##[");
  const json = await runCli(["call", "t_lines", "--json"], { cwd: folder(), env });
  expect(json.stdout).not.toContain("##[");
  expect(JSON.parse(json.stdout).result.output).toBe(SAID);
});

it("shows on a terminal how far a call is", async () => {
  const { stdout } = await runInTerminal(["call", "t_progress"], [], { cwd: folder() });
  expect(stdout).toContain("Calling t_progress: 1 of 2, half\r\u001b[2Kdone\r\n");
});
