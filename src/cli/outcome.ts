/**
 * What a command came to, before it is shown: the data of a report, and functions that put it into
 * words.
 */
import type { Failure, JsonObject, Severity } from "../index.ts";
import type { CommandName } from "./command-line.ts";
import { EXIT } from "./exit-code.ts";
import type { Paint } from "./style.ts";

/** Something that was found, with its place and the way out. */
export interface Finding {
  /** A stable word, such as `undefined-variable` or `name-too-long`. */
  readonly id: string;
  readonly severity: Severity;
  readonly message: string;
  readonly fix?: string;
  readonly server?: string;
  /** The server's own name of the tool. */
  readonly tool?: string;
  /** The tool's exposed name. */
  readonly exposed?: string;
  /** JSON pointer into the config. */
  readonly pointer?: string;
  readonly location?: Location;
  /** Further lines for people: what depends on this machine or on timing. */
  readonly details?: readonly string[];
}

/** A place in a file. */
export interface Location {
  /** Relative to the current folder. */
  readonly file: string;
  /** From 1. */
  readonly line?: number;
  /** From 1. */
  readonly column?: number;
}

/** Why a command, or a server it needed, did not get where it should. */
export interface Problem {
  /** The tag of a failure, or `usage`, `bug`. */
  readonly tag: Failure["tag"] | "usage" | "bug";
  readonly message: string;
  readonly fix?: string;
  readonly server?: string;
  readonly phase?: string;
  readonly stderrTail?: readonly string[];
  readonly failure?: Failure;
}

/** How many of what. */
export interface Counts {
  readonly connected: number;
  readonly failed: number;
  readonly disabled: number;
  readonly tools: number;
}

/** How text is put on a stream. */
export interface TextStyle {
  readonly paint: Paint;
  readonly isTerminal: boolean;
  /** The width of the terminal; null when there is none. */
  readonly columns: number | null;
  /** Whether the stream is the log of a GitHub Actions job, where lines can be commands. */
  readonly isWorkflowLog: boolean;
}

/** The end of a command. */
export interface Outcome {
  readonly command: CommandName;
  readonly exitCode: number;
  /** False when nothing could be done at all: `--exit-zero` then changes nothing. */
  readonly couldRun: boolean;
  readonly counts: Counts;
  readonly findings: readonly Finding[];
  readonly problems: readonly Problem[];
  /** What the report of this command holds beside what all reports do. */
  readonly members: JsonObject;
  /** For stdout: text without a line end at its end, empty = none; or bytes as they are. */
  readonly result: (style: TextStyle) => string | Uint8Array;
  /** The lines for stderr. */
  readonly remarks: (style: TextStyle) => readonly string[];
  /** Ends what the command started; awaited after the outcome was shown. */
  readonly close?: () => Promise<void>;
}

/** No server, no tool. */
export const NO_COUNTS: Counts = { connected: 0, failed: 0, disabled: 0, tools: 0 };

/** The outcome of a command that could not run. */
export function refusal(
  command: CommandName,
  problems: readonly Problem[],
  exitCode: number = EXIT.unusable,
): Outcome {
  return {
    command,
    exitCode,
    couldRun: false,
    counts: NO_COUNTS,
    findings: [],
    problems,
    members: {},
    result: () => "",
    remarks: ({ paint }) => problems.flatMap((problem) => problemLines(problem, paint)),
  };
}

/** A problem for people: what happened, and the way out below it. */
export function problemLines({ message, fix }: Problem, paint: Paint): readonly string[] {
  const head = `${paint("bad", "error:")} ${message}`;
  return fix === undefined ? [head] : [head, `  ${paint("strong", "Fix:")} ${fix}`];
}
