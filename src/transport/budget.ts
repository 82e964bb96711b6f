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
  const soft = startAlarm(timeoutMs, onExpire);
  const hard = startAlarm(maxTotalMs, onExpire);
  let pauses = 0;
  const change = (leftMs: (alarm: Alarm) => number): void => {
    hold(soft);
    soft.leftMs = leftMs(soft);
    if (pauses === 0) release(soft);
  };
  return {
    pause: () => {
      if (pauses++ === 0) hold(soft);
    },
    resume: () => {
      if (pauses > 0 && --pauses === 0) release(soft);
    },
    renew: () => change((alarm) => alarm.durationMs),
    spend: (ms) => change((alarm) => Math.max(0, alarm.leftMs - ms)),
    leftMs: () => Math.min(leftNow(soft), leftNow(hard)),
    stop: () => {
      stop(soft);
      stop(hard);
    },
  };
}

/** One time that runs out; data, since 1024 calls in flight keep as many of them alive. */
interface Alarm {
  readonly durationMs: number;
  readonly ring: (durationMs: number) => void;
  leftMs: number;
  startedAt: number;
  timer: NodeJS.Timeout | undefined;
}

function startAlarm(durationMs: number, ring: (durationMs: number) => void): Alarm {
  if (durationMs === Infinity) return NO_ALARM;
  const alarm: Alarm = {
    durationMs,
    ring,
    leftMs: Math.max(0, durationMs),
    startedAt: 0,
    timer: undefined,
  };
  release(alarm);
  return alarm;
}

/** Never changes: what has no end has no end after any change. */
const NO_ALARM: Alarm = {
  durationMs: Infinity,
  ring: () => undefined,
  leftMs: Infinity,
  startedAt: 0,
  timer: undefined,
};

function leftNow(alarm: Alarm): number {
  if (alarm.timer === undefined) return alarm.leftMs;
  return Math.max(0, alarm.leftMs - (performance.now() - alarm.startedAt));
}

function hold(alarm: Alarm): void {
  alarm.leftMs = leftNow(alarm);
  clearTimeout(alarm.timer);
  alarm.timer = undefined;
}

function release(alarm: Alarm): void {
  if (alarm.leftMs === Infinity) return;
  alarm.startedAt = performance.now();
  alarm.timer = setTimeout(tick, Math.min(alarm.leftMs, LONGEST_TIMER_MS), alarm);
}

function tick(alarm: Alarm): void {
  hold(alarm);
  if (alarm.leftMs > 1) release(alarm);
  else alarm.ring(alarm.durationMs);
}

/** Afterwards nothing is left that could be released. */
function stop(alarm: Alarm): void {
  clearTimeout(alarm.timer);
  alarm.timer = undefined;
  alarm.leftMs = Infinity;
}
