/**
 * Reads an event stream: bytes in any pieces, whole events out.
 */
import type { EventSourceMessage, EventSourceParser, createParser } from "eventsource-parser";
import type { Failure } from "../../failure.ts";
import { utf8, withoutBom } from "./body.ts";
import type { Body } from "./body.ts";

/** What a stream brings. */
export interface EventHandler {
  /** Takes an event; false ends the reading. */
  event(event: EventSourceMessage): boolean;
  /** The server's wish for the wait before reconnecting, in milliseconds. */
  retry(ms: number): void;
}

/** How the reading of a stream ended: null for a clean end, or because its handler wanted no more. */
export type StreamEnd = Failure | null;

/** Lines beside the data of one event: names, ids, comments. */
const EVENT_OVERHEAD = 64 * 1024;

/**
 * Reads a body as an event stream until it ends or its handler wants no more.
 *
 * One event may hold at most `maxBytes` of data; a longer one is a `limit` failure. How the bytes
 * are cut into chunks never changes what comes out.
 */
export function readEvents(
  body: Body,
  options: { readonly maxBytes: number; readonly createParser: typeof createParser },
  handler: EventHandler,
): Promise<StreamEnd> {
  const { maxBytes } = options;
  return new Promise((resolve) => {
    let isOver = false;
    const finish = (end: StreamEnd): void => {
      isOver = true;
      resolve(end);
    };
    const overrun = (): void => {
      if (isOver) return;
      finish({ tag: "limit", limit: "message-bytes", value: maxBytes });
      body.drop();
    };
    const parser = options.createParser({
      maxBufferSize: maxBytes + EVENT_OVERHEAD,
      onError: (error) => {
        if (error.type === "max-buffer-size-exceeded") overrun();
      },
      onRetry: handler.retry,
      onEvent: (event) => {
        if (isOver) return;
        if (isTooLong(event.data, maxBytes)) overrun();
        else if (!handler.event(event)) finish(null);
      },
    });
    const lines = createLineFeeder(parser);
    body.flow({
      data: (chunk) => {
        if (!isOver) lines.feed(chunk);
      },
      end: () => {
        if (!isOver) lines.finish();
        finish(null);
      },
      broken: finish,
    });
  });
}

function isTooLong(data: string, maxBytes: number): boolean {
  return data.length * 3 > maxBytes && Buffer.byteLength(data) > maxBytes;
}

interface LineFeeder {
  feed(chunk: Uint8Array): void;
  finish(): void;
}

/**
 * The parser keeps back a line that ends in CR until it sees whether LF follows, and a last event
 * without an empty line: an event would wait for the one after it. So a CR at the end of a chunk is
 * completed at once and the LF that may follow is skipped, and a clean end closes the last event.
 */
function createLineFeeder(parser: EventSourceParser): LineFeeder {
  const decode = createTextStream();
  let isAfterCr = false;
  const feedText = (text: string): void => {
    if (text === "") return;
    const rest = isAfterCr && text.startsWith("\n") ? text.slice(1) : text;
    isAfterCr = text.endsWith("\r");
    if (rest !== "") feedQuietly(parser, isAfterCr ? `${rest}\n` : rest);
  };
  return {
    feed: (chunk) => feedText(decode(chunk)),
    finish: () => {
      feedText(decode(null));
      feedQuietly(parser, "\n\n");
    },
  };
}

/**
 * Decodes UTF-8 cut anywhere, without the BOM at its start; null = the end.
 *
 * A chunk that ends in ASCII ends in a whole character, and hardly one of an event stream does not:
 * only the rest needs a decoder that remembers.
 */
function createTextStream(): (chunk: Uint8Array | null) => string {
  let decoder: InstanceType<typeof TextDecoder> | null = null;
  let isWithin = false;
  let isAtStart = true;
  return (chunk) => {
    if (chunk === null) return isWithin ? (decoder?.decode() ?? "") : "";
    if (chunk.length === 0) return "";
    const endsWhole = (chunk[chunk.length - 1] ?? 0) < 0x80;
    if (!endsWhole || isWithin) decoder ??= new TextDecoder("utf-8", { ignoreBOM: true });
    const text =
      isWithin || !endsWhole ? (decoder?.decode(chunk, { stream: true }) ?? "") : utf8(chunk);
    isWithin = !endsWhole;
    if (text === "" || !isAtStart) return text;
    isAtStart = false;
    return withoutBom(text);
  };
}

function feedQuietly(parser: EventSourceParser, text: string): void {
  try {
    parser.feed(text);
  } catch {
    // It throws after an overrun, which its error callback has already reported.
  }
}
