import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { parseConfig } from "../../src/config/parse-config.ts";
import { fromConfig } from "../../src/lifecycle/from-config.ts";
import type { Load, LoadEvent, Phase } from "../../src/lifecycle/records.ts";
import { toolName } from "../../src/naming/names.ts";
import { compareCodePoints } from "../../src/order.ts";
import type { OpenTransport } from "../../src/transport/transport.ts";
import { anyName, crowdedName, safeName } from "../support/arbitraries.ts";
import { counted, listing, silent } from "../support/memory-server.ts";
import { connected, connectionOf, unconnected } from "../support/results.ts";
import { fact } from "../support/until.ts";

/** A config as an object, whatever its servers are called. */
function configOf(servers: readonly (readonly [string, unknown])[]): object {
  return { mcpServers: Object.fromEntries(servers) };
}

/** What of a load must not depend on anything but the config and the answers. */
function outcomeOf(load: Load): string {
  return JSON.stringify([load.tools, load.statuses, load.errors, load.collisions]);
}

describe("a config as text and as an object", () => {
  const config = {
    mcpServers: { bad: {}, worse: { command: 5 }, off: { command: "x", disabled: true } },
  };

  it("reads as the same servers and loads to the same result (C001)", async () => {
    const text = JSON.stringify(config);
    expect(parseConfig(text).servers).toEqual(parseConfig(config).servers);
    const loads = await Promise.all([
      fromConfig(text),
      fromConfig(config),
      fromConfig(parseConfig(config)),
    ]);
    expect(new Set(loads.map(outcomeOf)).size).toBe(1);
    expect(loads[0].statuses).toEqual({ bad: "failed", off: "disabled", worse: "failed" });
  });

  it("gives a load of seven members (C003)", async () => {
    const members = [
      "collisions",
      "connections",
      "diagnostics",
      "errors",
      "failure",
      "statuses",
      "tools",
    ];
    for (const load of [await fromConfig(config), await fromConfig("{"), await fromConfig({})]) {
      expect(Object.keys(load).sort()).toEqual(members);
    }
  });

  it.each([
    ["{", "syntax"],
    ["", "syntax"],
    ["[1]", undefined],
  ])("that holds no server map is one failure: %j (C013)", async (text, code) => {
    const load = await fromConfig(text);
    expect(load).toMatchObject({ failure: { tag: "config" }, tools: [], connections: [] });
    if (code !== undefined) expect(load.failure).toMatchObject({ code });
    expect(load.diagnostics.length).toBeGreaterThan(0);
  });

  it("without a single server is an empty load (C061)", async () => {
    const load = await fromConfig({ mcpServers: {} });
    expect(load).toMatchObject({ failure: null, tools: [], statuses: {}, errors: {} });
  });
});

