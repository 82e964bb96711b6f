import { expect, it } from "vitest";
import { everything, folderWith, garden, runCli } from "./run-cli.ts";

const entry = { ...garden, era: "legacy" };
const versionOf = async (...args: readonly string[]): Promise<unknown> => {
  const cwd = folderWith({ mcpServers: { garden: entry } });
  const { stdout } = await runCli([...args, "--json"], { cwd });
  const [{ era, protocolVersion }] = JSON.parse(stdout).servers;
  return [era, protocolVersion];
};

it("speaks as the config says without --era", async () => {
  expect(await versionOf("list")).toEqual(["legacy", "2025-11-25"]);
});

it.each([
  ["list"],
  ["doctor"],
  ["prompts"],
  ["resources"],
  ["call", "garden_which-era"],
  ["prompt", "describe", "plant=bay"],
  ["read", "garden://bed/1"],
  ["complete", "describe", "plant", ""],
])("speaks as --era says in %s", async (...args) => {
  expect(await versionOf(...args, "--era", "modern")).toEqual(["modern", "2026-07-28"]);
});

it("finds out with --era auto, and keeps to the older era with legacy", async () => {
  expect(await versionOf("list", "--era", "auto")).toEqual(["modern", "2026-07-28"]);
  expect(await versionOf("list", "--era", "legacy")).toEqual(["legacy", "2025-11-25"]);
});

it("fails a server that does not speak the era", async () => {
  const cwd = folderWith({ mcpServers: { everything } });
  const { code, stdout } = await runCli(["list", "--era", "modern", "--json"], { cwd });
  expect(JSON.parse(stdout).errors).toMatchObject([{ server: "everything", phase: "initialize" }]);
  expect(code).toBe(4);
});
