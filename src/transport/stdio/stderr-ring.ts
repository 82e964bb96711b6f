/**
 * Keeps the last lines of a child's stderr, in bounded memory, however much is written.
 */
import { Buffer } from "node:buffer";
import { cut } from "../../failure.ts";
import type { Redact } from "../../redact.ts";

/** The last lines of one child. */
export interface StderrRing {
  /** Takes the next bytes. */
  push(chunk: Buffer): void;
  /** Takes the end of the stream. */
  end(): void;
  /** The last lines, oldest first; one that has not ended yet is the last. */
  lines(): readonly string[];
}

const LINES = 200;
const LINE_LENGTH = 64 * 1024;
/** Kept beyond the cut, so that a secret across it is redacted whole. */
const LINE_BYTES: number = LINE_LENGTH + 16 * 1024;
const NEWLINE = 0x0a;

/** An empty ring; each line goes through `redact` and then to `onLine`, which may throw. */
export function createStderrRing(redact: Redact, onLine?: (line: string) => void): StderrRing {
  const kept: string[] = [];
  let parts: Buffer[] = [];
  let size = 0;
  const keep = (bytes: Buffer): void => {
    const room = Math.min(bytes.length, LINE_BYTES - size);
    if (room > 0) parts.push(Buffer.from(bytes.subarray(0, room)));
    size += room;
  };
  const text = (): string => {
    const line = Buffer.concat(parts).toString("utf8");
    return cut(redact(line.endsWith("\r") ? line.slice(0, -1) : line), LINE_LENGTH);
  };
  const endLine = (): void => {
    const line = text();
    parts = [];
    size = 0;
    if (kept.push(line) > LINES) kept.shift();
    tell(onLine, line);
  };
  return {
    push: (chunk) => {
      let from = 0;
      let newline = chunk.indexOf(NEWLINE);
      while (newline !== -1) {
        keep(chunk.subarray(from, newline));
        endLine();
        from = newline + 1;
        newline = chunk.indexOf(NEWLINE, from);
      }
      if (from < chunk.length) keep(chunk.subarray(from));
    },
    end: () => {
      if (size > 0) endLine();
    },
    lines: () => (size > 0 ? [...kept, text()].slice(-LINES) : [...kept]),
  };
}

function tell(onLine: ((line: string) => void) | undefined, line: string): void {
  try {
    onLine?.(line);
  } catch {
    // What the caller's window does must not end the connection.
  }
}
