import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Json, JsonObject } from "../../src/json.ts";
import { disconnect } from "../../src/lifecycle/disconnect.ts";
import type { Connected } from "../../src/lifecycle/records.ts";
import { listen } from "../../src/operations/listen.ts";
import { isLoss, relistenDelayMs } from "../../src/operations/listening.ts";
import { missingIn } from "../../src/operations/listen-filter.ts";
import { onListChanged } from "../../src/operations/list-changed.ts";
import { anyFailure } from "../support/arbitraries.ts";
import { failureOf, valueOf } from "../support/results.ts";
import { until } from "../support/until.ts";
import { connectedTo, peerOf, subscribed } from "./peer.ts";
import type { Asked, Peer } from "./peer.ts";

const ACK = "notifications/subscriptions/acknowledged";
const UPDATED = "notifications/resources/updated";
const version = "2026-07-28";

/** A server that acknowledges what `grant` says and leaves the rest to the test. */
function listeningPeer(grant: (asked: Asked) => Json | undefined = grantAll): ListeningPeer {
  const asked: Asked[] = [];
  const ends: ((result: Json) => void)[] = [];
  const peer = peerOf(
    {
      "subscriptions/listen": (one) => {
        asked.push(one);
        const granted = grant(one);
        if (granted !== undefined) one.send(subscribed(one.id, ACK, { notifications: granted }));
        return new Promise((resolve) => {
          ends.push(resolve);
        });
      },
    },
    { version },
  );
  return { ...peer, asked, end: (at, result = {}) => ends[at]?.(result) };
}

function grantAll({ params }: Asked): Json {
  return params["notifications"] ?? null;
}

interface ListeningPeer extends Peer {
  readonly asked: readonly Asked[];
  /** Answers a subscription, which ends it. */
  end(at: number, result?: Json): void;
}

const idOf = (peer: ListeningPeer, at = 0): Json => peer.asked[at]?.id ?? null;

