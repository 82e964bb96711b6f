import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { connect, disconnect } from "../../src/index.ts";
import type { Inbound, JsonObject, Transport } from "../../src/index.ts";
import { arbitraries, memoryPair } from "../../src/testing/index.ts";
import { failureOf, objectIn, valueOf } from "../support/results.ts";

const any = arbitraries(fc);
const WAIT = { timeoutMs: Infinity };

/** An end that answers each request with its parameters and keeps what it is told. */
function echoing(): { readonly inbound: Inbound; readonly told: JsonObject[] } {
  const told: JsonObject[] = [];
  const inbound: Inbound = {
    request: ({ id = null, params = {} }) =>
      Promise.resolve({ jsonrpc: "2.0", id, result: params }),
    notification: (message) => void told.push(message),
  };
  return { inbound, told };
}

async function openBoth(
  client: Inbound,
  server: Inbound,
): Promise<{ readonly client: Transport; readonly server: Transport }> {
  const pair = memoryPair();
  return {
    client: valueOf(await pair.client(client, {})),
    server: valueOf(await pair.server(server, {})),
  };
}

describe("what is sent on one end", () => {
  it("arrives at the other as an equal copy, in order, for any parameters and either end", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(any.jsonObject(), { minLength: 1, maxLength: 8 }),
        fc.constantFrom("client" as const, "server" as const),
        async (sent, from) => {
          const [a, b] = [echoing(), echoing()];
          const ends = await openBoth(a.inbound, b.inbound);
          const { told } = from === "client" ? b : a;
          for (const params of sent) await ends[from].notify("n", params);
          const echo = await ends[from].rpc("echo", { nested: sent }, WAIT);
          expect(told.map(({ params }) => params)).toEqual(sent.map(throughJson));
          expect(valueOf(echo)).toEqual(throughJson({ nested: sent }));
          for (const [i, { params }] of told.entries()) expect(params).not.toBe(sent[i]);
        },
      ),
    );
  });

  it("waits for the other end to open, and nothing overtakes it", async () => {
    const pair = memoryPair();
    const client = valueOf(await pair.client(echoing().inbound, {}));
    for (let n = 0; n < 3; n++) await client.notify("early", { n });
    const { inbound, told } = echoing();
    await Promise.resolve();
    void client.notify("early", { n: 3 });
    const opening = pair.server(inbound, {});
    void client.notify("early", { n: 4 });
    await opening;
    await client.rpc("echo", {}, WAIT);
    expect(told.map(({ params }) => objectIn(params)["n"])).toEqual([0, 1, 2, 3, 4]);
  });

  it("is refused when it has no text, and nothing waits for it", async () => {
    const { client } = await openBoth(echoing().inbound, echoing().inbound);
    const cycle: { [key: string]: JsonObject } = {};
    cycle["self"] = cycle;
    expect(failureOf(await client.rpc("echo", cycle, WAIT)).tag).toBe("invalid-argument");
    expect(failureOf(await client.notify("n", cycle)).tag).toBe("invalid-argument");
  });
});

/** As it comes out of JSON; -0 becomes 0. */
function throughJson(value: JsonObject): JsonObject {
  return JSON.parse(JSON.stringify(value));
}

describe("closing one end", () => {
  it("ends what waits at the other with peer-eof, and both say why they ended", async () => {
    const silent: Inbound = { ...echoing().inbound, request: () => new Promise(() => undefined) };
    const { client, server } = await openBoth(echoing().inbound, silent);
    const waiting = client.rpc("echo", {}, WAIT);
    await server.close();
    await server.close();
    expect(failureOf(await waiting)).toMatchObject({ tag: "peer-eof", exitCode: null });
    expect(await client.closed).toMatchObject({ failure: { tag: "peer-eof" } });
    expect(await server.closed).toMatchObject({ failure: null });
    expect(failureOf(await client.rpc("echo", {}, WAIT)).tag).toBe("peer-eof");
    expect(failureOf(await server.notify("n")).tag).toBe("closed");
  });

  it("is seen by an end that opens later", async () => {
    const pair = memoryPair();
    await valueOf(await pair.server(echoing().inbound, {})).close();
    const client = valueOf(await pair.client(echoing().inbound, {}));
    expect(failureOf(await client.rpc("echo", {}, WAIT)).tag).toBe("peer-eof");
  });
});

it("opens each end once, and not at all when it is aborted", async () => {
  const pair = memoryPair();
  const aborted = await pair.client(echoing().inbound, { signal: AbortSignal.abort() });
  expect(failureOf(aborted).tag).toBe("cancelled");
  valueOf(await pair.client(echoing().inbound, {}));
  const again = failureOf(await pair.client(echoing().inbound, {}));
  expect(again).toMatchObject({ tag: "transport", reason: "connect-failed" });
});

it("tells the other end that an answer is not wanted any more", async () => {
  const { inbound, told } = echoing();
  const signals: AbortSignal[] = [];
  const silent: Inbound = {
    ...inbound,
    request: (_, options) => {
      signals.push(options!.signal!);
      return new Promise(() => undefined);
    },
  };
  const { client, server } = await openBoth(echoing().inbound, silent);
  const stop = new AbortController();
  const waiting = client.rpc("slow", {}, { ...WAIT, signal: stop.signal });
  await server.rpc("echo", {}, WAIT);
  stop.abort();
  expect(failureOf(await waiting).tag).toBe("cancelled");
  await server.rpc("echo", {}, WAIT);
  expect(told).toMatchObject([{ method: "notifications/cancelled", params: { requestId: 1 } }]);
  expect(signals[0]?.aborted).toBe(true);
});

it("connects to a server that a test writes by hand", async () => {
  const { client, server } = memoryPair();
  await server(
    {
      request: ({ id = null, method }) =>
        Promise.resolve(
          method === "initialize"
            ? { jsonrpc: "2.0", id, result: { protocolVersion: "2025-11-25", capabilities: {} } }
            : { jsonrpc: "2.0", id, error: { code: -32601, message: "Method not found" } },
        ),
      notification: () => undefined,
    },
    {},
  );
  const connection = await connect({ name: "mine", open: client });
  expect(connection.status).toBe("connected");
  await disconnect(connection);
});