describe("every configured server", () => {
  const anyServer = (): fc.Arbitrary<unknown> =>
    fc.oneof(
      fc.uniqueArray(anyName(), { maxLength: 4 }).map((names) => ({ open: listing(names) })),
      fc.record({ open: fc.constant(listing(["a"])), disabled: fc.boolean() }),
      fc.record({ open: fc.constant(listing(["a"])), tools: fc.constant({ a: false }) }),
      fc.constantFrom({}, { command: 5 }, { url: "ftp://x" }, null, "x", { open: refusing() }),
    );

  it("has a status, a connection in name order, and an error exactly when failed (C005, C006, C007, C118)", async () => {
    const anyServers = fc.uniqueArray(fc.tuple(anyName(), anyServer()), {
      maxLength: 6,
      selector: ([name]) => name,
    });
    await fc.assert(
      fc.asyncProperty(anyServers, async (servers) => {
        const load = await fromConfig(configOf(servers));
        const names = servers.map(([name]) => name).sort(compareCodePoints);
        expect(load.connections.map((connection) => connection.name)).toEqual(names);
        expect(Object.keys(load.statuses).sort(compareCodePoints)).toEqual(names);
        expect(parseConfig(configOf(servers)).servers.map((server) => server.name)).toEqual(names);
        for (const connection of load.connections) {
          const { name, status } = connection;
          expect(load.statuses[name]).toBe(status);
          expect(["connected", "disabled", "failed"]).toContain(status);
          expect(Object.hasOwn(load.errors, name)).toBe(status === "failed");
          if (status === "failed") expect(load.errors[name]).toBe(connection.message);
          else expect(connection.notes).toEqual(expect.any(Array));
        }
        const live = load.connections.flatMap((found) =>
          found.status === "connected" ? found.tools : [],
        );
        expect(new Set(load.tools.map((tool) => tool.name))).toEqual(
          new Set(live.map((tool) => tool.name)),
        );
      }),
    );
  });

  it("stands by itself: one that fails changes nothing of the others (C023, C140, C144)", async () => {
    const load = await fromConfig({
      mcpServers: {
        dead: { open: refusing() },
        live: { open: listing(["b", "a"]) },
        off: { open: listing(["c"]), enabled: false },
      },
    });
    expect(load.statuses).toEqual({ dead: "failed", live: "connected", off: "disabled" });
    expect(load.errors).toEqual({
      dead: 'mcp server "dead" failed at connect: transport (connect-failed)',
    });
    expect(load.tools.map((tool) => tool.name)).toEqual(["live_a", "live_b"]);
    expect(unconnected(connectionOf(load, "dead")).failure).toMatchObject({ tag: "transport" });
    expect(connectionOf(load, "off")).toEqual({ status: "disabled", name: "off", notes: [] });
  });

  it.each([
    [{ disabled: true }],
    [{ enabled: false }],
    [{ disabled: true, enabled: true }],
    [{ disabled: true, enabled: false }],
  ])("that says %j is never contacted (C017, C018)", async (flags) => {
    const { open, counts } = counted(listing(["a"]));
    const load = await fromConfig({ mcpServers: { off: { open, ...flags } } });
    expect(load.statuses).toEqual({ off: "disabled" });
    expect(counts).toEqual({ opened: 0, closed: 0 });
  });

  it("that names neither command nor url fails at config (C114, C139)", async () => {
    const load = await fromConfig({ mcpServers: { x: {} } });
    expect(load.errors).toEqual({
      x: 'mcp server "x" failed at config: config (neither command nor url)',
    });
    expect(connectionOf(load, "x")).toMatchObject({ phase: "config", failure: { tag: "config" } });
  });

  it.each([null, "x", 5, true])(
    "that is %j in the config fails at config (C062)",
    async (entry) => {
      const load = await fromConfig({ mcpServers: { x: entry, ok: { open: listing(["a"]) } } });
      expect(load.statuses).toEqual({ ok: "connected", x: "failed" });
      expect(unconnected(connectionOf(load, "x")).phase).toBe("config");
    },
  );
});

describe("the tools of a load", () => {
  it("are sorted by code point of their names, in the load and on each connection (C004, C216)", async () => {
    const names = ["zs", "as", "_", "B", "a", "10", "9"];
    const load = await fromConfig({
      mcpServers: { b: { open: listing(names) }, a: { open: listing(names) } },
    });
    const sorted = ["10", "9", "B", "_", "a", "as", "zs"];
    expect(load.tools.map((tool) => tool.name)).toEqual([
      ...sorted.map((name) => `a_${name}`),
      ...sorted.map((name) => `b_${name}`),
    ]);
    for (const connection of load.connections) {
      expect(connected(connection).tools.map((tool) => tool.remoteName)).toEqual(sorted);
    }
  });

  it("have unique names and none is lost, for any servers and tools (C214)", async () => {
    const anyServers = fc.uniqueArray(
      fc.tuple(
        crowdedName(),
        fc.uniqueArray(
          crowdedName().filter((name) => name !== ""),
          { maxLength: 5 },
        ),
      ),
      { maxLength: 5, selector: ([name]) => name },
    );
    await fc.assert(
      fc.asyncProperty(anyServers, async (servers) => {
        const load = await fromConfig(
          configOf(servers.map(([name, tools]) => [name, { open: listing(tools) }])),
        );
        const pairs = servers.flatMap(([server, tools]) => tools.map((tool) => [server, tool]));
        expect(load.tools).toHaveLength(pairs.length);
        expect(new Set(load.tools.map((tool) => tool.name)).size).toBe(pairs.length);
        expect(
          new Set(load.tools.map(({ server, remoteName }) => JSON.stringify([server, remoteName]))),
        ).toEqual(new Set(pairs.map((pair) => JSON.stringify(pair))));
      }),
    );
  });

  it("have the plain name, known without connecting, where nothing collides (C009, C019)", async () => {
    await fc.assert(
      fc.asyncProperty(safeName(), safeName(), async (server, tool) => {
        const load = await fromConfig(configOf([[server, { open: listing([tool]) }]]));
        expect(load.tools.map(({ name }) => name)).toEqual([toolName(server, tool)]);
        expect(load.collisions).toEqual([]);
      }),
    );
  });

  it("call the tool they stand for, also under a name that gave way to another", async () => {
    const load = await fromConfig({
      mcpServers: { a: { open: listing(["b_c"]) }, a_b: { open: listing(["c"]) } },
    });
    expect(load.tools.map(({ server, remoteName }) => [server, remoteName])).toEqual([
      ["a", "b_c"],
      ["a_b", "c"],
    ]);
    expect(load.collisions).toHaveLength(1);
    const outputs = await Promise.all(load.tools.map((tool) => tool.execute()));
    expect(outputs.map(({ output }) => output)).toEqual(["called b_c", "called c"]);
  });

  it("have other names under the rule `stable`, by option or in the config", async () => {
    const mcpServers = { a_b: { open: listing(["c"]) } };
    const byOption = await fromConfig({ mcpServers }, { naming: "stable" });
    expect(byOption.tools.map(({ name }) => name)).toEqual([
      expect.stringMatching(/^a_b_c_[0-9a-f]{8}$/),
    ]);
  });
});

