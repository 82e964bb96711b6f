import fc from "fast-check";
import { afterEach, expect, it, vi } from "vitest";
import { canonicalJson, connect, disconnect } from "../../src/index.ts";
import type { Connected, Progress } from "../../src/index.ts";
import { arbitraries, scriptedPeer } from "../../src/testing/index.ts";
import type { PeerScript, ScriptedPeer } from "../../src/testing/index.ts";
import { connected } from "../support/results.ts";

const any = arbitraries(fc);
const ADD = { name: "add", inputSchema: { type: "object" } };

afterEach(() => {
  vi.useRealTimers();
});

async function connectTo(
  script: PeerScript,
): Promise<{ readonly peer: ScriptedPeer; readonly connection: Connected }> {
  const peer = scriptedPeer(script);
  const options = { onRoots: (): readonly [] => [] };
  const connection = await connect({ name: "scripted", open: peer.open }, options);
  return { peer, connection: connected(connection) };
}

it.each(["legacy", "modern"] as const)(
  "lists its tools in any page size, in the %s era, for any tools",
  async (era) => {
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(any.tool(), { maxLength: 7, selector: ({ name }) => name }),
        fc.integer({ min: 1, max: 8 }),
        async (tools, pageSize) => {
          const { connection } = await connectTo({ tools, pageSize, era });
          expect(connection.era).toBe(era);
          const listed = connection.tools.map(({ definition }) => definition);
          expect(new Set(listed.map(canonicalJson))).toEqual(new Set(tools.map(canonicalJson)));
          expect(listed).toHaveLength(tools.length);
          await disconnect(connection);
        },
      ),
      { numRuns: 30 },
    );
  },
);

it("gives the arguments of a call as text, and refuses a tool it does not list", async () => {
  const { connection } = await connectTo({ tools: [ADD] });
  const [add] = connection.tools;
  expect(await add!.execute({ b: 1, a: [2] })).toMatchObject({ output: '{"a":[2],"b":1}' });
  const stranger = await connection.transport.rpc(
    "tools/call",
    { name: "sub" },
    { timeoutMs: Infinity },
  );
  expect(stranger).toMatchObject({ ok: false, failure: { tag: "rpc-error", code: -32602 } });
});

it("gives replies in turn, the last from then on, the more exact key first", async () => {
  const says = (text: string): object => ({ result: { content: [{ type: "text", text }] } });
  const replies = {
    "tools/call": says("any"),
    "tools/call add": [says("first"), { error: { code: 7, message: "second" } }, says("last")],
  };
  const peer = scriptedPeer({ tools: [ADD, { name: "sub" }], replies });
  // Every connection starts the script anew.
  for (let round = 0; round < 2; round++) {
    const { tools, ...rest } = connected(await connect({ name: "s", open: peer.open }));
    const outputs: string[] = [];
    for (let i = 0; i < 4; i++) outputs.push((await tools[0]!.execute()).output);
    outputs.push((await tools[1]!.execute()).output);
    const failed = 'mcp server "s" failed at tools/call: rpc-error (code 7): second';
    expect(outputs).toEqual(["first", failed, "last", "last", "any"]);
    await rest.transport.close();
  }
});

it("tells of progress under the request's own token and asks before it answers", async () => {
  const { peer, connection } = await connectTo({
    tools: [ADD],
    replies: {
      "tools/call": {
        notifications: [
          { method: "notifications/progress", params: { progress: 1, total: 2 } },
          { method: "notifications/progress", params: { progress: 2, progressToken: "other" } },
        ],
        questions: [{ method: "ping" }, { method: "roots/list" }],
        result: { content: [] },
      },
    },
  });
  const seen: Progress[] = [];
  await connection.tools[0]!.execute({}, { onProgress: (progress) => void seen.push(progress) });
  expect(seen).toMatchObject([{ progress: 1, total: 2 }]);
  const answers = peer.received.filter(({ method }) => method === undefined);
  expect(answers).toMatchObject([{ result: {} }, { result: { roots: [] } }]);
});

it("waits as long as it is told to, and not at all once it is closed", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
  const { connection } = await connectTo({
    tools: [ADD],
    replies: { "tools/call": [{ delayMs: 500, result: { content: [] } }, { delayMs: 1e6 }] },
  });
  let isDone = false;
  const first = connection.tools[0]!.execute({}, { timeoutMs: Infinity }).then(() => {
    isDone = true;
  });
  await vi.advanceTimersByTimeAsync(499);
  expect(isDone).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  await first;
  const second = connection.tools[0]!.execute({}, { timeoutMs: Infinity });
  await vi.advanceTimersByTimeAsync(10);
  await disconnect(connection);
  expect((await second).failure).toMatchObject({ tag: "closed" });
  expect(vi.getTimerCount()).toBe(0);
});

it("says nothing where a reply holds neither a result nor an error", async () => {
  const { connection } = await connectTo({ tools: [ADD], replies: { "tools/call": {} } });
  const result = await connection.tools[0]!.execute({}, { timeoutMs: 20 });
  expect(result.failure).toMatchObject({ tag: "timeout", timeoutMs: 20 });
});
