/**
 * The same laws behind real pipes and sockets: one fixture follows the same plans there.
 *
 * A plan decides what goes wrong, never how fast anything is: whatever has to succeed has all the
 * time it needs, and what must end without the server has no timeout at all.
 */
import fc from "fast-check";
import { describe, expect, it, onTestFinished } from "vitest";
import { disconnectAll, fromConfig } from "../../src/index.ts";
import type { Failure, Load, LoadEvent, ToolResult } from "../../src/index.ts";
import { arbitraries, canary, scriptedPeer } from "../../src/testing/index.ts";
import type { FaultPlan } from "../../src/testing/index.ts";
import { FAULTY_WAYS, SCRIPT, fewRuns } from "../support/faulty-legs.ts";
import { connected } from "../support/results.ts";
import { fact } from "../support/until.ts";

const any = arbitraries(fc);
const STALLED: FaultPlan = [{ direction: "in", method: "tools/call", kind: "stall" }];
const options = { onRoots: () => [], env: process.env };

/** There is one more while a child lives. */
const LISTENERS = process.listenerCount("exit");

const TAGS: ReadonlySet<Failure["tag"]> = new Set([
  "transport",
  "http-status",
  "malformed-body",
  "rpc-error",
  "timeout",
  "peer-eof",
  "closed",
  "unsupported",
  "limit",
]);

/** What a load gave for one server, and each of its tools for a call, as text. */
async function outcomeOf(load: Load, name: string): Promise<string> {
  const tools = load.tools.filter((tool) => tool.server === name);
  const results: ToolResult[] = [];
  for (const tool of tools) results.push(await tool.execute({ x: 1 }, { timeoutMs: 60_000 }));
  return JSON.stringify([load.statuses[name], load.errors[name] ?? null, tools, results]);
}

async function outcomeAlone(name: string): Promise<string> {
  const load = await fromConfig({ mcpServers: { [name]: { open: scriptedPeer(SCRIPT).open } } });
  onTestFinished(() => disconnectAll(load));
  return outcomeOf(load, name);
}

