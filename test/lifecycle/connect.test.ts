import { describe, expect, it, vi } from "vitest";
import { parseConfig } from "../../src/config/parse-config.ts";
import { connect } from "../../src/lifecycle/connect.ts";
import { disconnect } from "../../src/lifecycle/disconnect.ts";
import type { JsonObject } from "../../src/json.ts";
import type { Connected } from "../../src/lifecycle/records.ts";
import { memoryTransport } from "../../src/transport/memory.ts";
import type { OpenTransport } from "../../src/transport/transport.ts";
import { createPeer } from "../fixtures/peers/peer.mjs";
import { AGREED, counted, listing, scripted, silent } from "../support/memory-server.ts";
import { connected, unconnected } from "../support/results.ts";
import { fact } from "../support/until.ts";

const codesOf = (connection: Connected): readonly string[] =>
  connection.notes.map(({ code }) => code);

describe("a live connection", () => {
  it("says what the server is and what was agreed", async () => {
    const open = listing(["b", "a"], {
      initialize: () => ({ ...AGREED, protocolVersion: "2024-11-05", instructions: "Be kind." }),
    });
    const connection = connected(await connect({ name: "m", open }));
    expect(connection).toMatchObject({
      status: "connected",
      name: "m",
      era: "legacy",
      protocolVersion: "2024-11-05",
      sessionId: null,
      serverInfo: { name: "memory", version: "1" },
      capabilities: { tools: {} },
      instructions: "Be kind.",
    });
    expect(connection.tools.map((tool) => tool.name)).toEqual(["m_a", "m_b"]);
    expect(codesOf(connection)).toEqual([]);
  });

  it("prints without functions, and its session id is readable and never printed", async () => {
    const open: OpenTransport = async (inbound, options) => {
      const opened = await listing(["a"])(inbound, options);
      if (!opened.ok) return opened;
      const session = { sessionId: "sess-secret", lastEventId: null };
      return { ok: true, value: { ...opened.value, session: () => session } };
    };
    const connection = connected(await connect({ name: "m", open }));
    expect(connection.sessionId).toBe("sess-secret");
    expect(JSON.stringify(connection)).not.toContain("sess-secret");
  });

  it("hands every notification to its handlers from the first byte on (B08)", async () => {
    const seen: JsonObject[] = [];
    const open = memoryTransport(async (message, send) => {
      if (message["method"] === "initialize") {
        send({ jsonrpc: "2.0", method: "notifications/message", params: { data: "early" } });
      }
      const answer = scripted({ "tools/list": () => ({ tools: [] }) });
      return answer(message, send);
    });
    const fails = (): never => {
      throw new Error("mine");
    };
    const connection = connected(
      await connect(
        { name: "m", open },
        {
          onNotification: [
            ["notifications/message", fails],
            ["notifications/message", (message) => void seen.push(message)],
            ["notifications/other", fails],
          ],
        },
      ),
    );
    expect(seen).toEqual([
      { jsonrpc: "2.0", method: "notifications/message", params: { data: "early" } },
    ]);
    expect(codesOf(connection)).toEqual(["handler-threw"]);
  });

  it("notes a resolver that throws, and cancels the question (C097)", async () => {
    const peer = createPeer();
    const waitFor = (): never => {
      throw new Error("mine");
    };
    const open = memoryTransport(peer);
    const connection = connected(await connect({ name: "m", open }, { waitFor }));
    const ask = connection.tools.find(({ remoteName }) => remoteName === "ask");
    const result = await ask?.execute({ method: "elicitation/create", params: {} });
    expect(result?.structuredContent).toMatchObject({ reply: { result: { action: "cancel" } } });
    expect(connection.notes).toEqual([
      { code: "handler-threw", detail: "waitFor threw; what the server asked was cancelled" },
    ]);
  });

  it("keeps none of the notifications nobody handles (C194)", async () => {
    const open = memoryTransport((message, send) => {
      for (let i = 0; i < 500; i++) send({ jsonrpc: "2.0", method: "notifications/unheard-of" });
      return scripted({ "tools/list": () => ({ tools: [] }) })(message, send);
    });
    const connection = connected(await connect({ name: "m", open }));
    expect(connection.notes).toEqual([]);
    expect(JSON.stringify(connection)).not.toContain("unheard-of");
  });

  it("keeps each note once and no more than 200", async () => {
    const open = memoryTransport((message, send) => {
      for (let i = 0; i < 300; i++) send({ jsonrpc: "2.0", id: i + 1000, result: {} });
      if (message["method"] === "tools/list") {
        const tools = Array.from({ length: 500 }, (_, i) => ({ name: `t${i}` }));
        return { jsonrpc: "2.0", id: message["id"] ?? null, result: { tools } };
      }
      return scripted({})(message, send);
    });
    const connection = connected(await connect({ name: "m", open }));
    expect(connection.tools).toHaveLength(500);
    expect(connection.notes).toHaveLength(200);
    expect(codesOf(connection).filter((code) => code === "unmatched-answer")).toHaveLength(1);
  });
});

