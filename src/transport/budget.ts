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
  /** Takes so many milliseconds off the time that is left; the cap goes on. */
  spend(ms: number): void;
  /** How many milliseconds are left now, cap included; Infinity when nothing limits them. */
  leftMs(): number;
  /** Ends the clock; it will not fire any more. */
  stop(): void;
}

/** The longest delay `setTimeout` takes; it fires at once for more. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

const NO_BUDGET: Budget = {
  pause: () => undefined,
  resume: () => undefined,
  renew: () => undefined,
  spend: () => undefined,
  leftMs: () => Infinity,
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
    spend: (ms) => soft.spend(ms, pauses === 0),
    leftMs: () => Math.min(soft.leftMs(), hard.leftMs()),
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
  spend(ms: number, running: boolean): void;
  leftMs(): number;
  stop(): void;
}

const NO_ALARM: Alarm = {
  hold: () => undefined,
  release: () => undefined,
  renew: () => undefined,
  spend: () => undefined,
  leftMs: () => Infinity,
  stop: () => undefined,
};

function startAlarm(durationMs: number, ring: () => void): Alarm {
  if (durationMs === Infinity) return NO_ALARM;
  let leftMs = Math.max(0, durationMs);
  let startedAt = 0;
  let timer: NodeJS.Timeout | undefined;
  const leftNow = (): number =>
    timer === undefined ? leftMs : Math.max(0, leftMs - (performance.now() - startedAt));
  const hold = (): void => {
    leftMs = leftNow();
    clearTimeout(timer);
    timer = undefined;
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
    spend: (ms, running) => {
      hold();
      leftMs = Math.max(0, leftMs - ms);
      if (running) release();
    },
    leftMs: leftNow,
    stop: () => {
      clearTimeout(timer);
      timer = undefined;
      leftMs = Infinity;
    },
  };
}
