/**
 * Texts to be typed into a POSIX shell.
 */
import { visible } from "../index.ts";

/** A word as one would type it. */
export function shellWord(word: string): string {
  if (/^[\w@%+=:,./-]+$/.test(word)) return word;
  if (word.includes("'") && !/["$`\\!]/.test(word)) return `"${word}"`;
  return `'${word.replaceAll("'", String.raw`'\''`)}'`;
}

/** A command line of this program, with the config that the person gave. */
export function ownCommand(
  name: string,
  words: readonly string[],
  configs: readonly string[],
): string {
  const options = configs.flatMap((path) => ["-c", path]);
  return visible(["mcp-source", name, ...options, ...words].map(shellWord).join(" "));
}
