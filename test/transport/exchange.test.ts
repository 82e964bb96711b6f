import { getEventListeners } from "node:events";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Failure, Result } from "../../src/failure.ts";
import type { Json, JsonObject } from "../../src/json.ts";
import { createExchange, endExchange, exchangeRpc, receive } from "../../src/transport/exchange.ts";
import type { Exchange, Pending } from "../../src/transport/exchange.ts";
import { noRedaction } from "../../src/redact.ts";
import type { Inbound, Note, RpcOptions } from "../../src/transport/transport.ts";
import { anyJson } from "../support/arbitraries.ts";
import { failureOf, valueOf } from "../support/results.ts";
import { fact } from "../support/until.ts";

/** A table whose wire is an array, with everything it tells its transport. */
interface Bench {
  readonly exchange: Exchange;
  /** The requests that went out, in order. */
  readonly sent: JsonObject[];
  readonly abandoned: string[];
  readonly notes: Note[];
  readonly replies: JsonObject[];
  rpc(
    method: string,
    options?: Partial<RpcOptions>,
    params?: JsonObject,
  ): Promise<Result<JsonObject>>;
  get(message: Json): void;
}

function bench(inbound: Partial<Inbound> = {}): Bench {
  const sent: JsonObject[] = [];
  const abandoned: string[] = [];
  const notes: Note[] = [];
  const replies: JsonObject[] = [];
  const exchange = createExchange({
    inbound: {
      request: () => Promise.resolve(null),
      notification: () => undefined,
      note: (note) => notes.push(note),
      ...inbound,
    },
    redact: noRedaction,
    abandoned: (pending: Pending, reason) => abandoned.push(`${pending.id} ${reason}`),
  });
  return {
    exchange,
    sent,
    abandoned,
    notes,
    replies,
    rpc: (method, options, params) =>
      exchangeRpc(
        exchange,
        { method, params, options: { timeoutMs: Infinity, ...options } },
        (message) => {
          sent.push(message);
          return Promise.resolve(null);
        },
      ),
    get: (message) => receive(exchange, message, { reply: (reply) => replies.push(reply) }),
  };
}

const FAKED = { toFake: ["setTimeout", "clearTimeout", "performance"] } as const;

