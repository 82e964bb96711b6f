/**
 * Answering what servers ask: by a person on the terminal, or from a file.
 */
import { formFields, makeAnswer, visible } from "../index.ts";
import type { Answer, FormField, Json, JsonObject, Request, WaitFor } from "../index.ts";
import { questionOf, readField } from "./form-question.ts";
import type { FieldAnswer } from "./form-question.ts";
import type { Host } from "./host.ts";
import { safeLines } from "./safe-text.ts";
import { didYouMean } from "./suggest.ts";
import type { Voice } from "./voice.ts";

/** Asks the person at the terminal; one request after the other. */
export function askPerson(host: Host, voice: Voice): WaitFor {
  let last: Promise<unknown> = Promise.resolve();
  return (request, { signal }) => {
    const answer = last.then(() => askOne(request, { host, voice, signal }));
    last = answer;
    return answer;
  };
}

interface Asking {
  readonly host: Host;
  readonly voice: Voice;
  readonly signal: AbortSignal;
}

async function askOne(request: Request, asking: Asking): Promise<Answer> {
  if (asking.signal.aborted) return makeAnswer(request.id, false);
  asking.voice.hold(true);
  const answer = await personsAnswer(request, asking);
  asking.voice.hold(false);
  return answer;
}

async function personsAnswer(request: Request, asking: Asking): Promise<Answer> {
  const { host } = asking;
  for (const line of openingLines(request)) host.writeErr(`${line}\n`);
  const consent = await askConsent(request, asking);
  if (consent === null) return makeAnswer(request.id, false);
  if (!consent) return { ...makeAnswer(request.id, false), reason: "declined" };
  const fields = request.data === undefined ? [] : formFields(request.data.schema);
  const data = await askFields(fields, asking);
  return data === null ? makeAnswer(request.id, false) : makeAnswer(request.id, true, data);
}

/** What is asked by whom; a URL stands alone on its line, in full, so that it can be read and copied. */
function openingLines({ server, kind, prompt, url }: Request): readonly string[] {
  const lines = [`Server "${visible(server)}" asks: ${safeLines(prompt)}`];
  if (kind === "input") return lines;
  return [...lines, "Open this address yourself if you trust it:", `  ${visible(url ?? "(none)")}`];
}

/** Whether the person wants to answer; null when there is no more input. */
async function askConsent(request: Request, asking: Asking): Promise<boolean | null> {
  const question = request.kind === "input" ? "Answer? [y/n] " : "Done? [y/n] ";
  for (;;) {
    const line = await askLine(question, asking);
    if (line === null) return null;
    if (/^y(es)?$/i.test(line.trim())) return true;
    if (/^no?$/i.test(line.trim())) return false;
  }
}

async function askFields(fields: readonly FormField[], asking: Asking): Promise<JsonObject | null> {
  const answers: (readonly [string, Json])[] = [];
  for (const field of fields) {
    const answer = await askField(field, asking);
    if (answer === null) return null;
    if (answer.kind === "value") answers.push([field.name, answer.value]);
  }
  return Object.fromEntries(answers);
}

async function askField(
  field: FormField,
  asking: Asking,
): Promise<Exclude<FieldAnswer, { kind: "wrong" }> | null> {
  const { lines, prompt } = questionOf(field);
  for (const line of lines) asking.host.writeErr(`${line}\n`);
  for (;;) {
    const line = await askLine(prompt, asking);
    if (line === null) return null;
    const answer = readField(field, line);
    if (answer.kind !== "wrong") return answer;
    asking.host.writeErr(`  ${visible(answer.why)}\n`);
  }
}

async function askLine(question: string, { host, signal }: Asking): Promise<string | null> {
  host.writeErr(question);
  const line = await host.readLine(signal);
  if (line === null) host.writeErr("\n");
  return line;
}

/**
 * Gives prepared answers in the order in which servers ask; declines when none is left. A member that
 * the server did not ask for is given all the same, and `onStranger` hears of it.
 */
export function giveAnswers(
  answers: readonly Omit<Answer, "id">[],
  decline: WaitFor,
  onStranger: (text: string) => void,
): WaitFor {
  let given = 0;
  return (request, options) => {
    const next = answers[given++];
    if (next === undefined) return decline(request, options);
    const asked = formFields(request.data?.schema ?? {}).map((field) => field.name);
    for (const name of Object.keys(next.data ?? {})) {
      if (!asked.includes(name)) {
        onStranger(`"${name}" in --answers is not asked for${didYouMean(name, asked)}`);
      }
    }
    return { ...next, id: request.id };
  };
}