describe("the tool filter of a server", () => {
  const listed = ["a", "b", "c", "a.b"];
  const kept = async (tools: unknown): Promise<{ names: readonly string[]; load: Load }> => {
    const load = await fromConfig({ mcpServers: { srv: { open: listing(listed), tools } } });
    return { names: load.tools.map((tool) => tool.remoteName), load };
  };
  const ALL = ["a", "a.b", "b", "c"];

  it.each<[unknown, readonly string[], string]>([
    [undefined, ALL, "C080"],
    [null, ALL, "C080"],
    [{}, ALL, "C080"],
    [{ a: true, c: false }, ["a"], "C081"],
    [{ a: true }, ["a"], "C081"],
    [{ c: false }, ["a", "a.b", "b"], "C082"],
    [{ "a.b": true }, ["a.b"], "C083"],
    [{ srv_a_b: true, a: true }, ["a"], "C083"],
    [["a", "b"], ["a", "b"], "C081"],
  ])("%j keeps %j (%s)", async (tools, names) => {
    expect((await kept(tools)).names).toEqual(names);
  });

  it("turns nothing on that is turned off as a whole (C087)", async () => {
    const { open, counts } = counted(listing(["a"]));
    const server = { open, disabled: true, tools: { a: true } };
    const load = await fromConfig({ mcpServers: { srv: server } });
    expect(load.statuses).toEqual({ srv: "disabled" });
    expect(counts.opened).toBe(0);
  });

  it("notes a name that matches nothing, and says nothing on the console (C084)", async () => {
    const { load } = await kept({ a: true, gone: true });
    expect(connected(connectionOf(load, "srv")).notes).toEqual([
      { code: "unmatched-filter", detail: 'the tool filter names "gone", which is not listed' },
    ]);
  });

  it.each(["true", 5, "maybe", null, {}])(
    "has a finding for the value %j (C085)",
    async (value) => {
      const { load } = await kept({ a: value, b: true });
      expect(load.diagnostics).toEqual([
        expect.objectContaining({ server: "srv", path: "/mcpServers/srv/tools/a" }),
      ]);
    },
  );

  it("works the same in a config given as text (C086)", () => {
    const config = { mcpServers: { srv: { command: "x", tools: { a: true, c: false } } } };
    expect(parseConfig(JSON.stringify(config)).servers[0]?.tools).toEqual(
      parseConfig(config).servers[0]?.tools,
    );
  });
});