describe("any interleaving of what can happen to requests", () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: [...FAKED.toFake] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  type Event =
    | { readonly kind: "call"; readonly timeoutMs: number }
    | { readonly kind: "pass"; readonly ms: number }
    | { readonly kind: "answer" | "refuse" | "answer-as-text" | "abort"; readonly of: number }
    | { readonly kind: "ask" | "ask-as-text"; readonly of: number }
    | { readonly kind: "stray"; readonly message: Json }
    | { readonly kind: "end" };

  /** What became of a request: the first thing that decides it. */
  interface Expected {
    readonly deadline: number;
    outcome: string | null;
  }

  const anyEvent = (): fc.Arbitrary<Event> =>
    fc.oneof(
      {
        weight: 6,
        arbitrary: fc.record({
          kind: fc.constant("call" as const),
          timeoutMs: fc.oneof(fc.integer({ min: 1, max: 100 }), fc.constant(Infinity)),
        }),
      },
      {
        weight: 2,
        arbitrary: fc.record({ kind: fc.constant("pass" as const), ms: fc.nat(60) }),
      },
      {
        weight: 8,
        arbitrary: fc.record({
          kind: fc.constantFrom(
            "answer" as const,
            "refuse" as const,
            "answer-as-text" as const,
            "abort" as const,
            "ask" as const,
            "ask-as-text" as const,
          ),
          of: fc.nat(5),
        }),
      },
      {
        weight: 2,
        arbitrary: fc.record({ kind: fc.constant("stray" as const), message: anyStray() }),
      },
      { weight: 1, arbitrary: fc.constant({ kind: "end" as const }) },
    );

  it("settles each request once, by the first event that decides it (C191, C192, C195)", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyEvent(), { maxLength: 30 }), async (events) => {
        const table = bench();
        const model = { now: 0, hasEnded: false, calls: [] as Expected[] };
        const outcomes: string[][] = [];
        const aborts: AbortController[] = [];
        for (const event of events) {
          if (event.kind === "call") {
            const controller = new AbortController();
            const settled: string[] = [];
            aborts.push(controller);
            outcomes.push(settled);
            const { timeoutMs } = event;
            void table
              .rpc("tools/call", { timeoutMs, signal: controller.signal })
              .then((result) => settled.push(outcomeOf(result)));
          }
          await happen(table, event, aborts);
          expectEvent(model, event);
          expect(outcomes.map((settled) => settled.join())).toEqual(
            model.calls.map(({ outcome }) => outcome ?? ""),
          );
          const waiting = model.calls.filter(({ outcome }) => outcome === null).length;
          expect(table.exchange.pending.size).toBe(waiting);
        }
        endExchange(table.exchange, { tag: "closed", by: "client" });
        await Promise.resolve();
        expect(table.exchange.pending.size).toBe(0);
        expect(vi.getTimerCount()).toBe(0);
        expect(table.abandoned).toHaveLength(
          model.calls.filter(({ outcome }) => ["timeout", "cancelled"].includes(outcome ?? ""))
            .length,
        );
        expect(outcomes.every((settled) => settled.length === 1)).toBe(true);
      }),
    );
  });

  /** Messages that belong to no request of ours. */
  function anyStray(): fc.Arbitrary<Json> {
    const id = fc.oneof(
      fc.integer({ min: 100, max: 200 }),
      fc.constantFrom("x", "", 0, -1, 1.5, null),
    );
    return fc.oneof(
      anyJson().filter((value) => JSON.stringify(value)?.includes('"id"') !== true),
      id.map((id) => ({ id, result: {} })),
      id.map((id) => ({ jsonrpc: "2.0", id, method: "ping" })),
      fc.constant({ jsonrpc: "2.0", method: "notifications/progress", params: {} }),
    );
  }

  async function happen(
    table: Bench,
    event: Event,
    aborts: readonly AbortController[],
  ): Promise<void> {
    const id = (of: number): number => Number(table.sent[of]?.["id"] ?? 1000 + of);
    if (event.kind === "pass") vi.advanceTimersByTime(event.ms);
    else if (event.kind === "answer") table.get({ jsonrpc: "2.0", id: id(event.of), result: {} });
    else if (event.kind === "answer-as-text") table.get({ id: String(id(event.of)), result: {} });
    else if (event.kind === "refuse")
      table.get({ id: id(event.of), error: { code: 0, message: "" } });
    else if (event.kind === "ask") table.get({ id: id(event.of), method: "ping" });
    else if (event.kind === "ask-as-text")
      table.get({ id: String(id(event.of)), method: "x", result: {} });
    else if (event.kind === "abort") aborts[event.of]?.abort();
    else if (event.kind === "stray") table.get(event.message);
    else if (event.kind === "end")
      endExchange(table.exchange, { tag: "peer-eof", exitCode: 1, signal: null });
    for (let turn = 0; turn < 5; turn++) await Promise.resolve();
  }

  function expectEvent(
    model: { now: number; hasEnded: boolean; calls: Expected[] },
    event: Event,
  ): void {
    const settle = (call: Expected | undefined, outcome: string): void => {
      if (call !== undefined) call.outcome ??= outcome;
    };
    if (event.kind === "call") {
      model.calls.push({
        deadline: model.now + event.timeoutMs,
        outcome: model.hasEnded ? "peer-eof" : null,
      });
    } else if (event.kind === "pass") {
      model.now += event.ms;
      for (const call of model.calls) if (call.deadline <= model.now) settle(call, "timeout");
    } else if (event.kind === "answer" || event.kind === "answer-as-text") {
      settle(model.calls[event.of], "ok");
    } else if (event.kind === "refuse") settle(model.calls[event.of], "rpc-error");
    else if (event.kind === "abort") settle(model.calls[event.of], "cancelled");
    else if (event.kind === "end") {
      model.hasEnded = true;
      for (const call of model.calls) settle(call, "peer-eof");
    }
  }

  function outcomeOf(result: Result<JsonObject>): string {
    return result.ok ? "ok" : result.failure.tag;
  }
});

