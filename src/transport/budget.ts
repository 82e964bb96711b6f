/**
 * The clock of one request: runs out once, can be paused, and never fires early.
 */

/** A running clock. */
export interface Budget {
  /** Stops counting until `resume`; calls nest. */
  pause(): void;
  resume(): void;
  /** Starts the whole time anew; the cap goes on. */
  renew(): void;
  /** Ends the clock; it will not fire any more. */
  stop(): void;
}

/** The longest delay `setTimeout` takes; it fires at once for more. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

const NO_BUDGET: Budget = {
  pause: () => undefined,
  resume: () => undefined,
  renew: () => undefined,
  stop: () => undefined,
};

/**
 * Starts a clock that calls `onExpire` with the time that ran out.
 *
 * @param timeoutMs - The time that pausing and renewing affect; Infinity = none, and no timer.
 * @param maxTotalMs - A second time that neither pausing nor renewing affects.
 */
export function startBudget(
  timeoutMs: number,
  maxTotalMs: number,
  onExpire: (elapsedMs: number) => void,
): Budget {
  if (timeoutMs === Infinity && maxTotalMs === Infinity) return NO_BUDGET;
  const soft = startAlarm(timeoutMs, () => onExpire(timeoutMs));
  const hard = startAlarm(maxTotalMs, () => onExpire(maxTotalMs));
  let pauses = 0;
  return {
    pause: () => {
      if (pauses++ === 0) soft.hold();
    },
    resume: () => {
      if (pauses > 0 && --pauses === 0) soft.release();
    },
    renew: () => soft.renew(pauses === 0),
    stop: () => {
      soft.stop();
      hard.stop();
    },
  };
}

interface Alarm {
  hold(): void;
  release(): void;
  renew(running: boolean): void;
  stop(): void;
}

function startAlarm(durationMs: number, ring: () => void): Alarm {
  let leftMs = Math.max(0, durationMs);
  let startedAt = 0;
  let timer: NodeJS.Timeout | undefined;
  const hold = (): void => {
    if (timer === undefined) return;
    clearTimeout(timer);
    timer = undefined;
    leftMs = Math.max(0, leftMs - (performance.now() - startedAt));
  };
  const release = (): void => {
    if (leftMs === Infinity) return;
    startedAt = performance.now();
    timer = setTimeout(tick, Math.min(leftMs, LONGEST_TIMER_MS));
  };
  const tick = (): void => {
    hold();
    if (leftMs > 1) release();
    else ring();
  };
  release();
  return {
    hold,
    release,
    renew: (running) => {
      hold();
      leftMs = durationMs;
      if (running) release();
    },
    stop: () => {
      clearTimeout(timer);
      timer = undefined;
      leftMs = Infinity;
    },
  };
}