describe("listen", () => {
  it("gives what the server grants and notes what it does not", async () => {
    const peer = listeningPeer(() => ({
      toolsListChanged: true,
      resourceSubscriptions: ["a://1"],
    }));
    const connection = await connectedTo(peer);
    const filter = {
      toolsListChanged: true,
      promptsListChanged: true,
      resourceSubscriptions: ["a://1", "a://2"],
    };
    const listening = valueOf(await listen(connection, filter));
    expect(listening.granted).toEqual({ toolsListChanged: true, resourceSubscriptions: ["a://1"] });
    expect(listening.id).toBe(idOf(peer));
    expect(connection.notes).toContainEqual({
      code: "not-granted",
      detail: "subscriptions/listen: promptsListChanged, resourceSubscriptions",
    });
    expect((peer.asked[0]?.params ?? {})["notifications"]).toEqual(filter);
  });

  it("tells its handlers what it is told, each what it is for", async () => {
    const peer = listeningPeer();
    const connection = await connectedTo(peer);
    const heard: unknown[] = [];
    valueOf(
      await listen(
        connection,
        { toolsListChanged: true },
        {
          onNotification: ({ method }) => heard.push(method),
          onListChanged: (kind) => heard.push(kind),
          onResourceUpdated: (uri) => heard.push(uri),
        },
      ),
    );
    peer.send(subscribed(idOf(peer), "notifications/prompts/list_changed"));
    peer.send(subscribed(idOf(peer), UPDATED, { uri: "a://1" }));
    peer.send(subscribed(idOf(peer), "com.example/own"));
    expect(heard).toEqual([
      "notifications/prompts/list_changed",
      "prompts",
      UPDATED,
      "a://1",
      "com.example/own",
    ]);
  });

  it("keeps subscriptions on one stream apart, for any interleaving", async () => {
    const peer = listeningPeer();
    const connection = await connectedTo(peer);
    const heard: string[][] = [[], [], []];
    for (const mine of heard) {
      const onResourceUpdated = (uri: string): unknown => mine.push(uri);
      valueOf(
        await listen(connection, { resourceSubscriptions: ["a://1"] }, { onResourceUpdated }),
      );
    }
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat({ max: 2 }), fc.webUrl())), (told) => {
        for (const mine of heard) mine.length = 0;
        for (const [at, uri] of told) peer.send(subscribed(idOf(peer, at), UPDATED, { uri }));
        for (const [at, mine] of heard.entries()) {
          expect(mine).toEqual(told.filter(([to]) => to === at).map(([, uri]) => uri));
        }
      }),
    );
  });

  it("does not take an id of another type for its own", async () => {
    const peer = listeningPeer();
    const connection = await connectedTo(peer);
    let calls = 0;
    valueOf(await listen(connection, {}, { onNotification: () => calls++ }));
    // Whatever number of ours the request has in the tables, it is not its id.
    for (let id = 0; id < 20; id++) peer.send(subscribed(id, UPDATED, { uri: "a://1" }));
    peer.send({ jsonrpc: "2.0", method: UPDATED, params: { uri: "a://1" } });
    expect(calls).toBe(0);
  });

  it("notes what comes before the acknowledgement, and tells it all the same", async () => {
    const peer = listeningPeer(({ id, send, params }) => {
      send(subscribed(id, UPDATED, { uri: "a://early" }));
      return params["notifications"] ?? null;
    });
    const connection = await connectedTo(peer);
    const heard: string[] = [];
    valueOf(await listen(connection, {}, { onResourceUpdated: (uri) => heard.push(uri) }));
    expect(heard).toEqual(["a://early"]);
    expect(connection.notes.map(({ code }) => code)).toContain("early-notification");
  });

  it("waits for the acknowledgement no longer than its timeout, and gives up", async () => {
    const peer = listeningPeer(() => undefined);
    const connection = await connectedTo(peer);
    const failure = failureOf(await listen(connection, {}, {}, { timeoutMs: 30 }));
    expect(failure).toEqual({ tag: "timeout", timeoutMs: 30, maybeExecuted: true });
    await until("it is cancelled", () => peer.methods().includes("notifications/cancelled"));
  });

  it("is under no timeout of its own", async () => {
    const peer = listeningPeer();
    const connection = await connectedTo(peer);
    valueOf(await listen(connection, {}, {}, { timeoutMs: 20 }));
    expect(peer.sent.at(-1)).toMatchObject({ timeoutMs: Infinity });
  });

  it.each([
    ["no filter", null, {}, {}],
    ["a flag that is no boolean", { toolsListChanged: 1 }, {}, {}],
    ["URIs that are no texts", { resourceSubscriptions: [1] }, {}, {}],
    ["a handler that is no function", {}, { onListChanged: 1 }, {}],
    ["handlers that are none", {}, 7, {}],
    ["a number of attempts that is none", {}, {}, { relisten: { maxAttempts: "5" } }],
    ["a way to listen again that is none", {}, {}, { relisten: true }],
  ])("refuses %s and sends nothing", async (_, filter, handlers, options) => {
    const peer = listeningPeer();
    const connection = await connectedTo(peer);
    const made = await listen(connection, filter as never, handlers as never, options as never);
    expect(failureOf(made).tag).toBe("invalid-argument");
    expect(peer.wire()).toEqual([]);
  });
});

