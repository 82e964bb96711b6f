import { expect, it, onTestFinished } from "vitest";
import { disconnectAll, fromConfig } from "../../src/index.ts";
import type { Failure, Load } from "../../src/index.ts";
import { faultyTransport, scriptedPeer } from "../../src/testing/index.ts";
import type { Fault, ScriptedPeer } from "../../src/testing/index.ts";
import { SCRIPT } from "../support/faulty-legs.ts";
import { until } from "../support/until.ts";

const CALL = { direction: "in", method: "tools/call" } as const;
const LIST = { direction: "in", method: "tools/list" } as const;

/** A load of one server behind these faults. */
async function behind(
  plan: readonly Fault[],
  timeout = 60_000,
): Promise<{ readonly load: Load; readonly peer: ScriptedPeer }> {
  const peer = scriptedPeer(SCRIPT);
  const entry = { open: faultyTransport(peer.open, plan), timeout };
  const load = await fromConfig({ mcpServers: { x: entry } }, { onRoots: () => [] });
  onTestFinished(() => disconnectAll(load));
  return { load, peer };
}

/** What a call of `echo` comes to; what is lost is waited for a moment only. */
async function callBehind(
  plan: readonly Fault[],
  timeoutMs: number,
): Promise<Failure | string | undefined> {
  const { load } = await behind(plan);
  const echo = load.tools.find((tool) => tool.remoteName === "echo");
  const result = await echo?.execute({ a: 1 }, { timeoutMs });
  return result?.failure ?? result?.output;
}

const timeout: Partial<Failure> = { tag: "timeout" };

/** What each fault makes of a call: a failure, or the right answer all the same. */
const calls: readonly (readonly [string, readonly Fault[], Partial<Failure> | string])[] = [
  ["a lost answer", [{ ...CALL, kind: "drop" }], timeout],
  ["a lost request", [{ ...CALL, direction: "out", kind: "drop" }], timeout],
  ["a stalled link", [{ direction: "in", method: "tools/call", kind: "stall" }], timeout],
  ["an answer that nothing follows", [{ ...CALL, kind: "reorder" }], timeout],
  ["a foreign id", [{ ...CALL, kind: "wrong-id" }], timeout],
  ["an answer too late", [{ ...CALL, kind: "late", ms: 1e6 }], timeout],
  ["a delay too long", [{ ...CALL, kind: "delay", ms: 1e6 }], timeout],
  ["a replaced line", [{ ...CALL, kind: "replace", text: "log line" }], timeout],
  ["an answer twice", [{ ...CALL, kind: "duplicate", times: 2 }], '{"a":1}'],
  ["a request twice", [{ ...CALL, direction: "out", kind: "duplicate", times: 1 }], '{"a":1}'],
  ["an id as text", [{ ...CALL, kind: "string-id" }], '{"a":1}'],
  ["a short delay", [{ ...CALL, kind: "delay", ms: 3 }], '{"a":1}'],
  ["a late answer", [{ ...CALL, kind: "late", ms: 3 }], '{"a":1}'],
  ["single bytes", [{ ...CALL, kind: "chunk", bytes: 1 }], '{"a":1}'],
  ["a junk line", [{ ...CALL, kind: "junk", text: "log line" }], '{"a":1}'],
  ["no result", [{ ...CALL, kind: "malformed", value: null }], { tag: "malformed-body" }],
  ["broken JSON", [{ ...CALL, kind: "corrupt", at: 36, byte: 0 }], { tag: "malformed-body" }],
  [
    "an error of the server",
    [{ ...CALL, kind: "error", code: 0, message: "no" }],
    { tag: "rpc-error", code: 0, message: "no" },
  ],
  ["the end", [{ ...CALL, kind: "close", exitCode: 9 }], { tag: "peer-eof", exitCode: 9 }],
];

it.each(calls)("%s is what a real link would make of it", async (_, plan, expected) => {
  const found = await callBehind(plan, expected === timeout ? 25 : 60_000);
  if (typeof expected === "string") expect(found).toBe(expected);
  else expect(found).toMatchObject(expected);
});

