/**
 * Reads an event stream: bytes in any pieces, whole events out.
 */
import type { EventSourceMessage, EventSourceParser, createParser } from "eventsource-parser";
import type { Failure } from "../../failure.ts";
import type { Body } from "./body.ts";

/** What a stream brings. */
export interface EventHandler {
  event(event: EventSourceMessage): void;
  /** The server's wish for the wait before reconnecting, in milliseconds. */
  retry(ms: number): void;
}

/** How a stream ended: null for a clean end. */
export type StreamEnd = Failure | null;

/** Lines beside the data of one event: names, ids, comments. */
const EVENT_OVERHEAD = 64 * 1024;

/**
 * Reads a body as an event stream until it ends.
 *
 * One event may hold at most `maxBytes` of data; a longer one is a `limit` failure and ends the
 * reading. How the bytes are cut into chunks never changes what comes out.
 */
export function readEvents(
  body: Body,
  options: { readonly maxBytes: number; readonly createParser: typeof createParser },
  handler: EventHandler,
): Promise<StreamEnd> {
  const { maxBytes } = options;
  return new Promise((resolve) => {
    let isOver = false;
    const overrun = (): void => {
      if (isOver) return;
      isOver = true;
      resolve({ tag: "limit", limit: "message-bytes", value: maxBytes });
      body.drop();
    };
    const parser = options.createParser({
      maxBufferSize: maxBytes + EVENT_OVERHEAD,
      onError: (error) => {
        if (error.type === "max-buffer-size-exceeded") overrun();
      },
      onRetry: handler.retry,
      onEvent: (event) => {
        if (isTooLong(event.data, maxBytes)) overrun();
        else if (!isOver) handler.event(event);
      },
    });
    const lines = createLineFeeder(parser);
    body.flow({
      data: (chunk) => {
        if (!isOver) lines.feed(chunk);
      },
      end: () => {
        if (!isOver) lines.finish();
        resolve(null);
      },
      broken: resolve,
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
  const decoder = new TextDecoder();
  let isAfterCr = false;
  const feedText = (text: string): void => {
    if (text === "") return;
    const rest = isAfterCr && text.startsWith("\n") ? text.slice(1) : text;
    isAfterCr = text.endsWith("\r");
    if (rest !== "") feedQuietly(parser, isAfterCr ? `${rest}\n` : rest);
  };
  return {
    feed: (chunk) => feedText(decoder.decode(chunk, { stream: true })),
    finish: () => {
      feedText(decoder.decode());
      feedQuietly(parser, "\n\n");
    },
  };
}

function feedQuietly(parser: EventSourceParser, text: string): void {
  try {
    parser.feed(text);
  } catch {
    // It throws after an overrun, which its error callback has already reported.
  }
}