describe("a signal", () => {
  it("that has fired leaves everything closed and unopened, whatever else is asked (C044, C047)", async () => {
    const { open, counts } = counted(listing(["a"]));
    const signal = AbortSignal.abort();
    for (const server of [{ open }, { open, disabled: true }, { open, required: true }]) {
      const load = await fromConfig({ mcpServers: { a: server } }, { signal });
      expect(load).toMatchObject({ failure: { tag: "cancelled" }, tools: [], connections: [] });
      expect(load.statuses).toEqual({});
    }
    expect(counts).toEqual({ opened: 0, closed: 0 });
  });

  it("that fires while a server lists closes it and the ones before, and starts no other (C041, C045, C046)", async () => {
    const servers = [
      counted(listing(["a"])),
      counted(listing(["b"], { "tools/list": listed })),
      counted(listing(["c"])),
    ];
    const controller = new AbortController();
    const reached = fact<void>();
    function listed(): Promise<undefined> {
      reached.resolve();
      return new Promise(() => undefined);
    }
    const loading = fromConfig(configOf(servers.map(({ open }, i) => [`s${i}`, { open }])), {
      signal: controller.signal,
    });
    await reached.promise;
    controller.abort();
    const load = await loading;
    expect(load).toMatchObject({ failure: { tag: "cancelled" }, tools: [], errors: {} });
    expect(servers.map(({ counts }) => counts)).toEqual([
      { opened: 1, closed: expect.any(Number) },
      { opened: 1, closed: expect.any(Number) },
      { opened: 0, closed: 0 },
    ]);
    expect(servers.slice(0, 2).every(({ counts }) => counts.closed > 0)).toBe(true);
  });

  it("that never fires, and none at all, give the same (C043)", async () => {
    const config = { mcpServers: { a: { open: listing(["b", "a"]) }, b: { open: refusing() } } };
    const loads = [
      await fromConfig(config),
      await fromConfig(config, { signal: new AbortController().signal }),
      await fromConfig(config, {}),
    ];
    expect(new Set(loads.map(outcomeOf)).size).toBe(1);
  });

  it("that fires after the load has no effect (C049)", async () => {
    const controller = new AbortController();
    const config = { mcpServers: { a: { open: listing(["b"]) } } };
    const load = await fromConfig(config, { signal: controller.signal });
    controller.abort();
    expect(await load.tools[0]?.execute()).toMatchObject({ output: "called b", isError: false });
  });
});

describe("time", () => {
  it("of one server is one budget for all of its connecting and listing (C040, C048)", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
    try {
      const slow = <T>(value: T): Promise<T> =>
        new Promise((resolve) => {
          setTimeout(() => resolve(value), 250);
        });
      const open = listing([], {
        "server/discover": () => slow({ error: { code: -32601, message: "" } }),
        "tools/list": (params) => slow({ tools: [], nextCursor: JSON.stringify(params) }),
      });
      const within = {
        open: listing(["a"], { "tools/list": () => slow({ tools: [] }) }),
        timeout: 1000,
      };
      const loading = fromConfig({ mcpServers: { slow: { open, timeout: 1000 }, within } });
      await vi.advanceTimersByTimeAsync(2000);
      const load = await loading;
      expect(load.statuses).toEqual({ slow: "failed", within: "connected" });
      expect(load.errors["slow"]).toBe('mcp server "slow" failed at tools/list: timeout (1000 ms)');
    } finally {
      vi.useRealTimers();
    }
  });

  it("of a hung server is its own: the load goes on, and the others live", async () => {
    const { open, counts } = counted(silent());
    const load = await fromConfig({
      mcpServers: { hung: { open, timeout: 50 }, live: { open: listing(["a"]) } },
    });
    expect(load.statuses).toEqual({ hung: "failed", live: "connected" });
    expect(load.errors["hung"]).toBe('mcp server "hung" failed at initialize: timeout (50 ms)');
    expect(counts.closed).toBeGreaterThan(0);
    expect(await load.tools[0]?.execute()).toMatchObject({ isError: false });
  });
});

describe("a required server", () => {
  it("that fails closes the whole load, which still says who and why", async () => {
    const other = counted(listing(["a"]));
    const load = await fromConfig({
      mcpServers: { need: { open: refusing(), required: true }, other: { open: other.open } },
    });
    expect(load.failure).toMatchObject({ tag: "transport", reason: "connect-failed" });
    expect(load.tools).toEqual([]);
    expect(load.statuses).toEqual({ need: "failed", other: "connected" });
    expect(load.errors).toHaveProperty("need");
    expect(other.counts.closed).toBe(1);
  });

  it("that is disabled or connected is no failure", async () => {
    const load = await fromConfig({
      mcpServers: {
        a: { open: listing(["a"]), required: true },
        b: { open: listing(["b"]), required: true, disabled: true },
      },
    });
    expect(load.failure).toBeNull();
  });
});

