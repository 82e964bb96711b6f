/**
 * The one budget of a server's connect, negotiation and list.
 */

/** A point in time that everything on the way to a connection shares. */
export interface Deadline {
  readonly totalMs: number;
  /** What is left, never below 0. */
  remainingMs(): number;
}

/** A deadline that starts now. */
export function startDeadline(totalMs: number): Deadline {
  const end = performance.now() + totalMs;
  return { totalMs, remainingMs: () => Math.max(0, end - performance.now()) };
}