it("numbers its requests from 1, on each connection (C190)", async () => {
  for (const table of [bench(), bench()]) {
    void table.rpc("a");
    void table.rpc("b");
    expect(table.sent.map((message) => message["id"])).toEqual([1, 2]);
  }
});

it("waits before it sends: an answer that comes within the sending is taken (C191)", async () => {
  const { exchange } = bench();
  const call = { method: "x", params: undefined, options: { timeoutMs: Infinity } };
  const answer = await exchangeRpc(exchange, call, ({ id }) => {
    receive(exchange, { jsonrpc: "2.0", id, result: { at: "once" } }, { reply: () => undefined });
    return Promise.resolve(null);
  });
  expect(valueOf(answer)).toEqual({ at: "once" });
});

it("leaves no listener on a shared signal after 1000 calls, and one while they wait", async () => {
  const table = bench();
  const { signal } = new AbortController();
  const warnings: Error[] = [];
  const onWarning = (warning: Error): void => void warnings.push(warning);
  process.on("warning", onWarning);
  const calls = Array.from({ length: 1000 }, () => table.rpc("tools/call", { signal }));
  expect(getEventListeners(signal, "abort")).toHaveLength(1);
  for (const { id } of table.sent) table.get({ id: id ?? null, result: {} });
  await Promise.all(calls);
  expect(getEventListeners(signal, "abort")).toHaveLength(0);
  await new Promise((resolve) => setImmediate(resolve));
  process.off("warning", onWarning);
  expect(warnings).toEqual([]);
});

it("aborts every call that shares a signal", async () => {
  const table = bench();
  const controller = new AbortController();
  const calls = Array.from({ length: 20 }, () => table.rpc("x", { signal: controller.signal }));
  controller.abort();
  const failures = (await Promise.all(calls)).map(failureOf);
  expect(new Set(failures.map(({ tag }) => tag))).toEqual(new Set(["cancelled"]));
  expect(getEventListeners(controller.signal, "abort")).toHaveLength(0);
});

describe("what never reaches the wire", () => {
  it("sends nothing for a signal that has fired", async () => {
    const table = bench();
    expect(await table.rpc("x", { signal: AbortSignal.abort() })).toEqual({
      ok: false,
      failure: { tag: "cancelled", maybeExecuted: false },
    });
    expect(table.sent).toEqual([]);
  });

  it("gives the cause of the end for every later request (C199)", async () => {
    const table = bench();
    endExchange(table.exchange, { tag: "closed", by: "client" });
    endExchange(table.exchange, { tag: "peer-eof", exitCode: 1, signal: null });
    const expected = { tag: "closed", by: "client", maybeExecuted: false };
    expect(failureOf(await table.rpc("x"))).toEqual(expected);
  });

  it.each<[Failure, boolean]>([
    [{ tag: "transport", reason: "dns", detail: "" }, false],
    [{ tag: "transport", reason: "connect-failed", detail: "" }, false],
    [{ tag: "transport", reason: "tls", detail: "" }, false],
    [{ tag: "transport", reason: "spawn-failed", detail: "" }, false],
    [{ tag: "transport", reason: "proxy", detail: "" }, false],
    [{ tag: "invalid-argument", detail: "" }, false],
    [{ tag: "transport", reason: "write-failed", detail: "" }, true],
    [{ tag: "transport", reason: "reset", detail: "" }, true],
    [{ tag: "http-status", status: 503, body: "" }, true],
    [{ tag: "closed", by: "session-expired", maybeExecuted: false }, false],
  ])("says whether a request can have been executed: %j %s", async (failure, maybeExecuted) => {
    const { exchange } = bench();
    const call = { method: "x", params: undefined, options: { timeoutMs: Infinity } };
    const answer = await exchangeRpc(exchange, call, () => Promise.resolve(failure));
    expect(failureOf(answer)).toEqual({ ...failure, maybeExecuted });
  });
});

