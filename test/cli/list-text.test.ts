import { expect, it } from "vitest";
import { folderWith, runCli, runInTerminal, server } from "./run-cli.ts";

it("shows the tools in their order, the status of every server, and exits 0", async () => {
  const cwd = folderWith({
    mcpServers: {
      zoo: server("tools.mjs", { tools: ["echo", "fail"] }),
      off: { command: "never-run", disabled: true },
    },
  });
  const { code, stdout, stderr } = await runCli(["list"], { cwd });
  expect(stdout).toBe(
    [
      "TOOL      SERVER  DESCRIPTION",
      "zoo_echo  zoo     Says its arguments.",
      "zoo_fail  zoo     Answers with an error.",
      "",
      "SERVER  STATUS     TOOLS  DETAIL",
      "off     disabled",
      "zoo     connected  2      fixture 1.0.0, MCP 2025-11-25",
      "",
    ].join("\n"),
  );
  expect(stderr).toBe("Using mcp.json\n");
  expect(code).toBe(0);
});

it("shows the tools of the living and says why a server failed, with exit code 4", async () => {
  const cwd = folderWith({ mcpServers: { a: server("crash.mjs"), b: server("tools.mjs") } });
  const { code, stdout, stderr } = await runCli(["list", "-c", "mcp.json"], { cwd });
  expect(stdout).toContain("b_echo");
  expect(stdout).toMatch(/^a +failed +initialize: peer-exited \(status 3\)$/m);
  expect(stderr).toBe(
    'error: mcp server "a" failed at initialize: peer-exited (status 3); stderr: the licence has expired\n' +
      "What to do about it: mcp-source doctor -c mcp.json\n",
  );
  expect(code).toBe(4);
  expect((await runCli(["list", "--exit-zero"], { cwd })).code).toBe(0);
});

it("loads only the servers it is asked for", async () => {
  const cwd = folderWith({ mcpServers: { a: server("crash.mjs"), b: server("tools.mjs") } });
  const { code, stdout } = await runCli(["list", "b"], { cwd });
  expect(code).toBe(0);
  expect(stdout).not.toMatch(/^a /m);
});

it("shows nothing a terminal acts on, whatever a server says", async () => {
  const cwd = folderWith({ mcpServers: { evil: server("hostile.mjs") } });
  const { stdout } = await runCli(["list"], { cwd });
  expect(stdout).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e\u{e0000}-\u{e007f}]/u);
  expect(stdout).toContain("\\u{1b}]0;owned\\u{7}");
});

it("says on a terminal what it is at, and takes that away again", async () => {
  const cwd = folderWith({ mcpServers: { b: server("tools.mjs") } });
  const { code, stdout } = await runInTerminal(["list"], [], { cwd });
  expect(stdout).toContain("Connecting to b (1 of 1) …\r\u001b[2K");
  expect(stdout).toContain("\u001b[32mconnected\u001b[0m");
  expect(code).toBe(0);
});

it.each([
  ["in CI", ["list"], { CI: "true" }],
  ["with -q", ["list", "-q"], {}],
  ["on a dumb terminal", ["list"], { TERM: "dumb" }],
])("has no passing line on a terminal %s", async (_, args, env) => {
  const cwd = folderWith({ mcpServers: { b: server("tools.mjs") } });
  const { stdout } = await runInTerminal([...args], [], { cwd, env });
  expect(stdout).not.toContain("Connecting");
});

it("has no colour on a terminal with NO_COLOR, and has it in a pipe with FORCE_COLOR", async () => {
  const cwd = folderWith({ mcpServers: { b: server("tools.mjs") } });
  const without = await runInTerminal(["list", "-q"], [], { cwd, env: { NO_COLOR: "1" } });
  expect(without.stdout).not.toContain("\u001b[");
  const forced = await runCli(["list"], { cwd, env: { FORCE_COLOR: "1" } });
  expect(forced.stdout).toContain("\u001b[32mconnected");
});

it("says which tools met on one name", async () => {
  const cwd = folderWith({ mcpServers: { evil: server("namesakes.mjs") } });
  const { code, stdout, stderr } = await runCli(["list", "-q"], { cwd });
  expect(stdout).toMatch(/^evil_log_all +evil .*\nevil_log_all_[0-9a-f]{8} +evil /m);
  expect(stderr).toMatch(
    /^warning: several tools want the name "evil_log_all" \(replaced\): "log_all" of "evil" has it; "log\.all" of "evil" is called evil_log_all_[0-9a-f]{8}\n$/,
  );
  expect(code).toBe(0);
});
