/**
 * Program and arguments of a local server. A command is never split: a path may hold spaces.
 */
import { wrongType } from "./diagnostics.ts";
import type { Report } from "./diagnostics.ts";
import { readFirst, readPieces } from "./fields.ts";
import type { Fields, Piece } from "./fields.ts";
import type { Item } from "./item.ts";
import { COMMAND_KEYS } from "./keys.ts";

/** What an entry says about its command. */
export interface CommandReading {
  /** Whether there is a member for it, usable or not. */
  readonly isPresent: boolean;
  readonly at?: Item;
  /** Program and arguments; undefined when there is no usable program. */
  readonly argv?: readonly Piece[];
}

const STARTS_LIKE_PATH = /^(?:[./\\~$]|[A-Za-z]:[\\/]|\S*[\\/])/;

/** The command of an entry with its arguments. */
export function readCommand(fields: Fields, report: Report): CommandReading {
  const args = readArgs(fields.get("args"), report);
  const isPresent = COMMAND_KEYS.some((key) => fields.has(key));
  const found = readFirst(fields, COMMAND_KEYS, (at) => readProgram(at, report), report);
  if (found === undefined) return { isPresent };
  const { at, value: program } = found;
  if ((program[0]?.text ?? "").trim() === "") {
    report({ code: "empty-command", at, message: `${at.path} is empty` });
    return { isPresent, at };
  }
  if (at.value.kind === "array" && args.length > 0) {
    const message = "args beside a command that is a list; they are added to its end";
    report({ code: "args-after-command-array", at: args[0]?.at ?? at, message });
  }
  if (at.value.kind === "string") reportSpaces(at, at.value.text, report);
  return { isPresent, at, argv: [...program, ...args] };
}

function readProgram(at: Item, report: Report): readonly Piece[] | undefined {
  if (at.value.kind === "string") return [{ text: at.value.text, at }];
  if (at.value.kind === "array") return readPieces(at, report);
  report(wrongType(at, "string | string[]", "string or array of strings"));
  return undefined;
}

function readArgs(at: Item | undefined, report: Report): readonly Piece[] {
  return at === undefined ? [] : (readPieces(at, report) ?? []);
}

/** Names only the first word in the hint: the others may hold a secret. */
function reportSpaces(at: Item, command: string, report: Report): void {
  const words = command.trim().split(/\s+/);
  if (words.length === 1 || STARTS_LIKE_PATH.test(command)) return;
  const hint = `use "command": ${JSON.stringify(words[0])} and put the other words into "args"`;
  const message = `${at.path} is one program name with spaces in it; a command is not split`;
  report({ code: "command-has-spaces", at, message, hint });
}
