/**
 * What holds whatever happens on the way, over memory and a clock that the test moves: when no timer
 * is left and something still waits, it would wait for ever.
 */
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { disconnectAll, fromConfig } from "../../src/index.ts";
import type { Connection, Inbound, JsonObject, Load, Result, Transport } from "../../src/index.ts";
import { arbitraries, faultyTransport, scriptedPeer } from "../../src/testing/index.ts";
import type { FaultPlan } from "../../src/testing/index.ts";
import { SCRIPT, fewRuns } from "../support/faulty-legs.ts";
import { valueOf } from "../support/results.ts";

const any = arbitraries(fc);

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance", "Date"] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** Lets everything happen that can without time. */
async function flush(): Promise<void> {
  await new Promise<void>((resolve) => setImmediate(resolve));
}

/** Moves the clock until a promise has settled; undefined when nothing could settle it any more. */
async function settled<T>(promise: Promise<T>): Promise<T | undefined> {
  const outcomes: T[] = [];
  void promise.then((value) => outcomes.push(value));
  await flush();
  while (outcomes.length === 0 && vi.getTimerCount() > 0) {
    await vi.advanceTimersToNextTimerAsync();
    await flush();
  }
  return outcomes[0];
}

/** A request to make, and when it is given up. */
const anyCall = (): fc.Arbitrary<{
  readonly method: string;
  readonly params: JsonObject;
  readonly timeoutMs: number;
  readonly hears: boolean;
}> =>
  fc.record({
    method: fc.constantFrom("initialize", "tools/list", "tools/call", "tools/call", "no/such"),
    params: fc.constantFrom<JsonObject>({ name: "ask" }, { name: "echo", arguments: { a: 1 } }, {}),
    timeoutMs: fc.integer({ min: 1, max: 60 }),
    hears: fc.boolean(),
  });

/** What reached the caller's side, in order. */
function hearing(): { readonly inbound: Inbound; readonly heard: string[] } {
  const heard: string[] = [];
  const inbound: Inbound = {
    request: ({ id = null, method }) => {
      heard.push(`asked ${JSON.stringify(method)}`);
      return Promise.resolve({ jsonrpc: "2.0", id, result: {} });
    },
    notification: ({ method }) => void heard.push(`told ${JSON.stringify(method)}`),
  };
  return { inbound, heard };
}

async function openFaulty(plan: FaultPlan, inbound: Inbound): Promise<Transport> {
  return valueOf(await faultyTransport(scriptedPeer(SCRIPT).open, plan)(inbound, {}));
}

describe("a request", () => {
  it("settles exactly once, and hears nothing afterwards, for any plan", async () => {
    await fc.assert(
      fc.asyncProperty(
        any.faultPlan(),
        fc.array(anyCall(), { minLength: 1, maxLength: 6 }),
        async (plan, calls) => {
          const transport = await openFaulty(plan, hearing().inbound);
          const counts = calls.map(() => ({ settled: 0, afterwards: 0 }));
          const asked = calls.map(async ({ method, params, timeoutMs, hears }, i) => {
            const onProgress = (): void => {
              counts[i]!.afterwards += counts[i]!.settled;
            };
            const options = { timeoutMs, ...(hears ? { onProgress } : {}) };
            const result = await transport.rpc(method, params, options);
            counts[i]!.settled++;
            return result;
          });
          expect(await settled(Promise.all(asked))).toHaveLength(calls.length);
          await vi.runAllTimersAsync();
          expect(counts).toEqual(calls.map(() => ({ settled: 1, afterwards: 0 })));
          await transport.close();
          expect(vi.getTimerCount()).toBe(0);
        },
      ),
    );
  });

  it("that is aborted settles at once, whatever the server does, for any plan", async () => {
    await fc.assert(
      fc.asyncProperty(any.faultPlan(), anyCall(), async (plan, { method, params }) => {
        const transport = await openFaulty(
          [...plan, { direction: "in", kind: "stall" }],
          hearing().inbound,
        );
        const { signal, abort } = aborter();
        let result: Result<JsonObject> | undefined;
        void transport
          .rpc(method, params, { timeoutMs: Infinity, signal })
          .then((found) => (result = found));
        await flush();
        abort();
        await flush();
        const tags = result?.ok === false ? result.failure.tag : "none";
        expect(["cancelled", "peer-eof", "rpc-error"]).toContain(tags);
        await transport.close();
      }),
    );
  });
});

function aborter(): { readonly signal: AbortSignal; abort(): void } {
  const controller = new AbortController();
  return { signal: controller.signal, abort: () => controller.abort() };
}

