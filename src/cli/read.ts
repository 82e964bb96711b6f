/**
 * `read`: what is under the URI of a resource.
 */
import { isResourceNotFound, readResource } from "../index.ts";
import type { Resource, ResourceTemplate } from "../index.ts";
import type { ReadCommand, Settings } from "./command-line.ts";
import { EXIT, failureExit, worstExit } from "./exit-code.ts";
import type { Host } from "./host.ts";
import { listEach, requestProblem, RESOURCES, TEMPLATES } from "./listings.ts";
import { closeLoad } from "./load-servers.ts";
import { itemOutcome, openItem, requestOptions } from "./open-item.ts";
import type { Candidate, ItemEnding, OpenItem } from "./open-item.ts";
import type { Outcome, Problem } from "./outcome.ts";
import { ableCandidates, lookIn, pick, soleCandidate } from "./pick-server.ts";
import type { Claim, Look, Picked } from "./pick-server.ts";
import { readRemarks, readResult } from "./read-text.ts";
import { ownCommand } from "./shell-word.ts";
import type { Voice } from "./voice.ts";

/** Reads a resource. */
export async function read(
  command: ReadCommand,
  settings: Settings,
  host: Host,
  voice: Voice,
): Promise<Outcome> {
  const opened = await openItem({ command, item: command.uri, settings, host, voice });
  if (!opened.ok) return opened.outcome;
  const { open } = opened;
  const picked = await pickReader(open);
  const ending = picked.ok ? await send(picked.candidate, open) : picked.ending;
  return { ...itemOutcome(open, ending), close: () => closeLoad(open.load, host) };
}

async function pickReader(open: OpenItem): Promise<Picked<Candidate>> {
  const sole = soleCandidate(open, "resources");
  if (sole !== null) return { ok: true, candidate: sole };
  const look = await lookForUri(ableCandidates(open, "resources"), open);
  return pick(look, { what: "resource", list: "resources" }, open);
}

/** A server that lists the URI has it; one with a template that begins like it may have it. */
async function lookForUri(
  candidates: readonly Candidate[],
  { plan: { host, voice } }: OpenItem,
): Promise<Look<Candidate>> {
  const connections = candidates.map(({ connection }) => connection);
  const listings = await listEach(connections, RESOURCES, host, voice);
  const look = lookIn<Resource>(candidates, RESOURCES, listings);
  const templates = await listEach(connections, TEMPLATES, host, voice);
  const further = lookIn<ResourceTemplate>(candidates, TEMPLATES, templates);
  const mayHave = ({ connection, item }: Candidate): boolean =>
    templates
      .filter(({ server }) => server === connection.name)
      .some(({ items }) => items.some(({ uriTemplate }) => beginsLike(item, uriTemplate)));
  return {
    claims: look.claims.map(([candidate, claim]): readonly [Candidate, Claim] =>
      claim === "none" && mayHave(candidate) ? [candidate, "possible"] : [candidate, claim],
    ),
    known: look.known,
    problems: [...look.problems, ...further.problems],
    exitCode: worstExit([look.exitCode, further.exitCode]),
  };
}

/** Whether a URI begins with all that stands before the first variable of a template. */
function beginsLike(uri: string, uriTemplate: string): boolean {
  const [start = ""] = uriTemplate.split("{");
  return start !== "" && uri.startsWith(start);
}

async function send({ connection, item }: Candidate, { plan }: OpenItem): Promise<ItemEnding> {
  const { name: server } = connection;
  plan.voice.progress(`Reading ${item} …`);
  const got = await readResource(connection, item, requestOptions(plan));
  plan.voice.done();
  const about = { resource: { server, uri: item } };
  if (!got.ok) {
    const list = ownCommand("resources", [server], plan.settings.configs);
    const problem: Problem = {
      ...requestProblem(server, METHOD, got.failure),
      ...(isResourceNotFound(got.failure) && { fix: `see which resources there are: ${list}` }),
    };
    return { exitCode: failureExit(got.failure, METHOD), problems: [problem], members: about };
  }
  const { contents, result } = got.value;
  const again = ownCommand("read", [`${server}/${item}`], plan.settings.configs);
  return {
    exitCode: EXIT.done,
    problems: [],
    members: { ...about, result: { contents, metadata: result["_meta"] } },
    result: (style) => readResult(contents, again, style),
    remarks: (style) => readRemarks(contents, again, style),
  };
}

const METHOD = "resources/read";
