/**
 * Servers over stdio: what they are given, which of their tools are shown, how they end.
 */
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { disconnect, disconnectAll, fromConfig, inventory } from "../../src/index.ts";
import type { LoadOptions } from "../../src/index.ts";
import { stdioEntry } from "../support/legs.ts";
import { connected, unconnected } from "../support/results.ts";

describe("the tools of a real server", () => {
  it.each([
    [{ echo: true, fails: true, gone: true }, ["srv_echo", "srv_fails"]],
    [{ "alpha/stats": false, ask: false }, undefined],
    [undefined, undefined],
  ])("are filtered by %j (C175)", async (tools, names) => {
    const load = await fromConfig({ mcpServers: { srv: { ...stdioEntry(), tools } } });
    onTestFinished(() => disconnectAll(load));
    const shown = load.tools.map((tool) => tool.name);
    if (names !== undefined) expect(shown).toEqual(names);
    else expect(shown).toHaveLength(tools === undefined ? 16 : 14);
  });

  it("are inventoried unfiltered, by original names, beside a script that is broken (C176)", async () => {
    const found = await inventory({
      mcpServers: {
        bad: { command: [process.execPath, "no-such-script.mjs"] },
        srv: { ...stdioEntry(), tools: { echo: true } },
      },
    });
    expect(found.statuses).toEqual({ bad: "failed", srv: "connected" });
    expect(found.tools["srv"]?.map((tool) => tool.name)).toContain("alpha/stats");
    expect(found.tools["srv"]).toHaveLength(16);
    expect(found.errors["bad"]).toMatch(
      /^mcp server "bad" failed at initialize: peer-exited \(status 1\); stderr: /,
    );
  });
});

describe("a child", () => {
  /** What a child says of itself on stderr before it exits. */
  async function said(entry: object, options: LoadOptions = {}): Promise<readonly string[]> {
    const script =
      "const { env, argv } = process;" +
      "const said = JSON.stringify([env.GIVEN, env.OTHER, env.HOME, process.cwd(), argv.slice(1)]);" +
      "require('fs').writeSync(2, said + '\\n'); process.exit(1)";
    const server = { command: process.execPath, args: ["-e", script, "--"], ...entry };
    const args = [...server.args, ...("more" in entry ? (entry.more as string[]) : [])];
    const load = await fromConfig({ mcpServers: { x: { ...server, args } } }, options);
    const { stderr, failure } = unconnected(load.connections[0]);
    const last = stderr.at(-1);
    return last === undefined ? [JSON.stringify(failure)] : (JSON.parse(last) as string[]);
  }

  it("has its variables, the safe part of the parent's, and its folder (C200)", async () => {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), "mcp-source-")));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const env = { HOME: "/home/of-parent", OTHER: "not inherited" };
    const entry = { env: { GIVEN: "given" }, cwd: folder };
    expect(await said(entry, { env: { ...process.env, ...env } })).toEqual([
      "given",
      null,
      "/home/of-parent",
      folder,
      [],
    ]);
  });

  it("has its arguments expanded by names only, everything else as written (C212)", async () => {
    const more = ["${A}", "${A:-d}", "${GONE:-d}", "${1X}", "$A", "$HOME", "a${A}b"];
    const [, , , , args] = await said({ more }, { env: { ...process.env, A: "v" } });
    expect(args).toEqual(["v", "v", "d", "${1X}", "$A", "$HOME", "avb"]);
  });

  it("is not started for a variable that is empty or not there (C213)", async () => {
    for (const env of [{ A: "" }, {}]) {
      const load = await fromConfig(
        { mcpServers: { x: { command: "never-started", args: ["${A}"] } } },
        { env },
      );
      const { phase, failure } = unconnected(load.connections[0]);
      expect([phase, failure.tag]).toEqual(["config", "config"]);
      expect(load.errors["x"]).toContain("A");
    }
  });

  it("is asked to end by the end of its stdin, and may end by itself (C197)", async () => {
    const load = await fromConfig({ mcpServers: { x: stdioEntry() } });
    const connection = connected(load.connections[0]);
    await disconnect(connection);
    expect(await connection.closed).toMatchObject({ failure: null, exitCode: 0, signal: null });
  });
});
