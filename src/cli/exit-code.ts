/**
 * What the process ends with. The numbers are part of the interface; docs/cli.md lists them.
 */
import { constants } from "node:os";
import type { Failure } from "../index.ts";

/** The exit codes, by what they mean. */
export const EXIT = {
  done: 0,
  /** `check` and `doctor` found errors. */
  findings: 1,
  /** Nothing could be done: wrong usage, no usable config, a missing variable. */
  unusable: 2,
  /** A server asks for credentials. */
  auth: 3,
  /** A server could not be reached, ended, took too long or did not speak the protocol. */
  server: 4,
  /** What was asked for answered with an error, or there is none of that name. */
  tool: 5,
  /** An error in this program. */
  bug: 70,
} as const;

const PRECEDENCE: readonly number[] = [
  EXIT.bug,
  EXIT.unusable,
  EXIT.auth,
  EXIT.server,
  EXIT.tool,
  EXIT.findings,
];

/** The code that counts when several apply: what did not happen outranks what was found. */
export function worstExit(codes: Iterable<number>): number {
  const all = new Set(codes);
  return PRECEDENCE.find((code) => all.has(code)) ?? EXIT.done;
}

/** Requests for one thing of a server, by its name. */
const ASKED: ReadonlySet<string> = new Set([
  "tools/call",
  "prompts/get",
  "resources/read",
  "completion/complete",
]);

/** The code for a failure; `phase` is where it happened, as in `describeFailure`. */
export function failureExit(failure: Failure, phase: string): number {
  switch (failure.tag) {
    case "config":
    case "invalid-argument":
      return EXIT.unusable;
    case "auth":
      return EXIT.auth;
    case "http-status":
      return isRefused(failure.status) ? EXIT.auth : EXIT.server;
    case "rpc-error":
      if (isRefused(failure.status)) return EXIT.auth;
      // The server did answer: it knows its names and their arguments better than this side.
      return ASKED.has(phase) ? EXIT.tool : EXIT.server;
    default:
      return EXIT.server;
  }
}

function isRefused(status: number | undefined): boolean {
  return status === 401 || status === 403;
}

/** The code of a process that a signal ended, as a shell gives it. */
export function signalExit(signal: NodeJS.Signals): number {
  return 128 + constants.signals[signal];
}

/**
 * What `--exit-zero` makes of a code: findings and failures of servers and tools become 0; a command
 * that could not run, a signal and a bug stay what they are.
 */
export function forgivenExit(code: number, couldRun: boolean): number {
  const isForgivable = code <= EXIT.tool && (code !== EXIT.unusable || couldRun);
  return isForgivable ? EXIT.done : code;
}
