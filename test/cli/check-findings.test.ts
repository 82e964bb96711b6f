import { expect, it } from "vitest";
import { fixture, folderWith, runCli, writeConfig } from "./run-cli.ts";

it("says of each finding the place, the cause and the way out, and exits 1", async () => {
  const cwd = folderWith(`{
  "mcpServers": {
    "docs": {
      "url": "https://example.com/mcp",
      "headers": { "Authorization": "Bearer \${DOCS_TOKEN}" }
    },
    "git": { "comand": "git-mcp" }
  }
}`);
  const { code, stdout, stderr } = await runCli(["check"], { cwd });
  expect(stdout).toBe(
    [
      "mcp.json:5:20: error: /mcpServers/docs/headers/Authorization needs environment variable DOCS_TOKEN, which is not set [undefined-variable]",
      "  Fix: set it (export DOCS_TOKEN=…), or give it a default: ${DOCS_TOKEN:-…}",
      "mcp.json:7:5: error: the server has neither command nor url [missing-command-or-url]",
      "  at /mcpServers/git",
      '  Fix: add "command" for a local server, or "url" for a remote one',
      'mcp.json:7:14: warning: "comand" is not a known member; did you mean "command"? [unknown-key]',
      "  at /mcpServers/git/comand",
      '  Fix: write "command"',
      "mcp.json: 2 servers, 2 errors, 1 warning",
      "",
    ].join("\n"),
  );
  expect(stderr).toBe("Using mcp.json\n");
  expect(code).toBe(1);
});

it("finds credentials, placeholders and names that meet, and gates on them with --strict", async () => {
  const cwd = folderWith({
    mcpServers: {
      "a.b": { command: "x", env: { API_KEY: "sk-1234567890" } },
      "a b": { command: "x", env: { OTHER_TOKEN: "YOUR_TOKEN_HERE" } },
    },
  });
  const relaxed = await runCli(["check", "--json"], { cwd });
  const ids = JSON.parse(relaxed.stdout).findings.map(({ id }: { id: string }) => id);
  expect(ids).toEqual(["name-collision", "plain-text-secret", "placeholder-value"]);
  expect(relaxed.stdout).not.toContain("sk-1234567890");
  expect(relaxed.code).toBe(0);
  expect((await runCli(["check", "--strict"], { cwd })).code).toBe(1);
});

it("starts nothing", async () => {
  const cwd = folderWith({
    mcpServers: { a: { command: process.execPath, args: [fixture("crash.mjs")] } },
  });
  const { code, stdout } = await runCli(["check"], { cwd });
  expect(stdout).toBe("mcp.json: 1 server, nothing found\n");
  expect(code).toBe(0);
});

it("checks several files, and exits 2 when one of them cannot be read", async () => {
  const cwd = folderWith({ mcpServers: {} }, "a.json");
  writeConfig(cwd, "b.json", { mcpServers: { x: {} } });
  const { code, stdout, stderr } = await runCli(["check", "a.json", "-c", "b.json", "none.json"], {
    cwd,
  });
  expect(stdout).toContain("a.json: 0 servers, 1 warning");
  expect(stdout).toContain("b.json: 1 server, 1 error");
  expect(stderr).toContain("cannot read none.json: there is no such file");
  expect(code).toBe(2);
});

it("names files relative to the current folder, however they were given", async () => {
  const cwd = folderWith({ mcpServers: { x: {} } });
  const { stdout } = await runCli(["check", `${cwd}/mcp.json`, "--json"], { cwd });
  expect(JSON.parse(stdout)).toMatchObject({
    command: "check",
    files: [{ file: "mcp.json", servers: ["x"] }],
    findings: [{ location: { file: "mcp.json", line: 3 } }],
  });
  expect(stdout).not.toContain(cwd);
});
