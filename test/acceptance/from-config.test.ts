/**
 * The examples of `fromConfig`, each over a real process and a real socket where both can.
 */
import { describe, expect, it, onTestFinished } from "vitest";
import {
  disconnectAll,
  execute,
  fromConfig,
  makeAnswer,
  parseConfig,
  toolName,
} from "../../src/index.ts";
import type { Load, LoadOptions, Request } from "../../src/index.ts";
import { createPeer } from "../fixtures/peers/peer.mjs";
import { httpServerForTest, speaking } from "../support/http-server.ts";
import { REAL_LEGS, peerLog, stdioEntry } from "../support/legs.ts";
import type { Way } from "../support/legs.ts";
import { isRunning, untilGone } from "../support/processes.ts";
import { connected, connectionOf, objectIn, unconnected } from "../support/results.ts";
import { until } from "../support/until.ts";

async function load(config: string | object, options: LoadOptions = {}): Promise<Load> {
  const loaded = await fromConfig(config, options);
  onTestFinished(() => disconnectAll(loaded));
  return loaded;
}

async function started(way: Way): Promise<Awaited<ReturnType<Way["start"]>>> {
  const leg = await way.start();
  onTestFinished(() => leg.stop());
  return leg;
}

describe.each(REAL_LEGS)("over $kind", (way) => {
  it("a config as text is connected, and a tool called by its exposed name (from-config 1, C001, C021)", async () => {
    const { entry } = await started(way);
    const loaded = await load(JSON.stringify({ mcpServers: { docs: entry } }));
    expect(loaded.statuses).toEqual({ docs: "connected" });
    expect(loaded.tools.map((tool) => tool.name)).toContain("docs_alpha_stats");
    expect(toolName("docs", "alpha/stats")).toBe("docs_alpha_stats");
    expect(await execute(loaded, "docs_echo", { message: "suspension" })).toEqual({
      output: "Echo: suspension",
      isError: false,
      content: [{ type: "text", text: "Echo: suspension" }],
    });
  });

  it("one dead server does not sink the others (from-config 2, C024, C025, C140, C141, C142, C143)", async () => {
    const { entry } = await started(way);
    const loaded = await load({
      mcpServers: {
        live: { ...entry, timeout: 20_000 },
        dead: { url: "http://127.0.0.1:1/mcp", timeout: 20_000 },
        off: { ...entry, enabled: false },
      },
    });
    expect(loaded.statuses).toEqual({ live: "connected", dead: "failed", off: "disabled" });
    expect(loaded.tools).toHaveLength(16);
    expect(loaded.tools.every(({ server }) => server === "live")).toBe(true);
    expect(loaded.errors).toEqual({
      dead: 'mcp server "dead" failed at initialize: transport (connect-failed)',
    });
    expect(await execute(loaded, "live_echo", { message: "isolated" })).toMatchObject({
      output: "Echo: isolated",
    });
    const dead = unconnected(connectionOf(loaded, "dead"));
    expect(dead).toMatchObject({ phase: "initialize", failure: { tag: "transport" } });
    expect(dead.failure).toMatchObject({ reason: "connect-failed", code: "ECONNREFUSED" });
    expect(connectionOf(loaded, "off")).not.toHaveProperty("tools");
  });

  it("a server asks the user in the middle of a call, and the call goes on (from-config 3, C002, C026, C166)", async () => {
    const leg = await started(way);
    const asked: Request[] = [];
    const loaded = await load(
      { mcpServers: { forms: { ...leg.entry, timeout: 20_000 } } },
      {
        waitFor: (request) => {
          asked.push(request);
          return makeAnswer(request.id, true, { name: "Muthu" });
        },
      },
    );
    const requestedSchema = { type: "object", properties: { name: { type: "string" } } };
    const params = { message: "Who are you?", requestedSchema };
    const result = await execute(loaded, "forms_ask", { method: "elicitation/create", params });
    expect(result).toMatchObject({ isError: false });
    expect(result.structuredContent).toMatchObject({
      reply: { result: { action: "accept", content: { name: "Muthu" } } },
    });
    expect(asked.map(({ prompt, kind }) => [prompt, kind])).toEqual([["Who are you?", "input"]]);
    expect(leg.wire().filter((text) => text.includes('"tools/call"'))).toHaveLength(1);
    expect(capabilitiesIn(leg.wire())).toBe('{"elicitation":{"form":{},"url":{}}}');
  });

  it("without a resolver nothing is advertised, and a question is refused (C016, C027, C164, C172, C173)", async () => {
    const leg = await started(way);
    const loaded = await load({ mcpServers: { forms: leg.entry } });
    expect(capabilitiesIn(leg.wire())).toBe("{}");
    const params = { message: "Who are you?" };
    const result = await execute(loaded, "forms_ask", { method: "elicitation/create", params });
    expect(result.isError).toBe(false);
    const { reply } = objectIn(result.structuredContent);
    expect(reply).toEqual({
      jsonrpc: "2.0",
      id: "srv-77",
      error: { code: -32601, message: "Method not found" },
    });
  });

  it("every server hears that it may ask when there is a resolver (C015, C165)", async () => {
    const legs = [await started(way), await started(way)];
    const waitFor = ({ id }: Request): ReturnType<typeof makeAnswer> => makeAnswer(id, false);
    const mcpServers = Object.fromEntries(legs.map((leg, i) => [`s${i}`, leg.entry]));
    await load({ mcpServers }, { waitFor });
    for (const leg of legs) {
      expect(capabilitiesIn(leg.wire())).toBe('{"elicitation":{"form":{},"url":{}}}');
    }
  });

  it("one connection is ended and the other goes on (C033)", async () => {
    const legs = [await started(way), await started(way)];
    const loaded = await load({ mcpServers: { a: legs[0]!.entry, b: legs[1]!.entry } });
    await disconnectAll({ connections: [connectionOf(loaded, "a")] });
    expect(await execute(loaded, "a_echo", {})).toMatchObject({
      isError: true,
      failure: { tag: "closed", by: "client" },
      output: 'mcp server "a" failed at tools/call: closed (by client)',
    });
    expect(await execute(loaded, "b_echo", { message: "1" })).toMatchObject({ output: "Echo: 1" });
  });
});

