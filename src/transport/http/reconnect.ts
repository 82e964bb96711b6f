/**
 * When to ask again for a stream that was lost: pure rules over counts and times.
 */

/** How a lost stream is asked for again. */
export interface Reconnect {
  /** Attempts in a row that may bring nothing; default 5. */
  readonly maxAttempts?: number;
  /** The first wait in milliseconds when the server names none; default 1000. */
  readonly baseMs?: number;
  /** The longest wait of ours in milliseconds; default 30000. */
  readonly maxMs?: number;
}

/** The same with every default filled in. */
export type ReconnectPolicy = Required<Reconnect>;

/** Fills in the defaults. */
export function reconnectPolicy(given: Reconnect = {}): ReconnectPolicy {
  return {
    maxAttempts: given.maxAttempts ?? 5,
    baseMs: given.baseMs ?? 1000,
    maxMs: given.maxMs ?? 30_000,
  };
}

/** Nobody is asked more often than about three times a second, whatever `retry` says. */
const SHORTEST_MS = 340;

/**
 * How long to wait before an attempt, in milliseconds; the first attempt is number 1.
 *
 * The server's `retry` is kept exactly, unless it is too short to be meant; otherwise the wait
 * doubles with each attempt that brought nothing.
 */
export function reconnectDelayMs(
  attempt: number,
  retryMs: number | null,
  policy: ReconnectPolicy,
): number {
  const wanted = retryMs ?? Math.min(policy.baseMs * 2 ** (attempt - 1), policy.maxMs);
  return Math.max(wanted, Math.min(SHORTEST_MS, policy.baseMs));
}
