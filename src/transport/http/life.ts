/**
 * A piece of work that its owner can end at any moment, without a signal or a listener per request.
 */

/** One piece of work: a request with its answer, a stream, a wait. */
export interface Life {
  readonly isOver: boolean;
  /** Whether a request of it has gone to the wire. */
  isSent: boolean;
  /** Ends the work; idempotent. */
  end(): void;
  /** What ending means at the moment; null when there is nothing to stop. */
  onEnd: (() => void) | null;
}

/** A new piece of work. */
export function createLife(): Life {
  const life = {
    isOver: false,
    isSent: false,
    onEnd: null as (() => void) | null,
    end: (): void => {
      if (life.isOver) return;
      life.isOver = true;
      const stop = life.onEnd;
      life.onEnd = null;
      stop?.();
    },
  };
  return life;
}

/** Waits so many milliseconds, or until the work is ended. */
export function sleep(ms: number, life: Life): Promise<void> {
  if (life.isOver || ms <= 0) return Promise.resolve();
  return new Promise((resolve) => {
    const wake = (): void => {
      clearTimeout(timer);
      if (life.onEnd === wake) life.onEnd = null;
      resolve();
    };
    const timer = setTimeout(wake, ms);
    life.onEnd = wake;
  });
}

/** Ends a piece of work when it takes longer than so many milliseconds; resolves with its outcome. */
export async function bounded<T>(life: Life, ms: number, work: Promise<T>): Promise<T> {
  const timer = setTimeout(life.end, ms);
  try {
    return await work;
  } finally {
    clearTimeout(timer);
  }
}
