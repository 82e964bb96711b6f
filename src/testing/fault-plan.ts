/**
 * What may go wrong between a client and a server, as data: a plan can be generated, shrunk, printed
 * and pasted into a test.
 *
 * Lives in this folder: peers, wires and generators for tests of whatever is built on this library.
 * Not here: anything the library itself needs, and any test framework; the caller passes `fc`.
 */
import type { Json } from "../json.ts";

/** Faults to happen in one connection; where several meet on one message, all of them happen to it. */
export type FaultPlan = readonly Fault[];

/** Which way a message goes: `out` is what the client sends, `in` what it receives. */
export type Direction = "out" | "in";

/** Which messages a fault happens to. */
export interface FaultPoint {
  readonly direction: Direction;
  /** The method of the request or notification; of an answer, that of the request it answers. Absent = any. */
  readonly method?: string;
  /** Which of the messages that match, from 1; absent = each. */
  readonly nth?: number;
}

/**
 * Something that happens to the passage of a message.
 *
 * `drop`: it never arrives. `reorder`: it arrives after the next one of its direction. `stall`: it
 * and all after it in its direction never arrive, while the link stays open.
 */
export interface PassageFault extends FaultPoint {
  readonly kind: "drop" | "reorder" | "stall";
}

/** `delay` holds a message and all behind it; `late` lets others overtake. */
export interface TimeFault extends FaultPoint {
  readonly kind: "delay" | "late";
  readonly ms: number;
}

/** The message arrives `times` more times. */
export interface DuplicateFault extends FaultPoint {
  readonly kind: "duplicate";
  readonly times: number;
}

/** The id becomes one that nobody waits for, or its own text in place of the number. */
export interface IdFault extends FaultPoint {
  readonly kind: "wrong-id" | "string-id";
}

/** `truncate` keeps only so many bytes of the message; `chunk` cuts it into pieces of so many. */
export interface CutFault extends FaultPoint {
  readonly kind: "truncate" | "chunk";
  readonly bytes: number;
}

/** One byte of the message becomes another; `at` counts on from its start, over and over. */
export interface CorruptFault extends FaultPoint {
  readonly kind: "corrupt";
  readonly at: number;
  readonly byte: number;
}

/** `junk` puts this line before the message, `replace` in its place. */
export interface TextFault extends FaultPoint {
  readonly kind: "junk" | "replace";
  readonly text: string;
}

/** An answer gets this result; a request or notification gets these parameters. */
export interface MalformedFault extends FaultPoint {
  readonly kind: "malformed";
  readonly value: Json;
}

/** An answer becomes this error; a request gets it without ever reaching the server. */
export interface ErrorFault extends FaultPoint {
  readonly kind: "error";
  readonly code: number;
  readonly message: string;
}

/** A page of a list names this cursor as the next. */
export interface CursorFault extends FaultPoint {
  readonly kind: "cursor-loop";
  readonly cursor: string;
}

/** The link ends in place of the message. */
export interface CloseFault extends FaultPoint {
  readonly kind: "close";
  /** How the server's process ended, where it has one. */
  readonly exitCode?: number;
}

/** One fault: where it happens and what happens; plain JSON. */
export type Fault =
  | PassageFault
  | TimeFault
  | DuplicateFault
  | IdFault
  | CutFault
  | CorruptFault
  | TextFault
  | MalformedFault
  | ErrorFault
  | CursorFault
  | CloseFault;

/** Counts the messages of one connection: which faults happen to the next one. */
export type FaultCounter = (direction: Direction, method: string) => readonly Fault[];

/** A counter at the start of a connection. */
export function createFaultCounter(plan: FaultPlan): FaultCounter {
  const seen = new Map<Fault, number>();
  return (direction, method) =>
    plan.filter((fault) => {
      if (fault.direction !== direction) return false;
      if (fault.method !== undefined && fault.method !== method) return false;
      const count = (seen.get(fault) ?? 0) + 1;
      seen.set(fault, count);
      return fault.nth === undefined || fault.nth === count;
    });
}