/** The capabilities in the handshake of a wire, as their very text. */
function capabilitiesIn(wire: readonly string[]): string | undefined {
  const initialize = wire.find((text) => text.includes('"method":"initialize"')) ?? "";
  return /"capabilities":(\{.*?\}),"clientInfo"/.exec(initialize)?.[1];
}

describe("a broken command", () => {
  const node = (script: string): object => ({
    command: [process.execPath, "-e", script],
    timeout: 20_000,
  });

  it("says how far it got, what failed, the exit code and its last words (from-config 4, C028, C030, C110, C151)", async () => {
    const loaded = await load({
      mcpServers: { broken: node("console.error('typo.js: no such file'); process.exit(3)") },
    });
    const broken = unconnected(loaded.connections[0]);
    expect(broken).toMatchObject({
      status: "failed",
      phase: "initialize",
      failure: { tag: "peer-eof", exitCode: 3, signal: null },
      exitCode: 3,
      stderr: ["typo.js: no such file"],
    });
    expect(loaded.errors).toEqual({
      broken:
        'mcp server "broken" failed at initialize: peer-exited (status 3); stderr: typo.js: no such file',
    });
  });

  it("that is no program fails at connect (C111, C113, C152, C201)", async () => {
    const loaded = await load({ mcpServers: { gone: { command: "/no/such/program" } } });
    expect(unconnected(loaded.connections[0])).toMatchObject({
      phase: "connect",
      failure: { tag: "transport", reason: "spawn-failed", code: "ENOENT" },
      exitCode: null,
    });
    expect(loaded.errors["gone"]).toMatch(
      /^mcp server "gone" failed at connect: transport \(spawn-failed\): /,
    );
    expect(loaded.tools).toEqual([]);
  });

  it("killed by a signal has no exit code, and the signal's name (C028)", async () => {
    const loaded = await load({
      mcpServers: { shot: node("process.kill(process.pid, 'SIGKILL')") },
    });
    expect(unconnected(loaded.connections[0])).toMatchObject({
      failure: { tag: "peer-eof", exitCode: null, signal: "SIGKILL" },
      exitCode: null,
      message: 'mcp server "shot" failed at initialize: peer-exited (signal SIGKILL)',
    });
  });

  it("that closes its stdout and lives on is not said to be alive or dead (C029, C112)", async () => {
    const script = "require('fs').closeSync(1); setTimeout(() => {}, 60000)";
    const loaded = await load({ mcpServers: { mute: node(script) } });
    expect(unconnected(loaded.connections[0])).toMatchObject({
      failure: { tag: "peer-eof", exitCode: null, signal: null },
      message:
        'mcp server "mute" failed at initialize: peer-eof (stdout closed, exit status unknown)',
    });
  });

  it("has the last five lines of its stderr in its message, and up to 200 in its record (C110, C117)", async () => {
    // In one piece: what `console.error` could not hand over yet is lost when a process exits.
    const lines = "Array.from({ length: 300 }, (_, i) => `line ${i + 1}\\n`).join('')";
    const script = `require('fs').writeSync(2, ${lines}); process.exit(1)`;
    const loaded = await load({ mcpServers: { wordy: node(script) } });
    const wordy = unconnected(loaded.connections[0]);
    expect(wordy.message).toMatch(
      /\(status 1\); stderr: line 296 \| line 297 \| line 298 \| line 299 \| line 300$/,
    );
    expect(wordy.stderr).toHaveLength(200);
    expect(wordy.stderr.at(-1)).toBe("line 300");
  });
});