describe("answers", () => {
  it("takes neither a request nor a notification for one, whatever else it holds (C195)", async () => {
    const table = bench();
    const call = table.rpc("tools/call");
    table.get({ jsonrpc: "2.0", id: 1, method: "ping" });
    table.get({ jsonrpc: "2.0", id: 1, method: "x", result: { taken: "wrongly" } });
    table.get({ jsonrpc: "2.0", method: "x", result: { taken: "wrongly" } });
    expect(table.exchange.pending.size).toBe(1);
    table.get({ jsonrpc: "2.0", id: 1, result: { right: true } });
    expect(valueOf(await call)).toEqual({ right: true });
  });

  it("counts a late or foreign answer, and names it in a timeout (C192)", async () => {
    const table = bench();
    const late = await table.rpc("x", { timeoutMs: 1 });
    table.get({ id: 1, result: {} });
    expect(failureOf(late)).toMatchObject({ tag: "timeout", timeoutMs: 1 });
    expect(table.exchange.unmatched).toBe(1);
    expect(table.notes).toEqual([
      { code: "unmatched-answer", detail: "an answer came that no request waited for" },
    ]);
    expect(failureOf(await table.rpc("y", { timeoutMs: 1 }))).toEqual({
      tag: "timeout",
      timeoutMs: 1,
      detail: "1 answer(s) with another id, the last 1",
      maybeExecuted: true,
    });
  });

  it("takes an error of code 0, and one beside a result, for an error", async () => {
    const table = bench();
    const calls = [table.rpc("a"), table.rpc("b"), table.rpc("c")];
    table.get({ id: 1, error: { code: 0, message: "zero" } });
    table.get({ id: 2, result: {}, error: { code: 1, message: "both" } });
    table.get({ id: 3, result: { fine: 1 }, error: null });
    const [zero, both, fine] = await Promise.all(calls);
    expect(failureOf(zero!)).toMatchObject({ tag: "rpc-error", code: 0, message: "zero" });
    expect(failureOf(both!)).toMatchObject({ tag: "rpc-error", code: 1 });
    expect(valueOf(fine!)).toEqual({ fine: 1 });
  });

  it.each<[Json, string]>([
    [{ id: 1, result: null }, "result is null, not an object"],
    [{ id: 1, result: [] }, "result is an array, not an object"],
    [{ id: 1, result: "x" }, "result is a string, not an object"],
    [{ id: 1, error: "x" }, "error is a string, not an object"],
    [{ id: 1, error: { message: "x" } }, "error without a numeric code"],
    [{ id: 1, error: { code: "5" } }, "error without a numeric code"],
  ])("settles at once when it has the wrong shape: %j", async (message, detail) => {
    const table = bench();
    const call = table.rpc("x");
    table.get(message);
    expect(failureOf(await call)).toMatchObject({ tag: "malformed-body", detail });
  });

  it("takes an error without an id for the only request that waits", async () => {
    const table = bench();
    const call = table.rpc("x");
    table.get({ jsonrpc: "2.0", id: null, error: { code: -32700, message: "unreadable" } });
    expect(failureOf(await call)).toMatchObject({ code: -32700 });
    const two = [table.rpc("y"), table.rpc("z")];
    table.get({ jsonrpc: "2.0", id: null, error: { code: -32700, message: "whose?" } });
    expect(table.exchange.pending.size).toBe(2);
    endExchange(table.exchange, { tag: "closed", by: "client" });
    await Promise.all(two);
  });

  it("takes an id as text and an array of messages in the initialize era only", async () => {
    for (const era of ["legacy", "modern"] as const) {
      const table = bench();
      void table.rpc("x", { era });
      void table.rpc("y", { era });
      table.get({ id: "1", result: {} });
      table.get([{ id: 2, result: {} }]);
      expect(table.exchange.pending.size).toBe(era === "legacy" ? 0 : 2);
    }
  });

  it("notes what is no message, and goes on, for any JSON (C193)", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyJson(), { maxLength: 5 }), async (junk) => {
        const table = bench();
        const call = table.rpc("x");
        for (const value of junk) table.get(value);
        table.get({ id: 1, result: { fine: true } });
        expect(valueOf(await call)).toEqual({ fine: true });
      }),
    );
  });
});