describe.each(FAULTY_WAYS)("over $kind", ({ start }) => {
  it("a load and its calls end with values, and nothing is left, for any plan", async () => {
    await fc.assert(
      fc.asyncProperty(any.faultPlan(), async (plan) => {
        const entry = { ...(await start({ plan })), timeout: 700 };
        const load = await fromConfig({ mcpServers: { x: entry } }, options);
        for (const found of load.connections) {
          if (found.status === "failed") expect(TAGS).toContain(found.failure.tag);
        }
        const calls = load.tools.map((tool) => tool.execute({}, { timeoutMs: 60 }));
        for (const { failure } of await Promise.all(calls)) {
          if (failure !== undefined) expect(TAGS).toContain(failure.tag);
        }
        await disconnectAll(load);
        expect(process.listenerCount("exit")).toBe(LISTENERS);
      }),
      fewRuns(4),
    );
  });

  it("server B gives the same bytes, whatever happens to server A, for any plan", async () => {
    const alone = await outcomeAlone("b");
    await fc.assert(
      fc.asyncProperty(any.faultPlan(), async (plan) => {
        const a = { ...(await start({ plan })), timeout: 700 };
        const b = { ...(await start({})), timeout: 60_000 };
        const load = await fromConfig({ mcpServers: { a, b } }, options);
        expect(await outcomeOf(load, "b")).toBe(alone);
        await disconnectAll(load);
      }),
      fewRuns(2),
    );
  });

  it("everything is read the same, however its bytes are cut, for any sizes", async () => {
    const alone = await outcomeAlone("a");
    await fc.assert(
      fc.asyncProperty(any.faultPlan({ kinds: ["chunk"] }), async (plan) => {
        const a = { ...(await start({ plan })), timeout: 60_000 };
        const load = await fromConfig({ mcpServers: { a } }, options);
        expect(await outcomeOf(load, "a")).toBe(alone);
        await disconnectAll(load);
      }),
      fewRuns(2),
    );
  });

  it("an aborted call settles without the server", async () => {
    const entry = { ...(await start({ plan: STALLED })), timeout: 60_000 };
    const load = await fromConfig({ mcpServers: { a: entry } }, options);
    onTestFinished(() => disconnectAll(load));
    const stop = new AbortController();
    const call = load.tools[0]!.execute({}, { timeoutMs: Infinity, signal: stop.signal });
    stop.abort();
    expect((await call).failure?.tag).toBe("cancelled");
  });

  it("nothing is delivered after close", async () => {
    const heard: string[] = [];
    const asked = fact<void>();
    const onNotification = [
      ["notifications/message", () => void heard.push("told")] as const,
      ["notifications/progress", () => void heard.push("progress")] as const,
    ];
    const onRoots = (): never[] => {
      asked.resolve();
      return [];
    };
    // The server goes on talking when nobody listens any more.
    const plan: FaultPlan = [
      { direction: "in", method: "notifications/message", nth: 2, kind: "late", ms: 20 },
      { direction: "out", method: "tools/call", nth: 2, kind: "duplicate", times: 3 },
    ];
    const a = { ...(await start({ plan })), timeout: 60_000 };
    const load = await fromConfig({ mcpServers: { a } }, { onNotification, onRoots });
    const ask = load.tools.find((tool) => tool.remoteName === "ask")!;
    await ask.execute();
    await asked.promise;
    void ask.execute();
    const closing = disconnectAll(load);
    const before = heard.length;
    await closing;
    // A whole life of another server behind the same faults: whatever was under way has come by then.
    const b = { ...(await start({ plan })), timeout: 60_000 };
    const other = await fromConfig({ mcpServers: { b } }, { onRoots });
    for (let i = 0; i < 2; i++) await other.tools[0]!.execute();
    await disconnectAll(other);
    expect(heard).toHaveLength(before);
    expect(before).toBeGreaterThan(0);
  });

  it("closing is idempotent and bounded, in the middle of calls that never end", async () => {
    const entry = { ...(await start({ plan: STALLED })), timeout: 60_000 };
    const load = await fromConfig({ mcpServers: { a: entry } }, options);
    const [connection] = load.connections;
    const calls = load.tools.map((tool) => tool.execute({}, { timeoutMs: Infinity }));
    await Promise.all([disconnectAll(load), disconnectAll(load)]);
    const { closed } = connected(connection);
    const first = await closed;
    await disconnectAll(load);
    expect(await closed).toBe(first);
    for (const { failure } of await Promise.all(calls)) {
      expect(failure).toMatchObject({ tag: "closed", by: "client" });
    }
    expect(process.listenerCount("exit")).toBe(LISTENERS);
  });
});

describe.each(FAULTY_WAYS.filter(({ kind }) => kind !== "memory"))("over $kind", ({ start }) => {
  it("a secret of the config stands nowhere but where it was put, for any plan that tells it", async () => {
    const secret = "canary-7f3a91/+b?c";
    const finds = canary(secret);
    const told = fc.constantFrom(
      secret,
      `bad token ${secret}`,
      `Basic ${Buffer.from(secret).toString("base64")}`,
      encodeURIComponent(secret),
    );
    const anyTelling = fc
      .tuple(
        fc.constantFrom("initialize", "tools/list", "tools/call"),
        fc.constantFrom("error", "junk", "replace"),
        told,
      )
      .map(([method, kind, text]): FaultPlan =>
        kind === "error"
          ? [{ direction: "in", method, kind, code: -32000, message: text }]
          : [{ direction: "in", method, kind: kind === "junk" ? kind : "replace", text }],
      );
    await fc.assert(
      fc.asyncProperty(anyTelling, async (plan) => {
        const events: LoadEvent[] = [];
        const entry = {
          ...(await start({ plan, tells: ["KEY"] })),
          env: { KEY: "${KEY}" },
          headers: { "X-Key": "${KEY}" },
          timeout: 1500,
        };
        const load = await fromConfig(
          { mcpServers: { x: entry } },
          { env: { ...process.env, KEY: secret }, onEvent: (event) => void events.push(event) },
        );
        const calls = load.tools.map((tool) => tool.execute({}, { timeoutMs: 60 }));
        const failures = (await Promise.all(calls)).map(({ failure, output }) =>
          failure === undefined ? null : [failure, output],
        );
        await disconnectAll(load);
        expect(finds([load, events, failures])).toEqual([]);
      }),
      fewRuns(6),
    );
  });
});
