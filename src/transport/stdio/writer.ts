/**
 * Writes lines to a child's stdin: those of one tick in one write, and one write at a time.
 */
import type { Writable } from "node:stream";
import type { Failure } from "../../failure.ts";

/** The one writer of a stream. */
export interface Writer {
  /** Hands over a line with its newline; resolves with why that failed, or null. Never rejects. */
  send(line: string): Promise<Failure | null>;
  /** Ends the stream after the lines that are waiting. */
  end(): void;
}

/** Lines that go out together, and who waits for that. */
interface Batch {
  text: string;
  readonly done: Promise<Failure | null>;
  readonly settle: (failure: Failure | null) => void;
}

/**
 * A writer over a stream that it alone writes to.
 *
 * The next write starts when the one before was taken, so a slow reader at the other end delays
 * and nothing listens for `drain`.
 *
 * @param whyBroken - Asked once, when the stream broke, with the system's code; gives the cause.
 */
export function createWriter(
  stream: Writable,
  whyBroken: (code: string | undefined) => Promise<Failure>,
): Writer {
  let waiting: Batch | null = null;
  let isWriting = false;
  let broken: Promise<Failure> | null = null;
  const onBroken = (error: Error): Promise<Failure> => (broken ??= whyBroken(codeOf(error)));
  stream.on("error", (error) => void onBroken(error));
  const failBatch = async (batch: Batch, error: Error): Promise<void> =>
    batch.settle(await onBroken(error));
  const flush = (): void => {
    const batch = waiting;
    if (batch === null) return;
    waiting = null;
    if (broken !== null) return void broken.then(batch.settle);
    isWriting = true;
    stream.write(batch.text, (error) => {
      isWriting = false;
      if (error === null || error === undefined) batch.settle(null);
      else void failBatch(batch, error);
      flush();
    });
  };
  return {
    send: (line) => {
      if (waiting !== null) waiting.text += line;
      else {
        waiting = newBatch(line);
        if (!isWriting) process.nextTick(flush);
      }
      return waiting.done;
    },
    end: () => {
      flush();
      stream.end();
    },
  };
}

function newBatch(text: string): Batch {
  let settle: (failure: Failure | null) => void = () => undefined;
  const done = new Promise<Failure | null>((resolve) => {
    settle = resolve;
  });
  return { text, done, settle };
}

function codeOf(error: Error): string | undefined {
  return "code" in error && typeof error.code === "string" ? error.code : undefined;
}