describe("the end of a subscription", () => {
  it("is the client's after stop, which tells the server", async () => {
    const peer = listeningPeer();
    const connection = await connectedTo(peer);
    const listening = valueOf(await listen(connection, { toolsListChanged: true }));
    await Promise.all([listening.stop(), listening.stop(), listening[Symbol.asyncDispose]()]);
    expect(await listening.done).toEqual({ ok: true, value: { by: "client" } });
    const told = peer.wire().filter(({ method }) => method === "notifications/cancelled");
    expect(told.map(({ params }) => params)).toEqual([
      { requestId: listening.id, reason: "cancelled" },
    ]);
  });

  it("is the client's when its signal fires, and when the connection is closed", async () => {
    const peer = listeningPeer();
    const connection = await connectedTo(peer);
    const over = new AbortController();
    const one = valueOf(await listen(connection, {}, {}, { signal: over.signal }));
    const two = valueOf(await listen(connection, {}));
    over.abort();
    expect(await one.done).toEqual({ ok: true, value: { by: "client" } });
    await disconnect(connection);
    expect(await two.done).toEqual({ ok: true, value: { by: "client" } });
  });

  it("is nothing at all when the signal has fired before", async () => {
    const peer = listeningPeer();
    const connection = await connectedTo(peer);
    const made = await listen(connection, {}, {}, { signal: AbortSignal.abort() });
    expect(failureOf(made).tag).toBe("cancelled");
    expect(peer.wire()).toEqual([]);
  });

  it.each<[string, (peer: ListeningPeer) => void]>([
    ["answers", (peer) => peer.end(0, { resultType: "complete" })],
    ["cancels", (peer) => cancel(peer)],
    ["cancels and answers", (peer) => (cancel(peer), peer.end(0))],
    ["answers and cancels", (peer) => (peer.end(0), cancel(peer))],
  ])("is the server's, once, when it %s", async (_, end) => {
    const peer = listeningPeer();
    const connection = await connectedTo(peer);
    const listening = valueOf(await listen(connection, {}));
    end(peer);
    expect(await listening.done).toEqual({ ok: true, value: { by: "server" } });
    expect(peer.methods()).toEqual(["subscriptions/listen"]);
  });

  it("may come before it has begun: nothing was granted", async () => {
    const peer = listeningPeer(() => undefined);
    const connection = await connectedTo(peer);
    const made = listen(connection, { toolsListChanged: true });
    await until("it was asked", () => peer.asked.length === 1);
    peer.end(0);
    const listening = valueOf(await made);
    expect(listening.granted).toEqual({});
    expect(await listening.done).toEqual({ ok: true, value: { by: "server" } });
  });

  it("is a failure when the server refuses", async () => {
    const peer = peerOf({}, { version });
    const connection = await connectedTo(peer);
    expect(failureOf(await listen(connection, {}))).toMatchObject({
      tag: "rpc-error",
      code: -32601,
    });
  });
});

function cancel(peer: ListeningPeer): void {
  const params = { requestId: idOf(peer) };
  peer.send({ jsonrpc: "2.0", method: "notifications/cancelled", params });
}

/** A server whose subscriptions break when told to; every later one is refused so many times first. */
function breaking(refusals: number): BreakingPeer {
  const breaks: (() => void)[] = [];
  let left = refusals;
  const peer = peerOf(
    {
      "subscriptions/listen": ({ id, send, params }) => {
        if (breaks.length > 0 && left-- > 0) return Promise.reject(new Error("down"));
        send(subscribed(id, ACK, { notifications: params["notifications"] ?? null }));
        return new Promise((_, reject) => {
          breaks.push(() => reject(new Error("lost")));
        });
      },
    },
    { version },
  );
  return { ...peer, lose: () => breaks.at(-1)?.(), begun: () => breaks.length };
}

interface BreakingPeer extends Peer {
  lose(): void;
  begun(): number;
}

const ids = (peer: Peer): readonly Json[] => peer.wire().map(({ id }) => id ?? null);
const FAST = { relisten: { baseMs: 1, maxMs: 2 } };

