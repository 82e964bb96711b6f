/**
 * Streams whose request is answered and which the server has not ended yet.
 *
 * Most servers end a stream right after the answer; its socket can carry the next request then. Some
 * keep it open for ever. So it may stay for a moment, and never many of them.
 */
import type { Life } from "./life.ts";
import type { Link } from "./link.ts";

/** How long a stream may stay open after its answer before its socket is given up. */
const LINGER_MS = 250;

/** Lets an answered stream end by itself, but not for long. */
export function linger(link: Link, life: Life): void {
  if (life.onEnd === null || link.lingering.has(life)) return;
  const stop = (): void => {
    link.lingering.delete(life);
    life.end();
  };
  link.lingering.set(life, setTimeout(stop, LINGER_MS).unref());
}

/** The same for every request whose answer came on another stream than its own. */
export function lingerAnswered(link: Link): void {
  for (const { pending, life } of link.flights.values()) {
    if (pending.settled) linger(link, life);
  }
}

/**
 * Before a request: with calls one after another there are never more sockets than that of the
 * newest answered stream and that of the call.
 */
export function trimLingering(link: Link): void {
  if (link.lingering.size === 0 || link.exchange.pending.size > 1) return;
  const open = [...link.lingering.keys()].filter((life) => life.onEnd !== null);
  for (const life of open.slice(0, -1)) life.end();
}

/** Ends them all. */
export function endLingering(link: Link): void {
  for (const [life, timer] of link.lingering) {
    clearTimeout(timer);
    life.end();
  }
  link.lingering.clear();
}
