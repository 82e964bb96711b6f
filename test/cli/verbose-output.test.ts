import { expect, it } from "vitest";
import { folderWith, runCli, server } from "./run-cli.ts";

it("streams what servers write to stderr, each line with its server, and says what is started", async () => {
  const cwd = folderWith({ mcpServers: { a: server("crash.mjs"), b: server("tools.mjs") } });
  const { stdout, stderr } = await runCli(["list", "-v", "--json"], { cwd });
  // A process that ends during the probe is started once more, so its line may stand there twice.
  expect([...new Set(stderr.split("\n"))]).toEqual([
    `[a] starting ${process.execPath}`,
    "[a] the licence has expired",
    `[b] starting ${process.execPath}`,
    "",
  ]);
  expect(JSON.parse(stdout).summary.servers.connected).toBe(1);
});

it("says with --timings how long each phase took", async () => {
  const cwd = folderWith({ mcpServers: { b: server("tools.mjs") } });
  const { stdout } = await runCli(["list", "--timings", "--json"], { cwd });
  expect(Object.keys(JSON.parse(stdout).servers[0].phasesMs)).toEqual([
    "connect",
    "initialize",
    "tools/list",
  ]);
});
