/**
 * Cuts the bytes of stdout into lines, in time linear in their size and bounded memory.
 *
 * Only bytes and lines here; what a line means is the message reader's.
 */
import { Buffer } from "node:buffer";

/** A line that may be a message, whole. */
export interface MessageLine {
  readonly kind: "message";
  readonly text: string;
  /** Whether the line was ended by a newline, and not by the end of the stream. */
  readonly isTerminated: boolean;
}

/** A line that cannot be a message; only its start was kept. */
export interface JunkLine {
  readonly kind: "junk";
  readonly text: string;
}

/** A line longer than allowed; nothing is read after it. */
export interface OverlongLine {
  readonly kind: "overlong";
}

/** One line of stdout; blank lines are none. */
export type Line = MessageLine | JunkLine | OverlongLine;

/** The state between two chunks. */
export interface LineReader {
  readonly maxBytes: number;
  /** Set while a value goes on over several lines: every line is kept whole, whatever it starts with. */
  keepsAll: boolean;
  mode: "start" | "message" | "junk" | "dead";
  /** How much of a byte order mark was seen at the start of this line. */
  bomBytes: number;
  hasSeenBom: boolean;
  parts: Buffer[];
  size: number;
  /** How many of the first parts are as large as they should be. */
  packed: number;
}

/** How much of a junk line is kept: what is shown, and enough beyond it to redact a secret whole. */
export const JUNK_BYTES: number = 16 * 1024;

const NEWLINE = 0x0a;
const BLANKS: ReadonlySet<number> = new Set([0x09, 0x0a, 0x0d, 0x20]);
const OPENERS: ReadonlySet<number> = new Set([0x7b, 0x5b]);
const BOM = [0xef, 0xbb, 0xbf] as const;
const PARTS_PER_PACK = 1024;

/** A reader at the start of a stream. */
export function createLineReader(maxBytes: number): LineReader {
  return {
    maxBytes,
    keepsAll: false,
    mode: "start",
    bomBytes: 0,
    hasSeenBom: false,
    parts: [],
    size: 0,
    packed: 0,
  };
}

/** Takes the next bytes and hands over each line that they end. */
export function readChunk(reader: LineReader, chunk: Buffer, take: (line: Line) => void): void {
  let from = 0;
  while (from < chunk.length && reader.mode !== "dead") {
    if (reader.mode === "start") from = startLine(reader, chunk, from);
    if (from === chunk.length) return;
    const newline = chunk.indexOf(NEWLINE, from);
    const end = newline === -1 ? chunk.length : newline;
    if (reader.mode === "message" && reader.size + end - from > reader.maxBytes) {
      reader.mode = "dead";
      reader.parts = [];
      return take({ kind: "overlong" });
    }
    if (newline === -1) return keep(reader, chunk.subarray(from));
    take(endLine(reader, lineText(reader, chunk, from, end), true));
    from = newline + 1;
  }
}

/** Takes the end of the stream and gives the line that no newline ended, if there is one. */
export function readEnd(reader: LineReader): Line | null {
  const isInLine = reader.mode === "message" || reader.mode === "junk";
  return isInLine ? endLine(reader, takeText(reader), false) : null;
}

/** What is kept of the line that has not ended yet. */
export function keptText(reader: LineReader): string {
  return Buffer.concat(reader.parts).toString("utf8");
}

/** Passes over blanks and a byte order mark; what comes then decides what kind of line this is. */
function startLine(reader: LineReader, chunk: Buffer, start: number): number {
  if (reader.keepsAll) {
    reader.mode = "message";
    return start;
  }
  for (let at = start; at < chunk.length; at++) {
    const byte = chunk[at] ?? 0;
    if (byte === BOM[reader.bomBytes]) {
      reader.bomBytes++;
      reader.hasSeenBom ||= reader.bomBytes === BOM.length;
    } else if (!BLANKS.has(byte)) {
      reader.mode = OPENERS.has(byte) ? "message" : "junk";
      return at;
    }
  }
  return chunk.length;
}

function endLine(reader: LineReader, text: string, isTerminated: boolean): Line {
  const kind = reader.mode === "junk" ? "junk" : "message";
  reader.mode = "start";
  reader.bomBytes = 0;
  return kind === "junk" ? { kind, text } : { kind, text, isTerminated };
}

/** Most lines lie in one chunk whole; those cost one string and nothing else. */
function lineText(reader: LineReader, chunk: Buffer, from: number, end: number): string {
  if (reader.parts.length > 0) {
    keep(reader, chunk.subarray(from, end));
    return takeText(reader);
  }
  const last = reader.mode === "junk" ? Math.min(end, from + JUNK_BYTES) : end;
  return chunk.toString("utf8", from, last);
}

function takeText(reader: LineReader): string {
  const line = Buffer.concat(reader.parts, reader.size);
  reader.parts = [];
  reader.size = 0;
  reader.packed = 0;
  return line.toString("utf8");
}

/** Parts are joined once, when the line ends: joining at each chunk is quadratic. */
function keep(reader: LineReader, bytes: Buffer): void {
  const room = reader.mode === "junk" ? Math.max(0, JUNK_BYTES - reader.size) : bytes.length;
  if (room === 0) return;
  const kept = bytes.subarray(0, room);
  // A view would keep a whole chunk alive for the sake of its first bytes.
  reader.parts.push(reader.mode === "junk" ? Buffer.from(kept) : kept);
  reader.size += kept.length;
  // A buffer costs about 100 bytes beside its content: a peer that writes single bytes would
  // make a message a hundred times its size.
  if (reader.parts.length - reader.packed > PARTS_PER_PACK) {
    reader.parts.push(Buffer.concat(reader.parts.splice(reader.packed)));
    reader.packed++;
  }
}