describe("a lost subscription", () => {
  it("is asked for again under a new id, and says so", async () => {
    const peer = breaking(2);
    const connection = await connectedTo(peer);
    const granted: JsonObject[] = [];
    const heard: string[] = [];
    const listening = valueOf(
      await listen(
        connection,
        { promptsListChanged: true },
        { onRelisten: (filter) => granted.push(filter), onListChanged: (kind) => heard.push(kind) },
        FAST,
      ),
    );
    peer.lose();
    await until("it is there again", () => granted.length === 1);
    expect(granted).toEqual([{ promptsListChanged: true }]);
    peer.send(subscribed(ids(peer).at(-1) ?? null, "notifications/prompts/list_changed"));
    expect(heard).toEqual(["prompts"]);
    expect(new Set(ids(peer)).size).toBe(4);
    await listening.stop();
    expect(await listening.done).toEqual({ ok: true, value: { by: "client" } });
  });

  it("is given up after so many attempts, with why", async () => {
    const peer = breaking(Infinity);
    const connection = await connectedTo(peer);
    const relisten = { maxAttempts: 3, baseMs: 1 };
    const listening = valueOf(await listen(connection, {}, {}, { relisten }));
    peer.lose();
    expect(failureOf(await listening.done)).toMatchObject({
      tag: "transport",
      reason: "stream-failed",
    });
    expect(peer.wire()).toHaveLength(4);
  });

  it("is not asked for again for ever when it is lost at once every time", async () => {
    const peer = breaking(0);
    const connection = await connectedTo(peer);
    const relisten = { maxAttempts: 4, baseMs: 1 };
    let times = 0;
    const onRelisten = (): void => {
      times++;
      peer.lose();
    };
    const listening = valueOf(await listen(connection, {}, { onRelisten }, { relisten }));
    peer.lose();
    expect(failureOf(await listening.done).tag).toBe("transport");
    expect(times).toBe(4);
  });

  it("stays lost when nobody wants it again, and can be stopped while it waits", async () => {
    const peer = breaking(Infinity);
    const connection = await connectedTo(peer);
    const one = valueOf(await listen(connection, {}, {}, { relisten: false }));
    peer.lose();
    expect(failureOf(await one.done).tag).toBe("transport");
    const other = breaking(Infinity);
    const waiting = valueOf(
      await listen(await connectedTo(other), {}, {}, { relisten: { baseMs: 60_000 } }),
    );
    other.lose();
    await waiting.stop();
    expect(await waiting.done).toEqual({ ok: true, value: { by: "client" } });
  });

  it("makes onListChanged call its function once, since a change may have gone by", async () => {
    const peer = breaking(0);
    const connection: Connected = await connectedTo(peer);
    const heard: string[] = [];
    const subscription = valueOf(
      await onListChanged(connection, "tools", (kind) => heard.push(kind)),
    );
    peer.lose();
    await until("it was told", () => heard.length === 1);
    expect(peer.begun()).toBe(2);
    await subscription.unsubscribe();
  });
});

describe("the waits between attempts", () => {
  it("grow, up to their limit, and heed the server's wish, for any attempt", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 2000 }),
        fc.nat(),
        fc.nat(),
        anyFailure(),
        (attempt, baseMs, maxMs, failure) => {
          const waits = [attempt, attempt + 1].map((at) =>
            relistenDelayMs(at, { baseMs, maxMs }, failure),
          );
          expect(waits[0]).toBeLessThanOrEqual(waits[1] ?? 0);
          expect(waits[1]).toBeLessThanOrEqual(maxMs);
        },
      ),
    );
    const busy = { tag: "http-status", status: 503, body: "", retryAfterMs: 4000 } as const;
    expect(relistenDelayMs(1, {}, busy)).toBe(4000);
    expect(relistenDelayMs(1, {}, { tag: "timeout", timeoutMs: 1 })).toBe(500);
  });

  it("are for trouble on the way alone, for any failure", () => {
    fc.assert(
      fc.property(anyFailure(), (failure) => {
        const isFinal = [
          "rpc-error",
          "malformed-body",
          "cancelled",
          "closed",
          "unsupported",
          "limit",
        ];
        if (isFinal.includes(failure.tag)) expect(isLoss(failure)).toBe(false);
      }),
    );
    expect(isLoss({ tag: "http-status", status: 404, body: "" })).toBe(false);
    expect(isLoss({ tag: "http-status", status: 502, body: "" })).toBe(true);
  });
});

it("what is missing of a filter is what was wanted and not given, for any filters", () => {
  const anyFilter = fc.record(
    {
      toolsListChanged: fc.boolean(),
      promptsListChanged: fc.boolean(),
      resourceSubscriptions: fc.subarray(["a://1", "a://2"]),
    },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(anyFilter, anyFilter, (granted, asked) => {
      expect(missingIn(asked, asked)).toEqual([]);
      const missing = missingIn(granted, asked);
      for (const member of missing) expect(asked).toHaveProperty(member);
      expect(missing.includes("toolsListChanged")).toBe(
        asked.toolsListChanged === true && granted.toolsListChanged !== true,
      );
    }),
  );
});
