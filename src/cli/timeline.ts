/**
 * How long the servers of a load took, phase by phase.
 */
import type { Happening } from "./load-servers.ts";

/** How long one server took. */
export interface Timing {
  readonly totalMs: number;
  /** In the order in which they happened; empty when the load did not tell. */
  readonly phases: readonly (readonly [phase: string, ms: number])[];
}

/** Something that happened, and when. */
export interface Moment {
  readonly event: Happening;
  readonly atMs: number;
}

const ENDS: ReadonlySet<string> = new Set(["connected", "failed"]);

/** The timings of every server that was begun and ended, from what happened in order. */
export function timings(moments: readonly Moment[]): ReadonlyMap<string, Timing> {
  const servers = new Set(moments.map(({ event }) => event.server));
  return new Map(
    [...servers].flatMap((server) => {
      const timing = timingOf(moments.filter(({ event }) => event.server === server));
      return timing === null ? [] : [[server, timing] as const];
    }),
  );
}

function timingOf(moments: readonly Moment[]): Timing | null {
  const begin = moments.find(({ event }) => event.kind === "connecting");
  const end = moments.find(({ event }) => ENDS.has(event.kind));
  if (begin === undefined || end === undefined) return null;
  const starts = moments.filter(({ event }) => event.kind === "phase");
  const phases = new Map<string, number>();
  for (const [i, { event, atMs }] of starts.entries()) {
    const phase = event.phase ?? "";
    const next = starts[i + 1] ?? end;
    // A process that is started once more is in the same phase again.
    phases.set(phase, (phases.get(phase) ?? 0) + next.atMs - atMs);
  }
  return { totalMs: end.atMs - begin.atMs, phases: [...phases] };
}

/** `1.2 s: connect 0.1 s, initialize 1.0 s, tools/list 0.1 s`. */
export function timingText({ totalMs, phases }: Timing): string {
  const parts = phases.map(([phase, ms]) => `${phase} ${seconds(ms)}`);
  return parts.length === 0 ? seconds(totalMs) : `${seconds(totalMs)}: ${parts.join(", ")}`;
}

/** Milliseconds for people. */
export function seconds(ms: number): string {
  return ms < 9.5 ? `${ms.toFixed(0)} ms` : `${(ms / 1000).toFixed(ms < 9950 ? 2 : 1)} s`;
}