describe("what a server does that is no good reason to fail", () => {
  it.each<[string, Parameters<typeof listing>[1], string]>([
    [
      "leaves out what it is",
      { initialize: () => ({ protocolVersion: "2025-11-25" }) },
      "missing-server-info",
    ],
    [
      "repeats a cursor",
      { "tools/list": () => ({ tools: [], nextCursor: "x" }) },
      "repeated-cursor",
    ],
    [
      "lists a tool twice",
      { "tools/list": () => ({ tools: [{ name: "a" }, { name: "a" }] }) },
      "duplicate-tool",
    ],
    ["lists a tool without a name", { "tools/list": () => ({ tools: [{}] }) }, "dropped-tool"],
    ["lists what is no tool", { "tools/list": () => ({ tools: [5] }) }, "dropped-entry"],
  ])("%s", async (_, more, code) => {
    const connection = connected(await connect({ name: "m", open: listing(["a"], more) }));
    expect(codesOf(connection)).toContain(code);
  });

  it("has no tools at all, and says so by refusing the list", async () => {
    const initialize = (): JsonObject => ({ ...AGREED, capabilities: {} });
    const open = memoryTransport(scripted({ initialize }));
    const connection = connected(await connect({ name: "m", open }));
    expect(connection.tools).toEqual([]);
    expect(codesOf(connection)).toEqual(["no-tools"]);
  });

  it("refuses to hear that the handshake is done", async () => {
    const open = memoryTransport((message, send) => {
      if (message["method"] === "notifications/initialized") throw new Error("no");
      return scripted({ "tools/list": () => ({ tools: [] }) })(message, send);
    });
    expect(codesOf(connected(await connect({ name: "m", open })))).toEqual(["initialized-refused"]);
  });
});

describe("a connection that does not come about", () => {
  it("is closed in a hurry, and says how far it came and what was learned", async () => {
    const { open, counts } = counted(memoryTransport(scripted({})));
    const connection = unconnected(await connect({ name: "x", open }));
    expect(connection).toEqual({
      status: "failed",
      name: "x",
      phase: "tools/list",
      failure: { tag: "rpc-error", code: -32601, message: "Method not found" },
      message: 'mcp server "x" failed at tools/list: rpc-error (code -32601): Method not found',
      stderr: [],
      exitCode: null,
      serverInfo: { name: "memory", version: "1" },
      protocolVersion: "2025-11-25",
      notes: [],
    });
    expect(counts).toEqual({ opened: 1, closed: 1 });
  });

  it("is cancelled by the caller's signal, wherever it stands", async () => {
    for (const stage of ["server/discover", "initialize", "tools/list"]) {
      const controller = new AbortController();
      const reached = fact<void>();
      const { open, counts } = counted(
        listing(["a"], {
          [stage]: () => {
            reached.resolve();
            return new Promise(() => undefined);
          },
        }),
      );
      const connecting = connect({ name: "x", open }, { signal: controller.signal });
      await reached.promise;
      controller.abort();
      const connection = unconnected(await connecting);
      expect(connection.failure).toEqual({ tag: "cancelled" });
      expect(counts).toEqual({ opened: 1, closed: 1 });
    }
  });

  it("is not even opened after the signal has fired", async () => {
    const { open, counts } = counted(listing(["a"]));
    const connection = unconnected(
      await connect({ name: "x", open }, { signal: AbortSignal.abort() }),
    );
    expect(connection.failure).toEqual({ tag: "cancelled" });
    expect(counts).toEqual({ opened: 0, closed: 0 });
  });

  it("has 30 seconds when nothing else is said (C048, C117)", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
    try {
      const connecting = connect({ name: "x", open: silent() });
      const settled = vi.fn();
      void connecting.then(settled);
      await vi.advanceTimersByTimeAsync(29_900);
      expect(settled).not.toHaveBeenCalled();
      await vi.advanceTimersByTimeAsync(200);
      expect(unconnected(await connecting).message).toBe(
        'mcp server "x" failed at initialize: timeout (30000 ms)',
      );
    } finally {
      vi.useRealTimers();
    }
  });

  it.each<[unknown, string]>([
    [undefined, "the server is no object"],
    [{}, "the server has no name"],
    [{ name: 5 }, "the server has no name"],
  ])("for %j says what is wrong with the argument", async (server, detail) => {
    const connection = unconnected(await connect(server as never));
    expect(connection.failure).toEqual({ tag: "invalid-argument", detail });
    expect(connection.phase).toBe("config");
  });

  it("for a pinned version that nobody speaks says which there are", async () => {
    const server = { name: "x", open: silent() };
    const connection = unconnected(await connect(server, { protocolVersion: "2025-06-81" }));
    expect(connection.failure).toEqual({
      tag: "invalid-argument",
      detail:
        "options.protocolVersion is not one of " +
        "2024-11-05, 2025-03-26, 2025-06-18, 2025-11-25, 2026-07-28",
    });
  });

  it("for options of the wrong kind names the option", async () => {
    const server = { name: "x", open: silent() };
    const connection = unconnected(await connect(server, { onEvent: 5 as never }));
    expect(connection.failure).toEqual({
      tag: "invalid-argument",
      detail: "options.onEvent is not a function",
    });
  });
});

it("takes a server as parseConfig gives it, and one entry beside a name (C033)", async () => {
  const { servers } = parseConfig({ mcpServers: { m: { open: listing(["a"]), tools: ["a"] } } });
  const parsed = connected(await connect(servers[0]!));
  expect(parsed.tools.map((tool) => tool.name)).toEqual(["m_a"]);
  await disconnect(parsed);
  expect(await parsed.tools[0]!.execute()).toMatchObject({
    failure: { tag: "closed", by: "client" },
  });
  expect(await connect({ name: "off", open: silent(), enabled: false })).toEqual({
    status: "disabled",
    name: "off",
    notes: [],
  });
});
