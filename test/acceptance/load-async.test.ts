/**
 * The two bounds of a load: each server's own time, and the caller's signal over everything.
 */
import { describe, expect, it, onTestFinished } from "vitest";
import { disconnectAll, fromConfig, inventory } from "../../src/index.ts";
import type { Load, LoadOptions } from "../../src/index.ts";
import { createPeer } from "../fixtures/peers/peer.mjs";
import { httpServerForTest, speaking } from "../support/http-server.ts";
import { peerLog, stdioEntry } from "../support/legs.ts";
import type { PeerLog } from "../support/legs.ts";
import { isRunning, untilGone } from "../support/processes.ts";
import { until } from "../support/until.ts";

/** Spawns well and never speaks. */
const SLEEP = { type: "local", command: ["sleep", "30"] };

async function load(mcpServers: object, options: LoadOptions = {}): Promise<Load> {
  const loaded = await fromConfig({ mcpServers }, options);
  onTestFinished(() => disconnectAll(loaded));
  return loaded;
}

/** A peer over stdio whose log tells its process id. */
function loggedPeer(env: Readonly<Record<string, string>> = {}): {
  readonly entry: object;
  readonly log: PeerLog;
  pids(): readonly number[];
} {
  const log = peerLog();
  onTestFinished(() => log.remove());
  return {
    entry: stdioEntry({ PEER_LOG: log.path, ...env }),
    log,
    pids: () => log.entries().flatMap(({ pid }) => (pid === undefined ? [] : [pid])),
  };
}

describe("without a signal", () => {
  it("a disabled server is disabled: no process, no request (LoadAsync 1, C017, C043)", async () => {
    const peer = loggedPeer();
    const server = await httpServerForTest(speaking(createPeer()));
    const config = {
      docs_demo: { type: "local", command: ["echo", "hi"], enabled: false },
      local: { ...peer.entry, disabled: true },
      remote: { url: server.url, enabled: false },
    };
    for (const options of [{}, { signal: new AbortController().signal }]) {
      const { statuses, errors } = await load(config, options);
      expect(statuses).toEqual({ docs_demo: "disabled", local: "disabled", remote: "disabled" });
      expect(errors).toEqual({});
    }
    expect(peer.log.entries()).toEqual([]);
    expect(server.seen).toEqual([]);
  });

  it("a hung process costs its own time and no more; the others live (LoadAsync 2, C040, C048, C150)", async () => {
    const started = performance.now();
    const { statuses, errors, tools } = await load({
      hung: { ...SLEEP, timeout: 300 },
      "hung-too": { ...SLEEP, timeout: 300 },
      live: stdioEntry(),
    });
    expect(performance.now() - started).toBeLessThan(15_000);
    expect(statuses).toEqual({ hung: "failed", "hung-too": "failed", live: "connected" });
    expect(errors).toEqual({
      hung: 'mcp server "hung" failed at initialize: timeout (300 ms)',
      "hung-too": 'mcp server "hung-too" failed at initialize: timeout (300 ms)',
    });
    expect(tools.length).toBeGreaterThan(0);
  });

  it("a hung HTTP server costs its own time and no more; the others live (LoadAsync 2, C040)", async () => {
    const hung = await httpServerForTest(() => undefined);
    const live = await httpServerForTest(speaking(createPeer()));
    const { statuses, errors } = await load({
      hung: { url: hung.url, timeout: 300 },
      live: { url: live.url },
    });
    expect(statuses).toEqual({ hung: "failed", live: "connected" });
    expect(errors).toEqual({ hung: 'mcp server "hung" failed at initialize: timeout (300 ms)' });
  });

  it("a server that never answers tools/list costs its own time (C177)", async () => {
    const server = await httpServerForTest(
      speaking((message, send) =>
        message["method"] === "tools/list"
          ? new Promise(() => undefined)
          : createPeer()(message, send),
      ),
    );
    const { errors } = await load({ x: { url: server.url, timeout: 400 } });
    expect(errors).toEqual({ x: 'mcp server "x" failed at tools/list: timeout (400 ms)' });
  });
});

