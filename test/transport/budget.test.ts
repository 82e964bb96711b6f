import fc from "fast-check";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { startBudget } from "../../src/transport/budget.ts";

const LONGEST_TIMER_MS = 2 ** 31 - 1;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
});
afterEach(() => {
  vi.useRealTimers();
});

type Step =
  | { readonly kind: "pass"; readonly ms: number }
  | { readonly kind: "spend"; readonly ms: number }
  | { readonly kind: "pause" | "resume" | "renew" };

const anyStep = (): fc.Arbitrary<Step> =>
  fc.oneof(
    fc.record({ kind: fc.constant("pass" as const), ms: fc.nat(400) }),
    fc.record({ kind: fc.constant("spend" as const), ms: fc.nat(100) }),
    fc.record({ kind: fc.constantFrom("pause" as const, "resume" as const, "renew" as const) }),
  );

/** The clock as simple arithmetic: what is left, and when the cap is reached. */
interface Model {
  now: number;
  left: number;
  pauses: number;
  /** When it runs out, and which time may be named: either, when both end at once. */
  expired: { readonly at: number; readonly named: readonly number[] } | null;
}

function step(model: Model, one: Step, timeoutMs: number, capMs: number): void {
  if (model.expired !== null) return;
  switch (one.kind) {
    case "pass":
      return pass(model, one.ms, { timeoutMs, capMs });
    case "spend":
      model.left = Math.max(0, model.left - one.ms);
      return;
    case "renew":
      model.left = timeoutMs;
      return;
    case "pause":
      model.pauses++;
      return;
    case "resume":
      model.pauses = Math.max(0, model.pauses - 1);
  }
}

function pass(model: Model, ms: number, limits: { timeoutMs: number; capMs: number }): void {
  const softAt = model.pauses > 0 ? Infinity : model.now + model.left;
  const at = Math.min(softAt, limits.capMs);
  const end = model.now + ms;
  if (model.pauses === 0) model.left -= Math.min(ms, model.left);
  model.now = end;
  if (at > end) return;
  const { timeoutMs, capMs } = limits;
  const named = [...(softAt === at ? [timeoutMs] : []), ...(capMs === at ? [capMs] : [])];
  model.expired = { at, named };
}

it("runs out once, when its running time or its cap is over and not before, for any use of it", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 1000 }),
      fc.oneof(fc.integer({ min: 1, max: 2000 }), fc.constant(Infinity)),
      fc.array(anyStep(), { maxLength: 20 }),
      (timeoutMs, capMs, steps) => {
        const startedAt = performance.now();
        const expired: { at: number; ms: number }[] = [];
        const budget = startBudget(timeoutMs, capMs, (ms) => {
          expired.push({ at: performance.now() - startedAt, ms });
          budget.stop();
        });
        const model: Model = { now: 0, left: timeoutMs, pauses: 0, expired: null };
        for (const one of steps) {
          if (one.kind === "pass") vi.advanceTimersByTime(one.ms);
          else if (one.kind === "spend") budget.spend(one.ms);
          else budget[one.kind]();
          step(model, one, timeoutMs, capMs);
          // What was spent to the end rings with the next tick of the clock.
          if (model.expired !== null || model.left === 0) break;
        }
        expect(expired).toHaveLength(model.expired === null ? 0 : 1);
        for (const { at, ms } of expired) {
          expect(at).toBe(model.expired?.at);
          expect(model.expired?.named).toContain(ms);
        }
        budget.stop();
        expect(vi.getTimerCount()).toBe(0);
      },
    ),
  );
});

it("knows what is left, for any use of it", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1000, max: 100_000 }),
      fc.array(anyStep(), { maxLength: 10 }),
      (timeoutMs, steps) => {
        const budget = startBudget(timeoutMs, Infinity, () => undefined);
        const model: Model = { now: 0, left: timeoutMs, pauses: 0, expired: null };
        for (const one of steps) {
          if (one.kind === "pass") vi.advanceTimersByTime(one.ms);
          else if (one.kind === "spend") budget.spend(one.ms);
          else budget[one.kind]();
          step(model, one, timeoutMs, Infinity);
          if (model.expired !== null) break;
        }
        expect(budget.leftMs()).toBe(model.left);
        budget.stop();
      },
    ),
  );
});

it("fires neither early nor never beyond what a timer can hold, for any such time", () => {
  const delays = vi.spyOn(globalThis, "setTimeout");
  fc.assert(
    fc.property(fc.integer({ min: LONGEST_TIMER_MS - 2, max: 5 * LONGEST_TIMER_MS }), (ms) => {
      const expired: number[] = [];
      const budget = startBudget(ms, Infinity, (elapsed) => expired.push(elapsed));
      // A longer delay would fire at once, again and again.
      expect(delays.mock.lastCall?.[1]).toBeLessThanOrEqual(LONGEST_TIMER_MS);
      // Node's own timers are up to a millisecond early.
      vi.advanceTimersByTime(ms - 2);
      expect(expired).toEqual([]);
      vi.advanceTimersByTime(2);
      expect(expired).toEqual([ms]);
      budget.stop();
    }),
    { numRuns: 20, examples: [[LONGEST_TIMER_MS], [LONGEST_TIMER_MS + 1]] },
  );
  delays.mockRestore();
});

it("sets no timer when nothing limits it", () => {
  const budget = startBudget(Infinity, Infinity, () => expect.fail("it fired"));
  budget.renew();
  budget.pause();
  budget.resume();
  budget.spend(5);
  expect(vi.getTimerCount()).toBe(0);
  expect(budget.leftMs()).toBe(Infinity);
});

it("runs out at once when there is no time at all, but never within the call that starts it", () => {
  const expired: number[] = [];
  startBudget(0, Infinity, (ms) => expired.push(ms));
  startBudget(-5, Infinity, (ms) => expired.push(ms));
  expect(expired).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(expired).toEqual([0, -5]);
});

it("stays silent when it is paused, resumed or stopped again after its end", () => {
  const budget = startBudget(100, 1000, () => expect.fail("it fired"));
  budget.stop();
  budget.pause();
  budget.resume();
  budget.stop();
  vi.advanceTimersByTime(5000);
  expect(vi.getTimerCount()).toBe(0);
});