describe("after close", () => {
  it("nothing is delivered, nothing waits and no timer is left, for any plan and moment", async () => {
    await fc.assert(
      fc.asyncProperty(
        any.faultPlan(),
        fc.array(anyCall(), { minLength: 1, maxLength: 4 }),
        fc.nat(4),
        async (plan, calls, moment) => {
          const { inbound, heard } = hearing();
          const transport = await openFaulty(plan, inbound);
          const asked = calls.map(({ method, params }) =>
            transport.rpc(method, params, {
              timeoutMs: Infinity,
              onProgress: () => void heard.push("progress"),
            }),
          );
          for (let step = 0; step < moment; step++) await vi.advanceTimersByTimeAsync(5);
          const before = heard.length;
          await transport.close();
          expect(vi.getTimerCount()).toBe(0);
          await flush();
          expect(heard).toHaveLength(before);
          for (const result of await Promise.all(asked)) expect(typeof result.ok).toBe("boolean");
          const again = await transport.rpc("ping", undefined, { timeoutMs: Infinity });
          expect(again).toMatchObject({ ok: false, failure: { maybeExecuted: false } });
          expect(await transport.notify("notifications/initialized")).toMatchObject({ ok: false });
        },
      ),
    );
  });

  it("closing again changes nothing and takes no time, for any plan", async () => {
    await fc.assert(
      fc.asyncProperty(any.faultPlan(), fc.integer({ min: 1, max: 4 }), async (plan, times) => {
        const transport = await openFaulty(plan, hearing().inbound);
        void transport.rpc("tools/call", { name: "ask" }, { timeoutMs: 50 });
        await Promise.all(Array.from({ length: times }, () => transport.close()));
        const first = await transport.closed;
        await transport.close();
        expect(await transport.closed).toBe(first);
        expect(vi.getTimerCount()).toBe(0);
      }),
    );
  });
});

describe("a load", () => {
  const options = { onRoots: () => [], env: {} };

  /** What one server gave, and what a call of each of its tools gives, as text. */
  async function outcomeOf(mcpServers: object, name: string, concurrency = 1): Promise<string> {
    const load = await settled(fromConfig({ mcpServers }, { ...options, concurrency }));
    if (load === undefined) return "never ended";
    const found = load.connections.find((connection) => connection.name === name);
    const tools = load.tools.filter((tool) => tool.server === name);
    const results: unknown[] = [];
    for (const tool of tools)
      results.push(await settled(tool.execute({ x: 1 }, { timeoutMs: 90 })));
    await settled(disconnectAll(load));
    return JSON.stringify([plain(found), load.errors[name] ?? null, tools, results]);
  }

  function plain(connection: Connection | undefined): unknown {
    if (connection?.status !== "connected") return connection;
    const { transport: _, closed: __, ...rest } = connection;
    return rest;
  }

  it("gives server B the same bytes, whatever happens to server A, for any plan", async () => {
    const good = { open: scriptedPeer(SCRIPT).open };
    const alone = await outcomeOf({ b: good }, "b");
    expect(alone).toContain("asked");
    await fc.assert(
      fc.asyncProperty(any.faultPlan(), fc.constantFrom(1, 2), async (plan, concurrency) => {
        const bad = { open: faultyTransport(scriptedPeer(SCRIPT).open, plan), timeout: 80 };
        expect(await outcomeOf({ a: bad, b: good, c: bad }, "b", concurrency)).toBe(alone);
      }),
      fewRuns(50),
    );
  });

  it("ends with a status for each server and leaves no timer, for any plan", async () => {
    await fc.assert(
      fc.asyncProperty(any.faultPlan(), async (plan) => {
        const open = faultyTransport(scriptedPeer(SCRIPT).open, plan);
        const load = await settled(
          fromConfig({ mcpServers: { a: { open, timeout: 80 } } }, options),
        );
        expect(load?.statuses["a"]).toMatch(/^(?:connected|failed)$/);
        if (load !== undefined) await settled(disconnectAll(load satisfies Load));
        expect(vi.getTimerCount()).toBe(0);
      }),
      fewRuns(50),
    );
  });

  it("is the same however the server's bytes are cut into chunks, for any sizes", async () => {
    const alone = await outcomeOf({ a: { open: scriptedPeer(SCRIPT).open } }, "a");
    await fc.assert(
      fc.asyncProperty(any.faultPlan({ kinds: ["chunk"] }), async (plan) => {
        const open = faultyTransport(scriptedPeer(SCRIPT).open, plan);
        expect(await outcomeOf({ a: { open } }, "a")).toBe(alone);
      }),
      fewRuns(30),
    );
  });

  it("is the same through an empty plan as without one, for any tools", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(any.tool(), { maxLength: 5 }),
        fc.integer({ min: 1, max: 3 }),
        async (tools, pageSize) => {
          const script = { ...SCRIPT, tools, pageSize };
          const alone = await outcomeOf({ a: { open: scriptedPeer(script).open } }, "a");
          const open = faultyTransport(scriptedPeer(script).open, []);
          expect(await outcomeOf({ a: { open } }, "a")).toBe(alone);
        },
      ),
      fewRuns(30),
    );
  });
});
