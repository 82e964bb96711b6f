/**
 * Why a child could not be started, in words that say what to change. Pure.
 */
import type { TransportFailure } from "../../failure.ts";

/** What was to be started; of its environment only what a text may need. */
export interface Attempt {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd?: string;
}

/** What is wrong with a spec that did not come through a type checker; null when nothing is. */
export function specProblem(spec: unknown): string | null {
  if (typeof spec !== "object" || spec === null) return "the spec is not an object";
  const read = (name: string, absent?: unknown): unknown => {
    const value: unknown = Reflect.get(spec, name);
    return value === undefined ? absent : value;
  };
  const [args, env] = [read("args", []), read("env", {})];
  if (!isString(read("command"))) return "command is not a string";
  if (!Array.isArray(args) || !args.every(isString)) return "args is not a list of strings";
  if (typeof env !== "object" || env === null || !Object.values(env).every(isString)) {
    return "env is not an object of strings";
  }
  return isString(read("cwd", "")) ? null : "cwd is not a string";
}

function isString(value: unknown): value is string {
  return typeof value === "string";
}

/**
 * What keeps a command from being started, told before the system is asked; null when nothing does.
 *
 * Node throws for each of these, or blames the command.
 */
export function attemptProblem(attempt: Attempt): TransportFailure | null {
  if (attempt.command.trim() === "") return spawnFailure("EINVAL", "the command is empty");
  const withNul = placeOfNul(attempt);
  if (withNul !== null) return spawnFailure("EINVAL", `there is a NUL character in ${withNul}`);
  return null;
}

function placeOfNul(attempt: Attempt): string | null {
  if (attempt.command.includes("\0")) return "the command";
  if (attempt.cwd?.includes("\0") === true) return "the working directory";
  const arg = attempt.args.findIndex((text) => text.includes("\0"));
  if (arg !== -1) return `argument ${arg + 1}`;
  const variable = Object.entries(attempt.env).find((pair) => pair.join("").includes("\0"));
  return variable === undefined ? null : `the variable ${JSON.stringify(variable[0])}`;
}

/** The failure for an unusable working directory. */
export function cwdFailure(cwd: string, code: string | undefined): TransportFailure {
  const why = CWD_REASONS[code ?? ""] ?? `cannot be used (${code ?? "unknown error"})`;
  return spawnFailure(code, `the working directory ${JSON.stringify(cwd)} ${why}`);
}

const CWD_REASONS: Readonly<Record<string, string>> = {
  ENOENT: "does not exist",
  ENOTDIR: "is not a directory",
  EACCES: "may not be entered",
};

/** The failure for what the system said when it was asked to start a command. */
export function startFailure(attempt: Attempt, code: string | undefined): TransportFailure {
  return spawnFailure(code, startDetail(attempt, code));
}

function startDetail(attempt: Attempt, code: string | undefined): string {
  const name = JSON.stringify(attempt.command);
  switch (code) {
    case "ENOENT":
      return `${name} was not found ${whereSearched(attempt)}${hint(attempt)}`;
    case "EACCES":
      return `${name} may not be executed${hint(attempt)}`;
    case "ENOTDIR":
      return `a part of the path ${name} is not a directory`;
    case "E2BIG":
      return `the arguments and variables of ${name} are too long: ${totalLength(attempt)} characters`;
    default:
      return `${name} could not be started (${code ?? "unknown error"})`;
  }
}

/** A count of the places, for a PATH may tell more about a machine than a report should. */
function whereSearched(attempt: Attempt): string {
  if (/[/\\]/.test(attempt.command)) return "(nor, if it is a script, the program that runs it)";
  const path = Object.entries(attempt.env).find(([name]) => name.toUpperCase() === "PATH")?.[1];
  if (path === undefined) return "(the child has no PATH)";
  const places = path.split(attempt.env["PATHEXT"] === undefined ? ":" : ";").filter(Boolean);
  return `in the ${places.length} entries of PATH`;
}

function hint(attempt: Attempt): string {
  const hasSpace = /\S\s+\S/.test(attempt.command);
  return hasSpace ? "; the command contains a space: arguments belong in args" : "";
}

function totalLength(attempt: Attempt): number {
  const texts = [attempt.command, ...attempt.args, ...Object.entries(attempt.env).flat()];
  return texts.reduce((sum, text) => sum + text.length + 1, 0);
}

function spawnFailure(code: string | undefined, detail: string): TransportFailure {
  return {
    tag: "transport",
    reason: "spawn-failed",
    ...(code === undefined ? {} : { code }),
    detail,
  };
}
