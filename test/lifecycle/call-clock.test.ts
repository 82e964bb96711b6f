import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { err, ok } from "../../src/failure.ts";
import { startCallClock } from "../../src/lifecycle/call-clock.ts";
import type { Limits } from "../../src/lifecycle/call-clock.ts";
import { startDeadline } from "../../src/lifecycle/deadline.ts";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
});
afterEach(() => {
  vi.useRealTimers();
});

const taking =
  (ms: number, seen: Limits[]) =>
  (limits: Limits): Promise<{ ok: true; value: number }> => {
    seen.push(limits);
    vi.advanceTimersByTime(ms);
    return Promise.resolve(ok(1));
  };

it("gives each request of a call what is left; the time between them is free", async () => {
  const seen: Limits[] = [];
  const clock = startCallClock(1000);
  await clock.run(taking(300, seen));
  vi.advanceTimersByTime(5000);
  await clock.run(taking(600, seen));
  await clock.run(taking(0, seen));
  expect(seen).toEqual([{ timeoutMs: 1000 }, { timeoutMs: 700 }, { timeoutMs: 100 }]);
});

it("has a cap that the time between requests counts towards", async () => {
  const seen: Limits[] = [];
  const clock = startCallClock(1000, 2000);
  await clock.run(taking(300, seen));
  vi.advanceTimersByTime(1500);
  await clock.run(taking(0, seen));
  expect(seen).toEqual([
    { timeoutMs: 1000, maxTotalMs: 2000 },
    { timeoutMs: 700, maxTotalMs: 200 },
  ]);
});

it("names the whole call's time in a timeout", async () => {
  const clock = startCallClock(1000, 2000);
  await clock.run(taking(300, []));
  const soft = await clock.run(() => Promise.resolve(err({ tag: "timeout", timeoutMs: 700 })));
  expect(soft).toEqual(err({ tag: "timeout", timeoutMs: 1000 }));
  const hard = await clock.run(({ maxTotalMs = 0 }) =>
    Promise.resolve(err({ tag: "timeout", timeoutMs: maxTotalMs })),
  );
  expect(hard).toEqual(err({ tag: "timeout", timeoutMs: 2000 }));
  const other = err({ tag: "peer-eof", exitCode: 1, signal: null });
  expect(await clock.run(() => Promise.resolve(other))).toBe(other);
});

it("counts a deadline down to nothing and never below", () => {
  const deadline = startDeadline(1000);
  vi.advanceTimersByTime(400);
  expect(deadline.remainingMs()).toBe(600);
  vi.advanceTimersByTime(5000);
  expect(deadline.remainingMs()).toBe(0);
  expect(deadline.totalMs).toBe(1000);
});
