/**
 * What `prompts` and `resources` have in common: servers chosen and loaded, their lists shown.
 */
import type { JsonObject, Load } from "../index.ts";
import { chooseServers } from "./choose-servers.ts";
import type { PromptsCommand, ResourcesCommand, Settings } from "./command-line.ts";
import { worstExit } from "./exit-code.ts";
import type { Host } from "./host.ts";
import { serverLines } from "./list-text.ts";
import type { Count } from "./list-text.ts";
import { listingExit, listingProblems } from "./listings.ts";
import type { Listing } from "./listings.ts";
import { countsOf, loadExit, loadProblems, loadServers, serverJson } from "./load-servers.ts";
import { configFindings, openConfig } from "./open-config.ts";
import { problemLines, refusal } from "./outcome.ts";
import type { Finding, Outcome, TextStyle } from "./outcome.ts";
import { ownCommand } from "./shell-word.ts";
import type { Voice } from "./voice.ts";

/** A command that lists what servers have. */
export interface ItemsPlan {
  readonly command: PromptsCommand | ResourcesCommand;
  readonly settings: Settings;
  readonly host: Host;
  readonly voice: Voice;
}

/** The servers of such a command, loaded. */
export interface OpenItems {
  readonly plan: ItemsPlan;
  readonly load: Load;
  readonly findings: readonly Finding[];
}

/** Loads the servers that were named, or gives the outcome of a command that cannot run. */
export async function openItems(
  plan: ItemsPlan,
): Promise<
  | { readonly ok: true; readonly open: OpenItems }
  | { readonly ok: false; readonly outcome: Outcome }
> {
  const { command, settings, host, voice } = plan;
  const opened = await openConfig(settings, host, voice);
  if (!opened.ok) return { ok: false, outcome: refusal(command.name, [opened.problem]) };
  const chosen = chooseServers(opened.parsed, command.servers);
  if (!chosen.ok) return { ok: false, outcome: refusal(command.name, chosen.problems) };
  const load = await loadServers(chosen.parsed, { host, voice });
  const names = new Set(chosen.parsed.servers.map((server) => server.name));
  const findings = configFindings(opened.parsed, opened.file, (server) => names.has(server));
  return { ok: true, open: { plan, load, findings } };
}

/** Lists of one kind, and how they are shown. */
export interface ItemsList {
  readonly listings: readonly Listing<unknown>[];
  /** The heading of the column that counts them. */
  readonly heading: string;
  /** The lines of their table. */
  readonly lines: (style: TextStyle) => readonly string[];
}

/** The outcome of such a command. */
export function itemsOutcome(
  { plan, load, findings }: OpenItems,
  lists: readonly ItemsList[],
  members: JsonObject,
): Outcome {
  const problems = [
    ...loadProblems(load, findings),
    ...lists.flatMap(({ listings }) => listingProblems(listings)),
  ];
  const listed = worstExit(lists.map(({ listings }) => listingExit(listings)));
  const couldRun = load.failure === null || load.connections.length > 0;
  const hasFailed = load.connections.some((found) => found.status === "failed");
  return {
    command: plan.command.name,
    exitCode: worstExit([loadExit(load), listed]),
    couldRun,
    counts: countsOf(load),
    findings,
    problems,
    members: { servers: load.connections.map(serverJson), ...members },
    result: (style) => (couldRun ? itemsText(load, lists, style) : ""),
    remarks: ({ paint }) => [
      ...problems.flatMap((problem) => problemLines(problem, paint)),
      ...(hasFailed ? [paint("faint", doctorHint(plan.settings.configs))] : []),
    ],
  };
}

/** Where to go when a server failed. */
export function doctorHint(configs: readonly string[]): string {
  return `What to do about it: ${ownCommand("doctor", [], configs)}`;
}

function itemsText(load: Load, lists: readonly ItemsList[], style: TextStyle): string {
  const counts = lists.map(({ heading, listings }): Count => ({
    heading,
    of: ({ name }) => listings.find(({ server }) => server === name)?.items.length ?? 0,
  }));
  return [
    ...lists.flatMap(({ lines }) => [...lines(style), ""]),
    ...serverLines(load.connections, null, style, counts),
  ].join("\n");
}
