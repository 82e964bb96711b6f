/**
 * Text from servers and configs, made safe to show.
 *
 * Names, descriptions and errors come from strangers: in a terminal they could move the cursor, and
 * in the log of a GitHub Actions job they could give the runner commands.
 */
import { visible } from "../index.ts";

/** Several lines with every control and invisible character shown as its escape; tabs stay. */
export function safeLines(text: string): string {
  return text
    .split("\n")
    .map((line) => line.replace(/\r$/, "").split("\t").map(visible).join("\t"))
    .join("\n");
}

/** The first line of a text that is not blank, safe to show. */
export function firstLine(text: string): string {
  const line = text.split(/[\r\n\u2028\u2029]/).find((candidate) => candidate.trim() !== "");
  return visible((line ?? "").trim());
}

// The runner skips blanks before `::`, and takes the older `##[` anywhere in a line.
const COMMAND = /^([^\S\r\n]*):(?=:)/gmu;
const OLD_COMMAND = /#(?=#\[)/gu;

/** The text with nothing in it that a GitHub Actions runner takes for a command. */
export function withoutWorkflowCommands(text: string): string {
  return text.replaceAll(COMMAND, "$1\\u{3a}").replaceAll(OLD_COMMAND, "\\u{23}");
}

/** The same for the text of a JSON document, which keeps its meaning. */
export function jsonWithoutWorkflowCommands(json: string): string {
  return json.replaceAll(OLD_COMMAND, "\\u0023");
}