describe("requests of the peer", () => {
  it("answers each on its own, beside reading, and again under a used id (C100)", async () => {
    const held = fact<JsonObject>();
    const table = bench({
      request: ({ id, method }) =>
        method === "slow" ? held.promise : Promise.resolve({ jsonrpc: "2.0", id, result: {} }),
    });
    table.get({ id: 7, method: "slow" });
    table.get({ id: 8, method: "ping" });
    table.get({ id: 8, method: "ping" });
    await vi.waitFor(() => expect(table.replies).toHaveLength(2));
    held.resolve({ jsonrpc: "2.0", id: 7, result: { late: true } });
    await vi.waitFor(() => expect(table.replies).toHaveLength(3));
    expect(table.replies.at(-1)).toEqual({ jsonrpc: "2.0", id: 7, result: { late: true } });
  });

  it("answers with an internal error when answering throws, and never says why (B12)", async () => {
    const table = bench({
      request: () => {
        throw new Error("a secret");
      },
    });
    table.get({ id: 0, method: "x" });
    await vi.waitFor(() => expect(table.replies).toHaveLength(1));
    const error = { code: -32603, message: "Internal error" };
    expect(table.replies).toEqual([{ jsonrpc: "2.0", id: 0, error }]);
  });

  it("stops answering what the peer withdraws, and sends nothing (B12)", async () => {
    const aborted = fact<void>();
    const table = bench({
      request: (_, options) =>
        new Promise((resolve) => {
          options?.signal?.addEventListener("abort", () => {
            resolve({ jsonrpc: "2.0", id: 5, result: {} });
            aborted.resolve();
          });
        }),
    });
    table.get({ id: 5, method: "elicitation/create" });
    table.get({ method: "notifications/cancelled", params: { requestId: 6 } });
    table.get({ method: "notifications/cancelled", params: { requestId: 5 } });
    await aborted.promise;
    await new Promise((resolve) => setImmediate(resolve));
    expect(table.replies).toEqual([]);
    expect(table.exchange.peerRequests.open.size).toBe(0);
  });

  it("stops the clocks of the calls that may have caused it, and no others", async () => {
    vi.useFakeTimers({ toFake: [...FAKED.toFake] });
    try {
      const held = fact<null>();
      const table = bench({ request: () => held.promise });
      const call = table.rpc("tools/call", { timeoutMs: 100 });
      const list = table.rpc("tools/list", { timeoutMs: 100 });
      vi.advanceTimersByTime(60);
      table.get({ id: 9, method: "elicitation/create" });
      vi.advanceTimersByTime(1000);
      expect(failureOf(await list)).toMatchObject({ tag: "timeout" });
      held.resolve(null);
      await vi.advanceTimersByTimeAsync(39);
      expect(table.exchange.pending.size).toBe(1);
      await vi.advanceTimersByTimeAsync(1);
      expect(failureOf(await call)).toMatchObject({ tag: "timeout", timeoutMs: 100 });
    } finally {
      vi.useRealTimers();
    }
  });

  it("tells whoever answers that nobody needs the answer when all such calls are over", async () => {
    const signals: AbortSignal[] = [];
    const table = bench({
      request: (_, options) => {
        if (options?.signal !== undefined) signals.push(options.signal);
        return new Promise(() => undefined);
      },
    });
    const calls = [table.rpc("tools/call"), table.rpc("prompts/get")];
    table.get({ id: 9, method: "elicitation/create" });
    table.get({ id: 1, result: {} });
    await calls[0];
    expect(signals[0]?.aborted).toBe(false);
    table.get({ id: 2, result: {} });
    await calls[1];
    expect(signals[0]?.aborted).toBe(true);
  });
});

