/**
 * Remembers what came on stdout and was no message: a few notes, and clues for a timeout.
 */
import { cut } from "../../failure.ts";
import type { Redact } from "../../redact.ts";
import type { Note } from "../transport.ts";

/** The memory of one connection. */
export interface JunkLog {
  readonly redact: Redact;
  readonly note: (note: Note) => void;
  readonly first: string[];
  count: number;
}

const NOTE_LENGTH = 400;
const CLUE_LENGTH = 120;
const CLUES = 3;
/** A peer that logs to stdout does so for ever; the first lines say what there is to say. */
const NOTES = 20;

/** An empty memory. */
export function createJunkLog(redact: Redact, note: (note: Note) => void): JunkLog {
  return { redact, note, first: [], count: 0 };
}

/** Takes one line that was dropped. */
export function recordJunk(log: JunkLog, text: string): void {
  log.count++;
  if (log.count > NOTES) return;
  const line = text.trimEnd();
  if (log.count <= CLUES) log.first.push(shownJunk(log, line));
  log.note({ code: "junk-line", detail: cut(log.redact(line), NOTE_LENGTH) });
}

/** The start of such a line, fit for a text. */
export function shownJunk(log: JunkLog, text: string): string {
  return JSON.stringify(cut(log.redact(text), CLUE_LENGTH));
}

/** What to add to the text of a timeout; undefined when all of stdout was understood. */
export function junkClue(log: JunkLog, unfinished: string | null): string | undefined {
  const open = unfinished === null ? [] : [shownJunk(log, unfinished)];
  const shown = [...log.first, ...open].slice(0, CLUES);
  if (shown.length === 0) return undefined;
  return `not JSON on stdout: ${shown.join(", ")}`;
}
