/**
 * `complete`: what a server suggests for an argument of a prompt or a template.
 */
import { complete } from "../index.ts";
import type { CompletionReference } from "../index.ts";
import { readWords } from "./argument-texts.ts";
import type { CompleteCommand, Settings } from "./command-line.ts";
import { EXIT, failureExit } from "./exit-code.ts";
import type { Host } from "./host.ts";
import { listEach, PROMPTS, requestProblem, TEMPLATES } from "./listings.ts";
import { closeLoad } from "./load-servers.ts";
import { itemOutcome, openItem, requestOptions } from "./open-item.ts";
import type { Candidate, ItemEnding, OpenItem } from "./open-item.ts";
import { refusal } from "./outcome.ts";
import type { Outcome } from "./outcome.ts";
import { ableCandidates, lookIn, pick, soleCandidate } from "./pick-server.ts";
import type { Picked } from "./pick-server.ts";
import type { Assignment } from "./read-arguments.ts";
import { safeLines } from "./safe-text.ts";
import type { Voice } from "./voice.ts";

/** Asks for suggestions. */
export async function completeArgument(
  command: CompleteCommand,
  settings: Settings,
  host: Host,
  voice: Voice,
): Promise<Outcome> {
  const context = readWords(command.context, "write --context key=value");
  if (!context.ok) return refusal("complete", [context.problem]);
  const opened = await openItem({ command, item: command.reference, settings, host, voice });
  if (!opened.ok) return opened.outcome;
  const { open } = opened;
  const picked = await pickCompleter(open);
  const ending = picked.ok
    ? await send(picked.candidate, { command, context: context.value, open })
    : picked.ending;
  return { ...itemOutcome(open, ending), close: () => closeLoad(open.load, host) };
}

async function pickCompleter(open: OpenItem): Promise<Picked<Candidate>> {
  const sole = soleCandidate(open, "completions");
  if (sole !== null) return { ok: true, candidate: sole };
  const { host, voice } = open.plan;
  const able = ableCandidates(open, "completions");
  const connections = able.map(({ connection }) => connection);
  if (isUri(open.plan.item)) {
    const listings = await listEach(connections, TEMPLATES, host, voice);
    const kind = { what: "resource template", list: "resources" } as const;
    return pick(lookIn(able, TEMPLATES, listings), kind, open);
  }
  const listings = await listEach(connections, PROMPTS, host, voice);
  return pick(lookIn(able, PROMPTS, listings), { what: "prompt", list: "prompts" }, open);
}

/** A prompt's name may hold a colon, but hardly what makes a URI or a template. */
function isUri(item: string): boolean {
  return item.includes("://") || item.includes("{");
}

interface Completing {
  readonly command: CompleteCommand;
  readonly context: readonly Assignment[];
  readonly open: OpenItem;
}

async function send(
  { connection, item }: Candidate,
  { command, context, open }: Completing,
): Promise<ItemEnding> {
  const { name: server } = connection;
  const { plan } = open;
  const reference: CompletionReference = isUri(item)
    ? { type: "ref/resource", uri: item }
    : { type: "ref/prompt", name: item };
  const known = Object.fromEntries(context.map(({ key, text }) => [key, text]));
  const argument = { name: command.argument, value: command.value };
  plan.voice.progress(`Asking ${server} …`);
  const got = await complete(connection, reference, argument, {
    ...requestOptions(plan),
    ...(context.length > 0 && { context: { arguments: known } }),
  });
  plan.voice.done();
  const about = { reference: { ...reference, server } };
  if (!got.ok) {
    const problem = requestProblem(server, METHOD, got.failure);
    return { exitCode: failureExit(got.failure, METHOD), problems: [problem], members: about };
  }
  const { values, total, hasMore } = got.value;
  const isPart = hasMore === true || (total ?? 0) > values.length;
  const whole = total === undefined ? "" : ` of ${total}`;
  return {
    exitCode: EXIT.done,
    problems: [],
    members: { ...about, completion: { values, total, hasMore } },
    result: ({ isTerminal }) => (isTerminal ? safeLines(values.join("\n")) : values.join("\n")),
    remarks: ({ paint }) =>
      isPart ? [paint("faint", `The first ${values.length}${whole}; there are more.`)] : [],
  };
}

const METHOD = "completion/complete";