describe("progress", () => {
  it("carries the request's id as token when it is wanted, and the caller's own as it is", () => {
    const table = bench();
    const onProgress = (): void => undefined;
    void table.rpc("a", { onProgress }, { name: "t" });
    void table.rpc("b", { onProgress, meta: { progressToken: 77 } });
    void table.rpc("c", { meta: { progressToken: "own", more: 1 } }, { _meta: { kept: true } });
    void table.rpc("d", {}, { name: "t" });
    expect(table.sent.map((message) => message["params"])).toEqual([
      { name: "t", _meta: { progressToken: 1 } },
      { _meta: { progressToken: 77 } },
      { _meta: { progressToken: "own", more: 1, kept: true } },
      { name: "t" },
    ]);
    endExchange(table.exchange, { tag: "closed", by: "client" });
  });

  it("reaches the call it belongs to, before its result, in order, for any interleaving", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(2), { maxLength: 20 }), async (owners) => {
        const table = bench();
        const seen: string[][] = [[], [], []];
        const calls = seen.map((own) =>
          table
            .rpc("tools/call", { onProgress: ({ progress }) => own.push(String(progress)) })
            .then(() => own.push("result")),
        );
        for (const [i, owner] of owners.entries()) {
          const params = { progressToken: owner + 1, progress: i };
          table.get({ method: "notifications/progress", params });
        }
        for (const id of [1, 2, 3]) table.get({ id, result: {} });
        table.get({ method: "notifications/progress", params: { progressToken: 1, progress: 99 } });
        await Promise.all(calls);
        const expected = [0, 1, 2].map((call) => [
          ...owners.flatMap((owner, i) => (owner === call ? [String(i)] : [])),
          "result",
        ]);
        expect(seen).toEqual(expected);
      }),
    );
  });

  it("renews the time of a call that asked for that, never past its cap", async () => {
    vi.useFakeTimers({ toFake: [...FAKED.toFake] });
    try {
      const table = bench();
      const options = { onProgress: () => undefined, resetTimeoutOnProgress: true };
      const renewed = table.rpc("x", { ...options, timeoutMs: 100, maxTotalMs: 450 });
      const plain = table.rpc("y", { onProgress: () => undefined, timeoutMs: 100 });
      for (let i = 0; i < 5; i++) {
        vi.advanceTimersByTime(80);
        for (const progressToken of [1, 2]) {
          table.get({ method: "notifications/progress", params: { progressToken, progress: i } });
        }
      }
      expect(failureOf(await plain)).toMatchObject({ tag: "timeout", timeoutMs: 100 });
      expect(table.exchange.pending.size).toBe(1);
      vi.advanceTimersByTime(50);
      expect(failureOf(await renewed)).toMatchObject({ tag: "timeout", timeoutMs: 450 });
    } finally {
      vi.useRealTimers();
    }
  });

  it("survives handlers that throw, and notes it", async () => {
    const fails = (): never => {
      throw new Error("mine");
    };
    const table = bench({ notification: fails });
    const call = table.rpc("x", { onProgress: fails, onNotification: fails });
    table.get({ method: "notifications/progress", params: { progressToken: 1, progress: 1 } });
    table.get({ id: 1, result: {} });
    expect(valueOf(await call)).toEqual({});
    expect(table.notes.map(({ code }) => code)).toEqual(Array(3).fill("handler-threw"));
  });
});