it("an error on the way out answers the request, which the server never sees", async () => {
  const { load, peer } = await behind([
    { direction: "out", method: "tools/call", kind: "error", code: -7, message: "not today" },
  ]);
  const result = await load.tools[0]!.execute();
  expect(result.failure).toMatchObject({ tag: "rpc-error", code: -7, message: "not today" });
  expect(peer.received.some(({ method }) => method === "tools/call")).toBe(false);
});

it("a truncated answer is told as what it is, or waited for, but never taken", async () => {
  const found = await callBehind([{ ...CALL, kind: "truncate", bytes: 70 }], 25);
  expect(found).toMatchObject({ tag: expect.stringMatching(/^(?:timeout|malformed-body)$/) });
});

it("a list in circles ends, and that is noted", async () => {
  const { load } = await behind([{ ...LIST, kind: "cursor-loop", cursor: "again" }]);
  expect(load.connections).toMatchObject([
    {
      status: "connected",
      notes: expect.arrayContaining([{ code: "repeated-cursor", detail: expect.any(String) }]),
    },
  ]);
});

it("a swapped message arrives after the next one", async () => {
  const { load } = await behind([{ ...CALL, nth: 1, kind: "reorder" }]);
  const ended: number[] = [];
  const call = async (n: number): Promise<void> => {
    await load.tools.find((tool) => tool.remoteName === "echo")!.execute({ n });
    ended.push(n);
  };
  await Promise.all([call(1), call(2)]);
  expect(ended).toEqual([2, 1]);
});

it("a delay holds everything behind it, lateness only itself", async () => {
  for (const [kind, order] of [
    ["delay", [1, 2]],
    ["late", [2, 1]],
  ] as const) {
    const { load } = await behind([{ ...CALL, nth: 1, kind, ms: 15 }]);
    const ended: number[] = [];
    const call = async (n: number): Promise<void> => {
      await load.tools.find((tool) => tool.remoteName === "echo")!.execute({ n });
      ended.push(n);
    };
    await Promise.all([call(1), call(2)]);
    expect(ended).toEqual(order);
  }
});

it("counts its messages by direction and method, anew in each connection", async () => {
  const { open } = scriptedPeer(SCRIPT);
  const plan: readonly Fault[] = [{ ...CALL, nth: 2, kind: "error", code: 1, message: "second" }];
  const faulty = faultyTransport(open, plan);
  for (let round = 0; round < 2; round++) {
    const load = await fromConfig({ mcpServers: { x: { open: faulty } } }, { onRoots: () => [] });
    const failed: boolean[] = [];
    for (let i = 0; i < 3; i++) failed.push((await load.tools[0]!.execute()).isError);
    expect(failed).toEqual([false, true, false]);
    await disconnectAll(load);
  }
});

it("passes what opening the real transport fails with", async () => {
  const failure: Failure = { tag: "transport", reason: "connect-failed", detail: "not there" };
  const open = faultyTransport(() => Promise.resolve({ ok: false, failure }), []);
  const load = await fromConfig({ mcpServers: { x: { open } } });
  expect(load.connections).toMatchObject([{ status: "failed", failure }]);
});

it("tells the server that an answer is not wanted any more", async () => {
  const peer = scriptedPeer({ ...SCRIPT, replies: { "tools/call": {} } });
  const open = faultyTransport(peer.open, []);
  const load = await fromConfig({ mcpServers: { x: { open } } });
  onTestFinished(() => disconnectAll(load));
  await load.tools[0]!.execute({}, { timeoutMs: 5 });
  await until("the server is told", () =>
    peer.received.some(({ method }) => method === "notifications/cancelled"),
  );
  const called = peer.received.find(({ method }) => method === "tools/call");
  expect(peer.received.at(-1)).toMatchObject({
    method: "notifications/cancelled",
    params: { requestId: called?.["id"] },
  });
});
