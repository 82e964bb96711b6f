import { createServer } from "node:http";
import type { RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { folderWith, runCli, server, writeConfig } from "./run-cli.ts";

async function http(answer: RequestListener): Promise<string> {
  const listening = createServer(answer);
  await new Promise<void>((resolve) => listening.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void listening.close());
  return `http://127.0.0.1:${(listening.address() as AddressInfo).port}/mcp`;
}

it("exits 3 when a server asks for credentials, whatever else failed", async () => {
  const url = await http((_, response) => response.writeHead(401).end());
  const cwd = folderWith({ mcpServers: { a: { url }, b: server("crash.mjs") } });
  expect((await runCli(["list"], { cwd })).code).toBe(3);
});

it("exits 2 when a server's variable is missing, and loads the others", async () => {
  const headers = { Authorization: "Bearer ${NO_SUCH_TOKEN}" };
  const cwd = folderWith({
    mcpServers: { a: { url: "http://127.0.0.1:1/", headers }, b: server("tools.mjs") },
  });
  const { code, stdout, stderr } = await runCli(["list"], { cwd });
  expect(stderr).toContain("NO_SUCH_TOKEN, which is not set");
  expect(stdout).toContain("b_echo");
  expect(code).toBe(2);
});

it("says where the JSON is broken, and how to go on", async () => {
  const cwd = folderWith('{\n  "mcpServers": {,}\n}');
  const { code, stdout, stderr } = await runCli(["list"], { cwd });
  expect(stderr).toMatch(/^error: mcp\.json:2:\d+: .+\n {2}Fix: /m);
  expect(stdout).toBe("");
  expect(code).toBe(2);
});

it("says where it looked when there is no config", async () => {
  const { code, stdout, stderr } = await runCli(["list"], { cwd: folderWith(undefined) });
  expect(stderr).toContain("mcp.json, .mcp.json, .vscode/mcp.json, .cursor/mcp.json");
  expect(stdout).toBe("");
  expect(code).toBe(2);
});

it("takes the first of the usual places, and says which it did not read", async () => {
  const cwd = folderWith({ servers: { b: server("tools.mjs") } }, ".vscode/mcp.json");
  writeConfig(cwd, ".cursor/mcp.json", { mcpServers: {} });
  const { code, stderr } = await runCli(["list"], { cwd });
  expect(stderr).toContain("Using .vscode/mcp.json; not read: .cursor/mcp.json");
  expect(code).toBe(0);
});

it("asks before it starts anything whether a server of that name exists", async () => {
  const cwd = folderWith({ mcpServers: { docs: server("crash.mjs") } });
  const { code, stderr } = await runCli(["list", "dosc"], { cwd });
  expect(stderr).toContain('the config has no server "dosc"; did you mean "docs"?');
  expect(stderr).not.toContain("licence");
  expect(code).toBe(2);
});
