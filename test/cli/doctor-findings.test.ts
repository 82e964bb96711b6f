import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { existsSync, readFileSync } from "node:fs";
import { expect, it, onTestFinished } from "vitest";
import { folderWith, runCli, server } from "./run-cli.ts";

const doctor = async (mcpServers: object, ...args: string[]) => {
  const cwd = folderWith({ mcpServers });
  return {
    cwd,
    ...(await runCli(["doctor", ...args], { cwd, env: { PEER_LOG: join(cwd, "log") } })),
  };
};

it("says where a command was looked for", async () => {
  const { code, stdout } = await doctor({ a: { command: "no-such-command" } });
  expect(stdout).toMatch(/error: mcp server "a" failed at connect: transport \(spawn-failed\)/);
  expect(stdout).toContain(`  looked in: ${process.env["PATH"]?.split(":")[0]}`);
  expect(stdout).toContain('  Fix: install no-such-command; or write its whole path as "command"');
  expect(code).toBe(4);
});

it("says which variable is missing, once, with its place", async () => {
  const { code, stdout } = await doctor({ a: { command: "x", env: { T: "${NO_SUCH_TOKEN}" } } });
  expect(stdout.match(/error:/g)).toHaveLength(1);
  expect(stdout).toMatch(/^mcp\.json:6:9: error: /m);
  expect(stdout).toContain("Fix: set it (export NO_SUCH_TOKEN=…)");
  expect(code).toBe(2);
});

it("says what a server asked for when it answered 401", async () => {
  const listening = createServer((_, response) =>
    response.writeHead(401, { "www-authenticate": 'Bearer realm="docs", scope="read"' }).end(),
  );
  await new Promise<void>((resolve) => listening.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void listening.close());
  const url = `http://127.0.0.1:${(listening.address() as AddressInfo).port}/mcp`;
  const { code, stdout } = await doctor({ a: { url } });
  expect(stdout).toContain('  the server asks for: Bearer realm="docs", scope="read"');
  expect(stdout).toContain('Fix: add "headers": {"Authorization": "Bearer ${TOKEN}"}');
  expect(code).toBe(3);
});

it("says with which exit code a server ended and what it wrote", async () => {
  const { code, stdout } = await doctor({ a: server("crash.mjs") });
  expect(stdout).toContain("peer-exited (status 3) [peer-eof]");
  expect(stdout).toContain("  stderr: the licence has expired\n");
  expect(stdout).toMatch(/Fix: mend what its stderr says\. Run it by hand: .*crash\.mjs/);
  expect(code).toBe(4);
});

it("does not show a command in which a credential stands", async () => {
  const args = ["-e", "process.exit(1)", "--", "--token", "sk-1234567890abcdef"];
  const { stdout } = await doctor({ a: { command: process.execPath, args } });
  expect(stdout).toContain("[plain-text-secret]");
  expect(stdout).not.toContain("sk-1234567890abcdef");
});

it("says how the time of a slow server went against its budget", async () => {
  const { code, stdout } = await doctor({ a: server("silent.mjs", { timeout: 1500 }) });
  expect(stdout).toContain("its budget is 1.50 s; it did not get further than initialize");
  expect(stdout).toMatch(/ {2}took \d+\.\d+ s/);
  expect(stdout).toContain('Fix: give it more time with "timeout": 60000 (milliseconds)');
  expect(code).toBe(4);
});

it("finds names that model providers refuse, filters that match nothing, and tools that meet", async () => {
  const { code, stdout } = await doctor(
    {
      "1st": server("tools.mjs", { tools: ["echo", "nothere"] }),
      evil: server("hostile.mjs"),
    },
    "--json",
  );
  const { findings, errors, ok } = JSON.parse(stdout);
  expect(
    findings.map(({ id, exposed }: { id: string; exposed?: string }) => [id, exposed]),
  ).toEqual([
    ["unmatched-filter", undefined],
    ["name-not-portable", "1st_echo"],
    ["name-too-long", expect.stringMatching(/^evil_long_/)],
  ]);
  for (const { fix } of findings) expect(fix).toEqual(expect.any(String));
  expect({ errors, ok, code }).toEqual({ errors: [], ok: true, code: 0 });
});

it("never calls a tool", async () => {
  const { code, cwd, stdout } = await doctor({
    a: server("tools.mjs", { env: { PEER_LOG: "${PEER_LOG}" } }),
  });
  expect(stdout).toContain("1 connected, 0 failed, 0 disabled; 7 tools; nothing found");
  expect(existsSync(join(cwd, "log")) && readFileSync(join(cwd, "log"), "utf8")).not.toContain(
    "tools/call",
  );
  expect(code).toBe(0);
});

it("gives the same report every time without --timings", async () => {
  const cwd = folderWith({ mcpServers: { a: server("crash.mjs"), b: server("tools.mjs") } });
  const first = await runCli(["doctor", "--json"], { cwd });
  expect((await runCli(["doctor", "--json"], { cwd })).stdout).toBe(first.stdout);
});
