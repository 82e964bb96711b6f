/**
 * Who answers what a server asks in the middle of a command: `--answers`, the person, or nobody.
 */
import type { WaitFor } from "../index.ts";
import { askPerson, giveAnswers } from "./ask.ts";
import type { Asking } from "./command-line.ts";
import type { Host } from "./host.ts";
import { decliner } from "./load-servers.ts";
import { readAnswers } from "./read-json.ts";
import type { Read } from "./read-json.ts";
import type { Voice } from "./voice.ts";

/** The answerer of a command; a person can only be asked where stdin is not taken for something else. */
export async function answerer(
  { answers: given }: Asking,
  host: Host,
  voice: Voice,
  isStdinTaken: boolean = false,
): Promise<Read<WaitFor>> {
  if (given !== undefined) {
    const answers = await readAnswers(given, host);
    if (!answers.ok) return answers;
    const decline = decliner(voice, ": no answer is left in --answers");
    return { ok: true, value: giveAnswers(answers.value, decline, voice.note) };
  }
  const isPersonThere = host.isTerminal.stdin && host.isTerminal.stderr && !isStdinTaken;
  const value = isPersonThere
    ? askPerson(host, voice)
    : decliner(voice, ": this is no terminal; --answers can answer");
  return { ok: true, value };
}
