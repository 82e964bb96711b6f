/**
 * Lines that a person types, one at a time.
 */
import { createInterface } from "node:readline";
import type { Interface } from "node:readline";

/** Reads lines when asked to; nothing is read, and nothing kept open, before. */
export interface LineReader {
  /** The next line; null at the end of input, or when the signal fires. */
  next(signal: AbortSignal): Promise<string | null>;
  /** Ends the reading. */
  close(): void;
}

/** Lines of a stream. They are the terminal's own: Ctrl-C reaches the process as a signal. */
export function createLineReader(input: NodeJS.ReadableStream): LineReader {
  const ready: string[] = [];
  const waiting: ((line: string | null) => void)[] = [];
  let reading: Interface | null = null;
  let isOver = false;
  const begin = (): Interface => {
    const lines = createInterface({ input, terminal: false });
    lines.on("line", (line) => {
      const next = waiting.shift();
      if (next === undefined) ready.push(line);
      else next(line);
    });
    lines.on("close", () => {
      isOver = true;
      for (const next of waiting.splice(0)) next(null);
    });
    return lines;
  };
  return {
    next: (signal) => {
      reading ??= begin();
      const line = ready.shift();
      if (line !== undefined) return Promise.resolve(line);
      if (isOver || signal.aborted) return Promise.resolve(null);
      return new Promise((resolve) => {
        const settle = (typed: string | null): void => {
          signal.removeEventListener("abort", giveUp);
          resolve(typed);
        };
        const giveUp = (): void => {
          waiting.splice(waiting.indexOf(settle), 1);
          resolve(null);
        };
        waiting.push(settle);
        signal.addEventListener("abort", giveUp, { once: true });
      });
    },
    close: () => reading?.close(),
  };
}