describe("a signal that has fired", () => {
  it("leaves nothing spawned and nothing sent, though servers had time (LoadAsync 3, C041, C044)", async () => {
    const peer = loggedPeer();
    const server = await httpServerForTest(speaking(createPeer()));
    const config = {
      docs_demo: { ...SLEEP, timeout: 30_000 },
      local: peer.entry,
      remote: { url: server.url },
    };
    const signal = AbortSignal.abort();
    const loaded = await load(config, { signal });
    expect(loaded).toMatchObject({ failure: { tag: "cancelled" }, tools: [], connections: [] });
    expect(loaded.statuses).toEqual({});
    expect((await inventory({ mcpServers: config }, { signal })).failure).toEqual({
      tag: "cancelled",
    });
    expect(peer.log.entries()).toEqual([]);
    expect(server.seen).toEqual([]);
  });

  it("wins over a config of disabled servers only (C047)", async () => {
    const loaded = await load(
      { off: { ...SLEEP, enabled: false } },
      { signal: AbortSignal.abort() },
    );
    expect(loaded.failure).toEqual({ tag: "cancelled" });
  });
});

describe("a signal that fires meanwhile", () => {
  it.each([1, 8])(
    "is a deadline that beats longer server timeouts, %i at once (C042)",
    async (concurrency) => {
      const hung = await httpServerForTest(() => undefined);
      const started = performance.now();
      const loaded = await load(
        { a: { ...SLEEP, timeout: 30_000 }, b: { url: hung.url, timeout: 30_000 } },
        { signal: AbortSignal.timeout(200), concurrency },
      );
      expect(loaded.failure).toEqual({ tag: "cancelled" });
      expect(performance.now() - started).toBeLessThan(15_000);
    },
  );

  it.each([1, 8])(
    "leaves no child alive, no session open and nothing further started, %i at once (C041, C045, C046, C178)",
    async (concurrency) => {
      const connected = loggedPeer();
      const remote = await httpServerForTest(speaking(createPeer(), { sessionId: "sess-1" }));
      const hung = loggedPeer({ PEER_DELAYS: "0,0,60000" });
      const never = loggedPeer();
      const controller = new AbortController();
      const loading = load(
        {
          a: connected.entry,
          b: { url: remote.url },
          c: hung.entry,
          ...(concurrency === 1 ? { d: never.entry } : {}),
        },
        { signal: controller.signal, concurrency },
      );
      const listed = (): boolean =>
        [connected, hung].every(({ log }) =>
          log.entries().some(({ text }) => text?.includes('"tools/list"') === true),
        );
      const hasSession = (): boolean =>
        remote.seen.some(({ message }) => message["method"] === "tools/list");
      await until("everything is up to its last list", () => listed() && hasSession());
      const pids = [...connected.pids(), ...hung.pids()];
      expect(pids).toHaveLength(2);
      expect(pids.every(isRunning)).toBe(true);
      controller.abort();
      const loaded = await loading;
      expect(loaded).toMatchObject({ failure: { tag: "cancelled" }, tools: [], connections: [] });
      expect(pids.some(isRunning)).toBe(false);
      const ends = remote.seen.filter(({ method }) => method === "DELETE");
      expect(ends.map(({ headers }) => headers["mcp-session-id"])).toEqual(["sess-1"]);
      expect(never.log.entries()).toEqual([]);
    },
  );

  it("after the load changes nothing: live connections stay (C049)", async () => {
    const controller = new AbortController();
    const server = await httpServerForTest(speaking(createPeer(), { sessionId: "sess-1" }));
    const loaded = await load(
      { local: stdioEntry(), remote: { url: server.url } },
      { signal: controller.signal },
    );
    controller.abort();
    for (const tool of loaded.tools.filter(({ remoteName }) => remoteName === "echo")) {
      expect(await tool.execute({ message: "hi" })).toMatchObject({ output: "Echo: hi" });
    }
  });
});

describe("a child", () => {
  it("outlives the time it had for connecting, and is gone after the close (C022, C179, C218)", async () => {
    const peer = loggedPeer();
    const loaded = await load({ a: { ...peer.entry, timeout: 3000 } });
    const [pid = 0] = peer.pids();
    await new Promise((resolve) => setTimeout(resolve, 3100));
    expect(isRunning(pid)).toBe(true);
    const echo = loaded.tools.find(({ remoteName }) => remoteName === "echo");
    expect(await echo?.execute({ message: "hi" })).toMatchObject({ output: "Echo: hi" });
    await disconnectAll(loaded);
    expect(isRunning(pid)).toBe(false);
    await disconnectAll(loaded);
    await untilGone(pid);
  });

  it("of an inventory is gone when that returns (C070)", async () => {
    const peer = loggedPeer();
    const found = await inventory({ mcpServers: { a: peer.entry } });
    expect(found.tools["a"]?.length).toBeGreaterThan(0);
    expect(peer.pids().some(isRunning)).toBe(false);
  });
});
