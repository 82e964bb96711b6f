/**
 * The time of one call that takes several requests: waiting for a person between them is free.
 */
import { err } from "../failure.ts";
import type { Result } from "../failure.ts";

/** What is left for the next request of a call, in milliseconds. */
export interface Limits {
  readonly timeoutMs: number;
  readonly maxTotalMs?: number;
}

/** The clock of one call. */
export interface CallClock {
  /** Runs one request within what is left; a `timeout` names the whole call's time. */
  run<T>(request: (limits: Limits) => Promise<Result<T>>): Promise<Result<T>>;
}

/** A clock with so much time for requests, and a cap on the whole. */
export function startCallClock(timeoutMs: number, maxTotalMs: number = Infinity): CallClock {
  const startedAt = performance.now();
  let usedMs = 0;
  return {
    run: async (request) => {
      const sentAt = performance.now();
      const capMs = Math.max(0, maxTotalMs - (sentAt - startedAt));
      const answer = await request({
        timeoutMs: Math.max(0, timeoutMs - usedMs),
        ...(maxTotalMs === Infinity ? {} : { maxTotalMs: capMs }),
      });
      usedMs += performance.now() - sentAt;
      if (answer.ok || answer.failure.tag !== "timeout") return answer;
      const isCap = answer.failure.timeoutMs === capMs;
      return err({ ...answer.failure, timeoutMs: isCap ? maxTotalMs : timeoutMs });
    },
  };
}