describe("a server that dies later", () => {
  it("after it listed gives calls a failure that names it and the call (C146, C187)", async () => {
    const log = peerLog();
    onTestFinished(() => log.remove());
    const loaded = await load({ mcpServers: { brief: stdioEntry({ PEER_LOG: log.path }) } });
    const [{ pid = 0 } = {}] = log.entries();
    const held = execute(loaded, "brief_hold");
    await until("the call is there", () =>
      log.entries().some(({ text }) => text?.includes('"hold"') === true),
    );
    process.kill(pid, "SIGKILL");
    expect(await held).toMatchObject({
      isError: true,
      output: 'mcp server "brief" failed at tools/call: peer-exited (signal SIGKILL)',
      failure: { tag: "peer-eof", signal: "SIGKILL", maybeExecuted: true },
    });
    expect(await execute(loaded, "brief_echo")).toMatchObject({
      failure: { tag: "peer-eof", maybeExecuted: false },
    });
    expect(await connected(loaded.connections[0]).closed).toMatchObject({
      failure: { tag: "peer-eof" },
      signal: "SIGKILL",
    });
    await disconnectAll(loaded);
    expect(await execute(loaded, "brief_echo")).toMatchObject({ failure: { tag: "closed" } });
    expect(isRunning(pid)).toBe(false);
  });

  it("over HTTP gives calls a failure, and closing it is still fine (C146, C181)", async () => {
    const server = await httpServerForTest(speaking(createPeer(), { sessionId: "sess-1" }));
    const loaded = await load({ mcpServers: { brief: { url: server.url } } });
    await server.close();
    // A socket that was kept may still be closing: the first call can end with it.
    expect(await execute(loaded, "brief_echo")).toMatchObject({ failure: { tag: "transport" } });
    await until("nobody listens any more", async () => {
      const { failure } = await execute(loaded, "brief_echo");
      return failure?.tag === "transport" && failure.reason === "connect-failed";
    });
    expect(await execute(loaded, "brief_echo")).toMatchObject({
      isError: true,
      output: 'mcp server "brief" failed at tools/call: transport (connect-failed)',
      failure: { tag: "transport", maybeExecuted: false },
    });
    await disconnectAll(loaded);
  });
});

describe("the spelling of a command", () => {
  it("as a list, and as a program with arguments, starts the same (C060, C188)", async () => {
    const { command, args, env } = stdioEntry();
    const spellings = {
      list: { command: [command, ...args], environment: env },
      both: { type: "local", command, args, env, cwd: "." },
      typed: { type: "stdio", command, args, env },
    };
    const loaded = await load({ mcpServers: spellings });
    expect(loaded.statuses).toEqual({ both: "connected", list: "connected", typed: "connected" });
    const { servers } = parseConfig({ mcpServers: spellings });
    for (const server of servers) expect(server.argv).toEqual([command, ...args]);
  });
});

it("reading a config touches no network and starts no process (C031)", async () => {
  const { createHook } = await import("node:async_hooks");
  const begun: string[] = [];
  const hook = createHook({ init: (_, type) => void begun.push(type) });
  const log = peerLog();
  onTestFinished(() => log.remove());
  const server = await httpServerForTest(speaking(createPeer()));
  const config = { mcpServers: { a: stdioEntry({ PEER_LOG: log.path }), b: { url: server.url } } };
  hook.enable();
  const texts = [parseConfig(config), parseConfig(JSON.stringify(config))];
  hook.disable();
  expect(texts.map(({ servers }) => servers.length)).toEqual([2, 2]);
  expect(begun.filter((type) => type !== "PROMISE")).toEqual([]);
  expect(log.entries()).toEqual([]);
  expect(server.seen).toEqual([]);
});

it("leaves no process behind, whatever was loaded (C022)", async () => {
  const logs = [peerLog(), peerLog()];
  onTestFinished(() => logs.forEach((log) => log.remove()));
  const [a, b] = logs.map((log) => stdioEntry({ PEER_LOG: log.path }));
  const loaded = await load({ mcpServers: { a, b: { ...b, tools: { echo: true } } } });
  const pids = logs.flatMap((log) =>
    log.entries().flatMap(({ pid }) => (pid === undefined ? [] : [pid])),
  );
  expect(pids.every(isRunning)).toBe(true);
  await disconnectAll(loaded);
  await disconnectAll(loaded);
  expect(pids.some(isRunning)).toBe(false);
  await untilGone(...pids);
});
