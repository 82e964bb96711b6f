/**
 * A wire in one process that does to messages what a plan says.
 */
import type { JsonObject } from "../json.ts";
import { createFaultCounter } from "./fault-plan.ts";
import type { CloseFault, Direction, FaultPlan } from "./fault-plan.ts";
import { passageOf } from "./passage.ts";
import type { Passage } from "./passage.ts";

/** A message on its way; `C` is what its sender wants to know again when it arrives. */
export interface Parcel<C> {
  readonly direction: Direction;
  /** Of an answer, the method of the request it answers. */
  readonly method: string;
  readonly message: JsonObject;
  readonly context: C;
}

/** What comes out of a wire. */
export interface WireEnds<C> {
  /** Takes one line that a parcel became, without its newline, in the pieces it arrives in. */
  arrive(line: readonly Uint8Array[], parcel: Parcel<C>): void;
  /** The plan has ended the link; nothing arrives any more. */
  closed(close: CloseFault): void;
}

/** A wire that both sides put messages on. */
export interface FaultyWire<C> {
  pass(parcel: Parcel<C>): void;
  /** Ends the wire: nothing arrives any more and no timer is left. */
  end(): void;
}

/** One direction. */
interface Lane<C> {
  readonly queue: Sent<C>[];
  /** What arrives after the next one. */
  readonly swapped: Sent<C>[];
  isHeld: boolean;
  isStalled: boolean;
}

interface Sent<C> {
  readonly parcel: Parcel<C>;
  readonly passage: Passage;
}

interface Wire<C> {
  readonly ends: WireEnds<C>;
  readonly lanes: Readonly<Record<Direction, Lane<C>>>;
  readonly timers: Set<NodeJS.Timeout>;
  isOver: boolean;
}

/** The longest delay a timer takes. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** A wire on which a plan starts anew. */
export function createFaultyWire<C>(plan: FaultPlan, ends: WireEnds<C>): FaultyWire<C> {
  const faultsAt = createFaultCounter(plan);
  const wire: Wire<C> = {
    ends,
    lanes: { out: emptyLane(), in: emptyLane() },
    timers: new Set(),
    isOver: false,
  };
  return {
    pass: (parcel) => {
      const { direction, method, message } = parcel;
      const passage = passageOf(message, faultsAt(direction, method));
      wire.lanes[direction].queue.push({ parcel, passage });
      advance(wire, wire.lanes[direction]);
    },
    end: () => end(wire),
  };
}

function emptyLane<C>(): Lane<C> {
  return { queue: [], swapped: [], isHeld: false, isStalled: false };
}

function end<C>(wire: Wire<C>): void {
  wire.isOver = true;
  for (const timer of wire.timers) clearTimeout(timer);
  wire.timers.clear();
}

/** Lets through whatever is not held, in order. */
function advance<C>(wire: Wire<C>, lane: Lane<C>): void {
  while (!wire.isOver && !lane.isHeld && !lane.isStalled) {
    const sent = lane.queue.shift();
    if (sent === undefined) return;
    if (sent.passage.holdMs === 0) release(wire, lane, sent);
    else {
      lane.isHeld = true;
      later(wire, sent.passage.holdMs, () => {
        lane.isHeld = false;
        release(wire, lane, sent);
        advance(wire, lane);
      });
    }
  }
}

function release<C>(wire: Wire<C>, lane: Lane<C>, sent: Sent<C>): void {
  const { passage } = sent;
  if (passage.close !== null) {
    end(wire);
    return wire.ends.closed(passage.close);
  }
  if (passage.isStalled) lane.isStalled = true;
  else if (passage.isSwapped) lane.swapped.push(sent);
  else {
    if (passage.lateMs > 0) later(wire, passage.lateMs, () => arrive(wire, sent));
    else arrive(wire, sent);
    for (const overtaken of lane.swapped.splice(0)) arrive(wire, overtaken);
  }
}

function arrive<C>(wire: Wire<C>, { parcel, passage }: Sent<C>): void {
  for (const line of passage.lines) {
    if (!wire.isOver) wire.ends.arrive(line, parcel);
  }
  if (passage.bounced === null || wire.isOver) return;
  const bounced = passageOf(passage.bounced, []);
  const direction = parcel.direction === "out" ? "in" : "out";
  const back: Parcel<C> = { ...parcel, direction, message: passage.bounced };
  wire.lanes[direction].queue.push({ parcel: back, passage: bounced });
  advance(wire, wire.lanes[direction]);
}

function later<C>(wire: Wire<C>, ms: number, run: () => void): void {
  const timer = setTimeout(
    () => {
      wire.timers.delete(timer);
      run();
    },
    Math.min(ms, LONGEST_TIMER_MS),
  );
  wire.timers.add(timer);
}
