/**
 * Colour: whether there is any, and how it is put on.
 */

/** What `--color` may say. */
export type ColorChoice = "auto" | "always" | "never";

/** What a piece of text is, as far as its look goes. */
export type Tone = "good" | "bad" | "warning" | "faint" | "strong";

/** Puts a tone on a text that is safe already; without colour it gives the text back. */
export type Paint = (tone: Tone, text: string) => string;

/**
 * Whether text for a stream is coloured.
 *
 * The option wins, then FORCE_COLOR, then NO_COLOR, then `TERM=dumb`, then whether it is a terminal.
 */
export function hasColor(
  choice: ColorChoice,
  env: Readonly<Record<string, string | undefined>>,
  isTerminal: boolean,
): boolean {
  if (choice !== "auto") return choice === "always";
  const forced = env["FORCE_COLOR"] ?? "";
  if (forced !== "") return forced !== "0" && forced !== "false";
  if ((env["NO_COLOR"] ?? "") !== "") return false;
  return env["TERM"] !== "dumb" && isTerminal;
}

const CODES: Readonly<Record<Tone, number>> = {
  strong: 1,
  faint: 2,
  bad: 31,
  good: 32,
  warning: 33,
};

/** Text without colour. */
export const plain: Paint = (_tone, text) => text;

/** Text with ANSI colours. */
export const coloured: Paint = (tone, text) => `\u001b[${CODES[tone]}m${text}\u001b[0m`;
