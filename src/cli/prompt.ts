/**
 * `prompt`: one prompt of a server, with its arguments filled in.
 */
import { getPrompt, isObject } from "../index.ts";
import type { Json, JsonObject, Prompt } from "../index.ts";
import { argumentProblems, readWords } from "./argument-texts.ts";
import type { PromptCommand, Settings } from "./command-line.ts";
import { EXIT, failureExit } from "./exit-code.ts";
import type { Host } from "./host.ts";
import { listEach, PROMPTS, requestProblem } from "./listings.ts";
import { closeLoad } from "./load-servers.ts";
import { itemOutcome, openItem, requestOptions } from "./open-item.ts";
import type { Candidate, ItemEnding, OpenItem } from "./open-item.ts";
import { refusal } from "./outcome.ts";
import type { Outcome } from "./outcome.ts";
import { lookIn, pick } from "./pick-server.ts";
import { promptText } from "./prompt-text.ts";
import { exampleWords, readArguments } from "./read-arguments.ts";
import type { Assignment } from "./read-arguments.ts";
import { ownCommand } from "./shell-word.ts";
import type { Voice } from "./voice.ts";

/** Fills in a prompt; nothing is sent to it unless its arguments are there. */
export async function prompt(
  command: PromptCommand,
  settings: Settings,
  host: Host,
  voice: Voice,
): Promise<Outcome> {
  const words = readWords(command.words, "write key=value for each argument");
  if (!words.ok) return refusal("prompt", [words.problem]);
  const opened = await openItem({ command, item: command.prompt, settings, host, voice });
  if (!opened.ok) return opened.outcome;
  const { open } = opened;
  const ending = await promptIn(open, words.value);
  return { ...itemOutcome(open, ending), close: () => closeLoad(open.load, host) };
}

async function promptIn(open: OpenItem, list: readonly Assignment[]): Promise<ItemEnding> {
  const { candidates, plan } = open;
  const connections = candidates.map(({ connection }) => connection);
  const listings = await listEach(connections, PROMPTS, plan.host, plan.voice);
  const look = lookIn(candidates, PROMPTS, listings);
  const picked = pick(look, { what: "prompt", list: "prompts" }, open);
  if (!picked.ok) return picked.ending;
  const { found, ...candidate } = picked.candidate;
  const schema = argumentSchema(found, list);
  const { args, problems } = readArguments(schema, {}, list);
  if (problems.length === 0) return send(candidate, args, open);
  const { server } = plan.command;
  const chosen = server === undefined ? [] : ["--server", server];
  const words = [...chosen, plan.item, ...exampleWords(schema)];
  const example = ownCommand("prompt", words, plan.settings.configs);
  const wrong = argumentProblems(candidate.connection.name, problems, example);
  return { exitCode: EXIT.unusable, problems: wrong };
}

/** The arguments of a prompt as a schema; all are texts, and one that lists none takes any. */
function argumentSchema(found: Prompt | null, list: readonly Assignment[]): JsonObject {
  const given = found?.["arguments"];
  const listed: readonly Json[] = Array.isArray(given) ? given : [];
  const all = listed.filter(isObject).flatMap((one) => {
    const { name, required } = one;
    return typeof name === "string" ? [{ name, isRequired: required === true }] : [];
  });
  const names = all.length === 0 ? list.map(({ key }) => key) : all.map(({ name }) => name);
  return {
    type: "object",
    properties: Object.fromEntries(names.map((name) => [name, { type: "string" }])),
    required: all.filter(({ isRequired }) => isRequired).map(({ name }) => name),
    additionalProperties: false,
  };
}

async function send(
  { connection, item }: Candidate,
  args: JsonObject,
  { plan }: OpenItem,
): Promise<ItemEnding> {
  const texts = Object.entries(args).flatMap(([name, value]) =>
    typeof value === "string" ? [[name, value] as const] : [],
  );
  plan.voice.progress(`Asking ${connection.name} for ${item} …`);
  const options = requestOptions(plan);
  const got = await getPrompt(connection, item, Object.fromEntries(texts), options);
  plan.voice.done();
  const about = { prompt: { server: connection.name, name: item } };
  if (!got.ok) {
    const problem = requestProblem(connection.name, METHOD, got.failure);
    return { exitCode: failureExit(got.failure, METHOD), problems: [problem], members: about };
  }
  const { description, messages, _meta: metadata } = got.value;
  return {
    exitCode: EXIT.done,
    problems: [],
    members: { ...about, result: { description, messages, metadata } },
    result: (style) => promptText(got.value, style),
  };
}

const METHOD = "prompts/get";
