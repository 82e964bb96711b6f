/**
 * Reads JSON values from the bytes of stdout; pure, so that properties can drive it.
 *
 * Any chunking gives the same values. What is not JSON never becomes a value and never hides one.
 */
import type { Buffer } from "node:buffer";
import { parseJson } from "../../json.ts";
import type { Json } from "../../json.ts";
import { brokenAnswerId } from "./broken-answer.ts";
import { depthAfter, isMessageOfItsOwn, opensFragment } from "./fragment.ts";
import { JUNK_BYTES, createLineReader, keptText, readChunk, readEnd } from "./line-reader.ts";
import type { Line, LineReader, MessageLine } from "./line-reader.ts";

/** One thing that was read. */
export type Received =
  | { readonly kind: "value"; readonly value: Json }
  /** A line that is no message; the text is its start. */
  | { readonly kind: "junk"; readonly text: string }
  /** What looks like an answer but is no JSON; `id` is the id it names. */
  | { readonly kind: "broken"; readonly text: string; readonly id: number }
  /** A message larger than allowed; nothing is read after it. */
  | { readonly kind: "overlong" };

/** A deviation that was tolerated; each is reported once. */
export type Oddity = "bom" | "crlf" | "spread-message";

/** The state between two chunks. */
export interface MessageReader {
  readonly lines: LineReader;
  /** The lines of a value that goes on, and how much they hold. */
  fragment: string[];
  fragmentSize: number;
  depth: number;
  readonly oddities: Set<Oddity>;
}

/**
 * A reader at the start of a stream.
 *
 * @param maxBytes - The size of the largest message.
 */
export function createMessageReader(maxBytes: number): MessageReader {
  return {
    lines: createLineReader(maxBytes),
    fragment: [],
    fragmentSize: 0,
    depth: 0,
    oddities: new Set(),
  };
}

/** What the next bytes of the stream complete, in order. */
export function pushChunk(reader: MessageReader, chunk: Buffer): readonly Received[] {
  const received: Received[] = [];
  readChunk(reader.lines, chunk, (line) => takeLine(reader, line, received));
  if (reader.lines.hasSeenBom) reader.oddities.add("bom");
  return received;
}

/** What the end of the stream completes: a last line without a newline. */
export function pushEnd(reader: MessageReader): readonly Received[] {
  const received: Received[] = [];
  const line = readEnd(reader.lines);
  if (line !== null) takeLine(reader, line, received);
  dropFragment(reader, received);
  return received;
}

/** The start of a junk line that has not ended yet, for whoever wonders why nothing comes. */
export function unfinishedJunk(reader: MessageReader): string | null {
  return reader.lines.mode === "junk" ? keptText(reader.lines) : null;
}

/** How much has come of a message that has not ended yet, in bytes. */
export function unfinishedBytes(reader: MessageReader): number {
  return reader.fragmentSize + (reader.lines.mode === "message" ? reader.lines.size : 0);
}

function takeLine(reader: MessageReader, line: Line, received: Received[]): void {
  if (line.kind !== "message") received.push(line);
  else if (reader.fragment.length > 0) continueFragment(reader, line, received);
  else takeMessage(reader, line, received);
}

function takeMessage(reader: MessageReader, line: MessageLine, received: Received[]): void {
  if (line.text.endsWith("\r")) reader.oddities.add("crlf");
  const parsed = parseJson(line.text);
  if (parsed !== undefined) received.push({ kind: "value", value: parsed.value });
  else if (line.isTerminated && opensFragment(line.text)) addToFragment(reader, line, received);
  else received.push(notJson(line));
}

function continueFragment(reader: MessageReader, line: MessageLine, received: Received[]): void {
  const own = line.text.startsWith("{") ? parseJson(line.text) : undefined;
  if (own !== undefined && isMessageOfItsOwn(own.value)) {
    dropFragment(reader, received);
    received.push({ kind: "value", value: own.value });
  } else addToFragment(reader, line, received);
}

function addToFragment(reader: MessageReader, line: MessageLine, received: Received[]): void {
  reader.fragment.push(line.text);
  reader.fragmentSize += line.text.length + 1;
  const depth = depthAfter(line.text, reader.depth);
  if (reader.fragmentSize > reader.lines.maxBytes) {
    reader.lines.mode = "dead";
    clearFragment(reader);
    received.push({ kind: "overlong" });
  } else if (depth === null) dropFragment(reader, received);
  else if (depth > 0) {
    reader.depth = depth;
    reader.lines.keepsAll = true;
  } else endFragment(reader, received);
}

function endFragment(reader: MessageReader, received: Received[]): void {
  const text = reader.fragment.join("\n");
  const parsed = parseJson(text);
  if (parsed === undefined) received.push(notJson({ text, isTerminated: true }));
  else {
    reader.oddities.add("spread-message");
    received.push({ kind: "value", value: parsed.value });
  }
  clearFragment(reader);
}

/** A value that was begun and cannot be ended is junk, whatever it was meant to be. */
function dropFragment(reader: MessageReader, received: Received[]): void {
  if (reader.fragment.length > 0)
    received.push(notJson({ text: reader.fragment.join("\n"), isTerminated: false }));
  clearFragment(reader);
}

function clearFragment(reader: MessageReader): void {
  reader.fragment = [];
  reader.fragmentSize = 0;
  reader.depth = 0;
  reader.lines.keepsAll = false;
}

function notJson(line: { readonly text: string; readonly isTerminated: boolean }): Received {
  const id = line.isTerminated ? brokenAnswerId(line.text) : null;
  const text = line.text.slice(0, JUNK_BYTES);
  return id === null ? { kind: "junk", text } : { kind: "broken", text, id };
}