describe("what happens on the way", () => {
  it("is told in order, as plain data, once for each server", async () => {
    const events: LoadEvent[] = [];
    await fromConfig(
      {
        mcpServers: {
          a: { open: listing(["x"]) },
          b: {},
          c: { open: refusing() },
          d: { open: listing([]), disabled: true },
        },
      },
      { onEvent: (event) => events.push(event) },
    );
    const phases = (server: string, ...names: Phase[]): LoadEvent[] =>
      names.map((phase) => ({ kind: "phase", server, phase }) as LoadEvent);
    expect(events).toEqual([
      { kind: "connecting", server: "a" },
      ...phases("a", "connect", "initialize", "tools/list"),
      { kind: "connected", server: "a", tools: 1 },
      { kind: "failed", server: "b", phase: "config", failure: expect.anything() },
      { kind: "connecting", server: "c" },
      ...phases("c", "connect"),
      { kind: "failed", server: "c", phase: "connect", failure: expect.anything() },
      { kind: "disabled", server: "d" },
    ]);
  });

  it.each<[string, () => unknown]>([
    [
      "throws",
      () => {
        throw new Error("mine");
      },
    ],
    ["rejects", () => Promise.reject(new Error("mine"))],
  ])("is not disturbed by a listener that %s", async (_, onEvent) => {
    const load = await fromConfig({ mcpServers: { a: { open: listing(["x"]) } } }, { onEvent });
    expect(load.statuses).toEqual({ a: "connected" });
  });
});

it("connects several at once when told to, with the same result", async () => {
  const config = (): object => ({
    mcpServers: Object.fromEntries(
      Array.from({ length: 9 }, (_, i) => [
        `s${i}`,
        { open: i % 3 === 0 ? refusing() : listing(["a", "b"]) },
      ]),
    ),
  });
  const loads = await Promise.all(
    [1, 2, 8, 100].map((concurrency) => fromConfig(config(), { concurrency })),
  );
  expect(new Set(loads.map(outcomeOf)).size).toBe(1);
});

it.each([0, -1, 1.5, NaN, "2"])(
  "refuses a concurrency of %j as an argument",
  async (concurrency) => {
    const load = await fromConfig({ mcpServers: {} }, { concurrency: concurrency as never });
    expect(load.failure).toEqual({
      tag: "invalid-argument",
      detail: "options.concurrency is not a positive integer",
    });
  },
);

it("uses a verdict handed back in, and drops it when it no longer holds", async () => {
  const asked: string[] = [];
  const seen: OpenTransport = async (inbound, options) => {
    const opened = await listing(["a"])(inbound, options);
    if (!opened.ok) return opened;
    const { rpc } = opened.value;
    return {
      ok: true,
      value: {
        ...opened.value,
        rpc: (method, params, rpcOptions) => {
          asked.push(method);
          return rpc(method, params, rpcOptions);
        },
      },
    };
  };
  const legacy = { s: { era: "legacy", protocolVersion: "2025-11-25" } } as const;
  const load = await fromConfig({ mcpServers: { s: { open: seen } } }, { verdicts: legacy });
  expect(load.statuses).toEqual({ s: "connected" });
  expect(asked).toEqual(["initialize", "tools/list"]);
  asked.length = 0;
  const modern = { s: { era: "modern", protocolVersion: "2026-07-28" } } as const;
  const wrong = await fromConfig({ mcpServers: { s: { open: seen } } }, { verdicts: modern });
  expect(wrong.statuses).toEqual({ s: "connected" });
  expect(asked).toEqual(["server/discover", "initialize", "tools/list"]);
});

/** A transport that cannot be opened. */
function refusing(): OpenTransport {
  return () =>
    Promise.resolve({
      ok: false,
      failure: {
        tag: "transport",
        reason: "connect-failed",
        code: "ECONNREFUSED",
        detail: "refused",
      },
    });
}
