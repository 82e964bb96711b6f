/**
 * What faults make of one message; pure.
 */
import { isObject } from "../json.ts";
import type { Json, JsonObject } from "../json.ts";
import { errorMessage, isRequestId } from "../protocol/messages.ts";
import type { CloseFault, CorruptFault, Fault } from "./fault-plan.ts";
import { messageText } from "./message-text.ts";

/** What arrives in place of a message, and when. */
export interface Passage {
  /** Whole lines without their newline, in order, each in the pieces it arrives in. */
  readonly lines: readonly (readonly Uint8Array[])[];
  /** How long it holds itself and all behind it. */
  readonly holdMs: number;
  /** How long after its turn it arrives, whoever overtakes it. */
  readonly lateMs: number;
  /** Whether it arrives after the next one. */
  readonly isSwapped: boolean;
  /** Whether nothing arrives any more, itself included. */
  readonly isStalled: boolean;
  /** Ends the link in its place. */
  readonly close: CloseFault | null;
  /** What its sender gets back, in place of the message arriving. */
  readonly bounced: JsonObject | null;
}

/** No request is sent under it. */
const NOBODYS_ID = -1;

const encoder = new TextEncoder();

/** The passage of a message that these faults happen to, in their order. */
export function passageOf(message: JsonObject, faults: readonly Fault[]): Passage {
  const bounced = bouncedBy(message, faults);
  const sum = (kind: "delay" | "late"): number =>
    faults.reduce((ms, fault) => ms + (fault.kind === kind ? Math.max(0, fault.ms) : 0), 0);
  const has = (kind: Fault["kind"]): boolean => faults.some((fault) => fault.kind === kind);
  return {
    lines: has("drop") || bounced !== null ? [] : linesOf(message, faults),
    holdMs: sum("delay"),
    lateMs: sum("late"),
    isSwapped: has("reorder"),
    isStalled: has("stall"),
    close: faults.find((fault) => fault.kind === "close") ?? null,
    bounced,
  };
}

/** A request that meets an error is answered by it. */
function bouncedBy(message: JsonObject, faults: readonly Fault[]): JsonObject | null {
  const { id, method } = message;
  const error = faults.find((fault) => fault.kind === "error");
  if (error === undefined || typeof method !== "string" || !isRequestId(id)) return null;
  return errorMessage(id, error.code, error.message);
}

function linesOf(message: JsonObject, faults: readonly Fault[]): Passage["lines"] {
  const text = messageText(faults.reduce(changedMessage, message));
  if (text === null) return [];
  const line = faults.reduce<Uint8Array>(changedLine, encoder.encode(text));
  const copies = faults.reduce(
    (count, fault) => count + (fault.kind === "duplicate" ? Math.max(0, fault.times) : 0),
    1,
  );
  const junk = faults.flatMap((fault) =>
    fault.kind === "junk" ? [encoder.encode(fault.text)] : [],
  );
  const size = faults.reduce(
    (bytes, fault) => (fault.kind === "chunk" ? Math.min(bytes, fault.bytes) : bytes),
    Infinity,
  );
  return [...junk, ...Array<Uint8Array>(copies).fill(line)].map((whole) => cutUp(whole, size));
}

function changedMessage(message: JsonObject, fault: Fault): JsonObject {
  const { id, result } = message;
  const isAnswer = message["method"] === undefined;
  switch (fault.kind) {
    case "wrong-id":
      return id === undefined ? message : { ...message, id: NOBODYS_ID };
    case "string-id":
      return typeof id === "number" ? { ...message, id: String(id) } : message;
    case "malformed":
      return isAnswer ? answered(message, fault.value) : { ...message, params: fault.value };
    case "error":
      return isAnswer && isRequestId(id) ? errorMessage(id, fault.code, fault.message) : message;
    case "cursor-loop":
      return isObject(result)
        ? answered(message, { ...result, nextCursor: fault.cursor })
        : message;
    default:
      return message;
  }
}

function answered(message: JsonObject, result: Json): JsonObject {
  const { error: _, ...rest } = message;
  return { ...rest, result };
}

function changedLine(line: Uint8Array, fault: Fault): Uint8Array {
  switch (fault.kind) {
    case "replace":
      return encoder.encode(fault.text);
    case "truncate":
      return line.subarray(0, Math.max(0, fault.bytes));
    case "corrupt":
      return corrupted(line, fault);
    default:
      return line;
  }
}

function corrupted(line: Uint8Array, { at, byte }: CorruptFault): Uint8Array {
  if (line.length === 0) return line;
  const copy = line.slice();
  copy[Math.abs(Math.trunc(at)) % line.length] = byte;
  return copy;
}

function cutUp(line: Uint8Array, size: number): readonly Uint8Array[] {
  if (!(size >= 1) || line.length <= size) return [line];
  const pieces = Math.ceil(line.length / Math.trunc(size));
  return Array.from({ length: pieces }, (_, i) =>
    line.subarray(i * Math.trunc(size), (i + 1) * Math.trunc(size)),
  );
}
