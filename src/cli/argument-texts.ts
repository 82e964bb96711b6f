/**
 * What is said of arguments that cannot be sent.
 */
import { visible } from "../index.ts";
import type { ValueProblem } from "./check-value.ts";
import type { Problem } from "./outcome.ts";
import { assignments } from "./read-arguments.ts";
import type { Assignment } from "./read-arguments.ts";
import type { Read } from "./read-json.ts";

/** The words of a command line as assignments, or what is wrong with the first that is none. */
export function readWords(words: readonly string[], fix: string): Read<readonly Assignment[]> {
  const read = assignments(words);
  if (read.ok) return { ok: true, value: read.list };
  const message = visible(`"${read.word}" is not an argument of the form key=value`);
  return { ok: false, problem: { tag: "usage", message, fix } };
}

/** Every problem of the arguments; the last one brings an example of the whole command. */
export function argumentProblems(
  server: string,
  problems: readonly ValueProblem[],
  example: string,
): readonly Problem[] {
  return problems.map(({ at, message, expected }, i): Problem => {
    const named = at === "" ? "the arguments" : `argument "${at}"`;
    const isLast = i === problems.length - 1;
    return {
      tag: "invalid-argument",
      server,
      message: `${visible(`${named} ${message}`)} (expected: ${expected})`,
      ...(isLast && { fix: `call it like this: ${example}` }),
    };
  });
}
