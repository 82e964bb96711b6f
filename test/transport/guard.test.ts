import { getEventListeners } from "node:events";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { ok } from "../../src/failure.ts";
import type { Result } from "../../src/failure.ts";
import type { JsonObject } from "../../src/json.ts";
import { guardedOpen } from "../../src/transport/guard.ts";
import type { Inbound, OpenTransport, Transport } from "../../src/transport/transport.ts";
import { failureOf, valueOf } from "../support/results.ts";
import { fact } from "../support/until.ts";

const INBOUND: Inbound = {
  request: () => Promise.resolve(null),
  notification: () => undefined,
};
const BUDGET = { timeoutMs: 1000 };
const never = (): Promise<never> => new Promise(() => undefined);
const throws = (): never => {
  throw new Error("a foreign fault");
};

/** A well-behaved record, with these members in place of its own. */
function record(members: Record<string, unknown> = {}): Transport {
  return {
    rpc: () => Promise.resolve(ok({ fine: true })),
    notify: () => Promise.resolve(ok(undefined)),
    close: () => Promise.resolve(),
    ...members,
  };
}

function opening(transport: unknown): OpenTransport {
  return () => Promise.resolve(ok(transport as Transport));
}

function open(transport: unknown, inbound = INBOUND): Promise<Result<Transport>> {
  return guardedOpen(opening(transport), 1000)(inbound, {});
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
});
afterEach(() => {
  vi.useRealTimers();
});

describe("opening", () => {
  it.each<[string, OpenTransport, object]>([
    ["throws", throws, { tag: "transport", reason: "stream-failed" }],
    [
      "rejects",
      () => Promise.reject(new Error("x")),
      { tag: "transport", reason: "stream-failed" },
    ],
    ["hangs", never, { tag: "timeout", timeoutMs: 1000 }],
    ["gives no result", opening(undefined), { tag: "malformed-body" }],
    ["gives no record", () => Promise.resolve(5 as never), { tag: "malformed-body" }],
    [
      "fails by itself",
      () => Promise.resolve({ ok: false, failure: { tag: "config", detail: "d" } }),
      { tag: "config", detail: "d" },
    ],
  ])("that %s is a failure", async (_, foreign, failure) => {
    const opened = guardedOpen(foreign, 1000)(INBOUND, {});
    await vi.advanceTimersByTimeAsync(1000);
    expect(failureOf(await opened)).toMatchObject(failure);
    expect(vi.getTimerCount()).toBe(0);
  });

  it.each(["abort", "timeout"])("that comes after the %s is closed", async (how) => {
    const closed = vi.fn();
    const late = fact<Result<Transport>>();
    const controller = new AbortController();
    const opened = guardedOpen(() => late.promise, 1000)(INBOUND, { signal: controller.signal });
    if (how === "abort") controller.abort();
    else vi.advanceTimersByTime(1000);
    expect(failureOf(await opened).tag).toBe(how === "abort" ? "cancelled" : "timeout");
    late.resolve(ok(record({ close: closed })));
    await vi.advanceTimersByTimeAsync(0);
    expect(closed).toHaveBeenCalledWith({ hurry: true });
  });
});

