import { expect, it } from "vitest";
import { folderWith, runCli, server } from "./run-cli.ts";

it("is one document with sorted keys: servers, tools, findings, errors", async () => {
  const cwd = folderWith({
    mcpServers: {
      b: server("tools.mjs", { tools: { echo: true, nothere: true }, timeout: 20_000, oops: 1 }),
      a: server("crash.mjs"),
      off: { command: "never-run", disabled: true },
    },
  });
  const { code, stdout, stderr } = await runCli(["list", "--json"], { cwd });
  const report = JSON.parse(stdout);
  expect(stdout.endsWith("}\n")).toBe(true);
  expect(stdout.trimEnd()).not.toContain("\n");
  expect(Object.keys(report)).toEqual(Object.keys(report).sort());
  expect(report).toMatchObject({
    mcpSourceReport: 1,
    command: "list",
    ok: false,
    exitCode: 4,
    summary: {
      servers: { connected: 1, failed: 1, disabled: 1 },
      tools: 1,
      findings: { error: 0, warning: 1, info: 0 },
    },
    servers: [
      { name: "a", status: "failed" },
      {
        name: "b",
        status: "connected",
        era: "legacy",
        protocolVersion: "2025-11-25",
        serverInfo: { name: "fixture", version: "1.0.0" },
        toolCount: 1,
      },
      { name: "off", status: "disabled" },
    ],
    tools: [{ name: "b_echo", server: "b", remoteName: "echo", description: expect.any(String) }],
    collisions: [],
    findings: [
      {
        id: "unknown-key",
        severity: "warning",
        server: "b",
        pointer: "/mcpServers/b/oops",
        location: { file: "mcp.json", line: expect.any(Number), column: expect.any(Number) },
        fix: expect.any(String),
      },
    ],
    errors: [
      {
        server: "a",
        tag: "peer-eof",
        phase: "initialize",
        stderrTail: ["the licence has expired"],
        failure: { tag: "peer-eof", exitCode: 3, signal: null },
      },
    ],
  });
  expect(stderr).toBe("");
  expect(code).toBe(4);
});

it("gives the same bytes every time, in any locale and time zone", async () => {
  const cwd = folderWith({ mcpServers: { b: server("tools.mjs"), a: server("crash.mjs") } });
  const first = await runCli(["list", "--json"], { cwd });
  const second = await runCli(["list", "--json"], {
    cwd,
    env: { LC_ALL: "da_DK.UTF-8", TZ: "Asia/Tokyo" },
  });
  expect(second.stdout).toBe(first.stdout);
  expect(first.stdout).not.toMatch(/Ms"|elapsed|duration/);
});

it("has durations with --timings only", async () => {
  const cwd = folderWith({ mcpServers: { b: server("tools.mjs") } });
  const { stdout } = await runCli(["list", "--json", "--timings"], { cwd });
  expect(JSON.parse(stdout).servers[0].totalMs).toBeGreaterThan(0);
});

it.each([
  ["no config", undefined, ["list"], 2, "config"],
  ["no such file", undefined, ["list", "-c", "none.json"], 2, "config"],
  ["broken JSON", "{", ["list"], 2, "config"],
  ["an unknown server", { mcpServers: {} }, ["list", "nope"], 2, "usage"],
  ["an unknown option", { mcpServers: {} }, ["list", "--nope"], 2, "usage"],
])("is one document also with %s", async (_, config, args, code, tag) => {
  const cwd = folderWith(config);
  const ended = await runCli([...args, "--json"], { cwd });
  expect(JSON.parse(ended.stdout)).toMatchObject({
    command: "list",
    ok: false,
    exitCode: code,
    servers: [],
    tools: [],
    errors: [{ tag }],
  });
  expect(ended.stderr).toBe("");
  expect(ended.code).toBe(code);
});

it("is one document also when there is nothing to list", async () => {
  const { code, stdout } = await runCli(["list", "--json"], {
    cwd: folderWith({ mcpServers: {} }),
  });
  expect(JSON.parse(stdout)).toMatchObject({ ok: true, servers: [], tools: [], errors: [] });
  expect(code).toBe(0);
});

it("says the exit code it gives under --exit-zero", async () => {
  const cwd = folderWith({ mcpServers: { a: server("crash.mjs") } });
  const { code, stdout } = await runCli(["list", "--json", "--exit-zero"], { cwd });
  expect(JSON.parse(stdout)).toMatchObject({ ok: false, exitCode: 0 });
  expect(code).toBe(0);
});
