import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Result } from "../../src/failure.ts";
import type { Json, JsonObject } from "../../src/json.ts";
import { memoryTransport } from "../../src/transport/memory.ts";
import type { MemoryAnswer } from "../../src/transport/memory.ts";
import type { Inbound, Transport } from "../../src/transport/transport.ts";
import { anyJson } from "../support/arbitraries.ts";
import { failureOf, valueOf } from "../support/results.ts";

const BUDGET = { timeoutMs: 10_000 };

async function open(answer: MemoryAnswer, inbound: Partial<Inbound> = {}): Promise<Transport> {
  const quiet: Inbound = {
    request: () => Promise.resolve(null),
    notification: () => undefined,
    ...inbound,
  };
  return valueOf(await memoryTransport(answer)(quiet, {}));
}

const echo: MemoryAnswer = ({ id, params }) => ({ jsonrpc: "2.0", id, result: { params } });

it("hands each message over as it would cross the wire, and gives the answer", async () => {
  const seen: JsonObject[] = [];
  const transport = await open((message, send) => {
    seen.push(message);
    return message["id"] === undefined ? undefined : echo(message, send);
  });
  expect(valueOf(await transport.rpc("x", { a: 1 }, BUDGET))).toEqual({ params: { a: 1 } });
  expect(await transport.notify("y")).toEqual({ ok: true, value: undefined });
  expect(seen).toEqual([
    { jsonrpc: "2.0", id: 1, method: "x", params: { a: 1 } },
    { jsonrpc: "2.0", method: "y" },
  ]);
  await transport.close();
});

it.each<[string, MemoryAnswer]>([
  [
    "throws",
    () => {
      throw new Error("mine");
    },
  ],
  ["rejects", () => Promise.reject(new Error("mine"))],
])("fails both ways when the function %s", async (_, answer) => {
  const transport = await open(answer);
  const failure = { tag: "transport", reason: "stream-failed" };
  expect(failureOf(await transport.rpc("x", {}, BUDGET))).toMatchObject(failure);
  expect(failureOf(await transport.notify("x"))).toMatchObject(failure);
});

it("settles with a result for whatever the function gives and sends", async () => {
  await fc.assert(
    fc.asyncProperty(anyJson(), fc.array(anyJson(), { maxLength: 3 }), async (answer, sent) => {
      const transport = await open((_, send) => {
        for (const message of sent) send(message);
        return answer;
      });
      const call = transport.rpc("x", {}, BUDGET);
      await Promise.resolve();
      await transport.close();
      expect(failureOf(await call).tag).toMatch(/^(closed|malformed-body|rpc-error)$/);
    }),
  );
});

describe("its end", () => {
  it("fails what waits and what comes later with closed, twice or once (C187, C198)", async () => {
    const transport = await open(() => undefined);
    const waiting = transport.rpc("x", {}, BUDGET);
    await transport.close();
    await transport.close();
    const closed = { tag: "closed", by: "client" };
    expect(failureOf(await waiting)).toMatchObject({ ...closed, maybeExecuted: true });
    expect(failureOf(await transport.rpc("x", {}, BUDGET))).toMatchObject({ maybeExecuted: false });
    expect(failureOf(await transport.notify("x"))).toEqual(closed);
    expect(await transport.closed).toMatchObject({ failure: null, exitCode: null });
  });

  it("is deaf to what the server still sends", async () => {
    const heard: Json[] = [];
    let speak: (message: Json) => void = () => undefined;
    const transport = await open(
      (_, send) => {
        speak = send;
        return undefined;
      },
      { notification: (message) => heard.push(message) },
    );
    const call = transport.rpc("x", {}, BUDGET);
    speak({ method: "notifications/message" });
    await transport.close();
    speak({ method: "notifications/message" });
    await call;
    expect(heard).toHaveLength(1);
  });
});

it("tells the server of a call that was given up, and never of a handshake or a probe", async () => {
  const seen: JsonObject[] = [];
  const transport = await open((message) => void seen.push(message));
  const controller = new AbortController();
  const giveUp = (method: string): Promise<Result<JsonObject>> =>
    transport.rpc(method, {}, { ...BUDGET, signal: controller.signal });
  const calls = ["initialize", "server/discover", "tools/call"].map(giveUp);
  controller.abort();
  await Promise.all(calls);
  const cancelled = seen.filter(({ method }) => method === "notifications/cancelled");
  expect(cancelled).toEqual([
    {
      jsonrpc: "2.0",
      method: "notifications/cancelled",
      params: { requestId: 3, reason: "cancelled" },
    },
  ]);
});