describe("a record of the caller's own", () => {
  it("settles every function with a result, whatever its own give", async () => {
    const anyBehaviour = fc.oneof(
      fc.anything().map((value) => () => value),
      fc.anything().map((value) => () => Promise.resolve(value)),
      fc.anything().map((value) => () => Promise.reject(value)),
      fc.constant(throws),
      fc.constant(never),
      fc.anything().map((value) => () => Promise.resolve({ ok: true, value })),
      fc.anything().map((failure) => () => Promise.resolve({ ok: false, failure })),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.record({ rpc: anyBehaviour, notify: anyBehaviour, close: anyBehaviour }),
        fc.record(
          {
            stderr: anyBehaviour,
            session: anyBehaviour,
            listen: anyBehaviour,
            hold: anyBehaviour,
            cancel: anyBehaviour,
            closed: fc.anything(),
            kind: fc.anything(),
          },
          { requiredKeys: [] },
        ),
        async (needed, extras) => {
          const transport = valueOf(await open(record({ ...needed, ...extras })));
          const results = Promise.all([transport.rpc("x", {}, BUDGET), transport.notify("y")]);
          transport.stderr?.();
          transport.session?.();
          transport.listen?.()();
          transport.hold?.()();
          expect(typeof (transport.cancel?.(1) ?? false)).toBe("boolean");
          await vi.advanceTimersByTimeAsync(5000);
          for (const result of await results) {
            if (!result.ok) expect(result.failure.tag).toEqual(expect.any(String));
          }
          const closing = transport.close();
          await vi.advanceTimersByTimeAsync(5000);
          await closing;
          expect(vi.getTimerCount()).toBe(0);
        },
      ),
    );
  });

  it("that ignores the timeout and the signal does not defeat them (C218)", async () => {
    const transport = valueOf(await open(record({ rpc: never })));
    const timed = transport.rpc("x", {}, BUDGET);
    const controller = new AbortController();
    const aborted = transport.rpc("x", {}, { timeoutMs: Infinity, signal: controller.signal });
    controller.abort();
    expect(failureOf(await aborted)).toEqual({ tag: "cancelled", maybeExecuted: true });
    vi.advanceTimersByTime(1000);
    expect(failureOf(await timed)).toEqual({
      tag: "timeout",
      timeoutMs: 1000,
      maybeExecuted: true,
    });
    expect(getEventListeners(controller.signal, "abort")).toEqual([]);
  });

  it("is not asked at all with a signal that has fired", async () => {
    const rpc = vi.fn(never);
    const transport = valueOf(await open(record({ rpc })));
    const call = transport.rpc("x", {}, { ...BUDGET, signal: AbortSignal.abort() });
    expect(failureOf(await call)).toEqual({ tag: "cancelled", maybeExecuted: false });
    expect(rpc).not.toHaveBeenCalled();
  });

  it("that hangs in close is closed in bounded time, and everything pending is closed", async () => {
    const transport = valueOf(await open(record({ rpc: never, close: never })));
    const call = transport.rpc("x", {}, { timeoutMs: Infinity });
    const closing = transport.close();
    expect(transport.close()).toBe(closing);
    expect(failureOf(await call)).toMatchObject({ tag: "closed", by: "client" });
    expect(failureOf(await transport.rpc("x", {}, BUDGET))).toEqual({
      tag: "closed",
      by: "client",
      maybeExecuted: false,
    });
    expect(failureOf(await transport.notify("x"))).toEqual({ tag: "closed", by: "client" });
    await vi.advanceTimersByTimeAsync(5000);
    await closing;
  });

  it("may be of a class: what its author need not write is found and works too", async () => {
    class Own {
      readonly #lines = ["said"];
      rpc(): Promise<Result<JsonObject>> {
        return Promise.resolve(ok({ lines: this.#lines.length }));
      }
      notify(): Promise<Result<void>> {
        return Promise.resolve(ok(undefined));
      }
      close(): Promise<void> {
        return Promise.resolve();
      }
      stderr(): readonly string[] {
        return this.#lines;
      }
      session(): object {
        return { sessionId: String(this.#lines.length), lastEventId: null };
      }
      listen(): () => void {
        return () => void this.#lines.push("ended");
      }
      hold(): () => void {
        return () => void this.#lines.push("let go");
      }
      cancel(id: unknown): boolean {
        return id === this.#lines.length;
      }
    }
    const transport = valueOf(await open(new Own()));
    expect(valueOf(await transport.rpc("x", {}, BUDGET))).toEqual({ lines: 1 });
    expect(transport.session?.().sessionId).toBe("1");
    transport.listen?.()();
    transport.hold?.()();
    expect(transport.stderr?.()).toEqual(["said", "ended", "let go"]);
    expect(transport.cancel?.(3)).toBe(true);
    expect(transport.cancel?.(4)).toBe(false);
  });

  it("says how it ended even when its own promise for that rejects", async () => {
    const transport = valueOf(await open(record({ closed: Promise.reject(new Error("x")) })));
    expect(await transport.closed).toMatchObject({ failure: { tag: "transport" }, exitCode: null });
  });

  it("keeps its word for what it is; without one it is `own`", async () => {
    expect(valueOf(await open(record({ kind: "carrier pigeon" }))).kind).toBe("carrier pigeon");
    expect(valueOf(await open(record())).kind).toBe("own");
  });

  it("has its clocks stopped while the server's question is answered", async () => {
    const answer = fact<null>();
    let ask: Inbound["request"] = () => Promise.resolve(null);
    const foreign: OpenTransport = (inbound) => {
      ask = inbound.request;
      return Promise.resolve(ok(record({ rpc: never })));
    };
    const inbound = { ...INBOUND, request: () => answer.promise };
    const transport = valueOf(await guardedOpen(foreign, 1000)(inbound, {}));
    const call = transport.rpc("tools/call", {}, BUDGET);
    const settled = vi.fn();
    void call.then(settled);
    await vi.advanceTimersByTimeAsync(900);
    void ask({});
    await vi.advanceTimersByTimeAsync(5000);
    answer.resolve(null);
    await vi.advanceTimersByTimeAsync(99);
    expect(settled).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    expect(failureOf(await call)).toMatchObject({ tag: "timeout" });
  });

  it("has its time renewed by progress when that is wanted", async () => {
    const rpc: Transport["rpc"] = (_, __, { onProgress }) => {
      setTimeout(() => onProgress?.({ progress: 1 }), 800);
      return never();
    };
    const transport = valueOf(await open(record({ rpc })));
    const options = { ...BUDGET, onProgress: () => undefined };
    const renewed = transport.rpc("x", {}, { ...options, resetTimeoutOnProgress: true });
    const plain = transport.rpc("x", {}, options);
    await vi.advanceTimersByTimeAsync(1000);
    expect(failureOf(await plain)).toMatchObject({ tag: "timeout" });
    const settled = vi.fn();
    void renewed.then(settled);
    await vi.advanceTimersByTimeAsync(799);
    expect(settled).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    expect(failureOf(await renewed)).toMatchObject({ tag: "timeout", timeoutMs: 1000 });
  });
});
