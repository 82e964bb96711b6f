/**
 * The body of an answer: bytes that flow into one sink, or are dropped.
 */
import { err, ok } from "../../failure.ts";
import type { Failure, Result } from "../../failure.ts";

/** Bytes that arrive. */
export interface Body {
  /** From now on everything, also what came before, goes into this sink; called at most once. */
  flow(sink: BodySink): void;
  /** Stops reading and closes the socket; harmless after the end. */
  drop(): void;
  pause(): void;
  resume(): void;
}

/** Takes the bytes of a body: any number of chunks, then one `end` or one `broken`. */
export interface BodySink {
  data(chunk: Uint8Array): void;
  end(): void;
  broken(failure: Failure): void;
}

/** The side of a body that a connection writes to. */
export type PipedBody = Body & BodySink;

/** What a body does to its connection. */
export type Valve = Pick<Body, "drop" | "pause" | "resume">;

/** A body that keeps what comes until it flows. */
export function createBody(valve: Valve): PipedBody {
  const early: Uint8Array[] = [];
  let sink: BodySink | null = null;
  let finish: ((sink: BodySink) => void) | null = null;
  const finishWith = (how: (sink: BodySink) => void): void => {
    if (finish !== null) return;
    finish = how;
    if (sink !== null) how(sink);
  };
  return {
    drop: valve.drop,
    pause: valve.pause,
    resume: valve.resume,
    flow: (to) => {
      sink = to;
      for (const chunk of early) to.data(chunk);
      early.length = 0;
      finish?.(to);
    },
    data: (chunk) => {
      if (sink === null) early.push(chunk);
      else sink.data(chunk);
    },
    end: () => finishWith(endSink),
    broken: (failure) => finishWith((to) => to.broken(failure)),
  };
}

function endSink(sink: BodySink): void {
  sink.end();
}

/** The whole body as text without a BOM; `limit` when it is longer than so many bytes. */
export function readText(body: Body, maxBytes: number): Promise<Result<string>> {
  return new Promise((resolve) => {
    const chunks: Uint8Array[] = [];
    let size = 0;
    body.flow({
      data: (chunk) => {
        size += chunk.length;
        if (size <= maxBytes) return void chunks.push(chunk);
        chunks.length = 0;
        resolve(err({ tag: "limit", limit: "message-bytes", value: maxBytes }));
        body.drop();
      },
      end: () => resolve(ok(textOf(chunks))),
      broken: (failure) => resolve(err(failure)),
    });
  });
}

/** The start of a body as text: at most so many bytes, at most so long a wait, and no failure. */
export function readStart(body: Body, maxBytes: number, maxMs: number): Promise<string> {
  return new Promise((resolve) => {
    const chunks: Uint8Array[] = [];
    let size = 0;
    const finish = (): void => {
      clearTimeout(timer);
      resolve(textOf(chunks));
    };
    const stop = (): void => {
      finish();
      body.drop();
    };
    const timer = setTimeout(stop, maxMs);
    body.flow({
      data: (chunk) => {
        if (size >= maxBytes) return;
        chunks.push(chunk.subarray(0, maxBytes - size));
        size += chunk.length;
        if (size >= maxBytes) stop();
      },
      end: finish,
      broken: finish,
    });
  });
}

function textOf(chunks: readonly Uint8Array[]): string {
  const [only] = chunks;
  if (only === undefined) return "";
  return withoutBom(utf8(chunks.length === 1 ? only : Buffer.concat(chunks)));
}

/** Whole UTF-8 as text; several times faster here than a `TextDecoder`. */
export function utf8(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("utf8");
}

/** A text without its byte order mark. */
export function withoutBom(text: string): string {
  return text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
}
