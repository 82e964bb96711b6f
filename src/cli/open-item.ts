/**
 * What `prompt`, `read` and `complete` begin with: the config, the servers that may have the item, and
 * which of them it is.
 */
import type { CallOptions, Connected, JsonObject, Load } from "../index.ts";
import { answerer } from "./answer-servers.ts";
import type { Command, ItemAsking, Settings } from "./command-line.ts";
import { EXIT } from "./exit-code.ts";
import type { Host } from "./host.ts";
import { itemRoute } from "./item-route.ts";
import type { Target } from "./item-route.ts";
import { connectedOf } from "./listings.ts";
import { countsOf, loadExit, loadProblems, loadServers, serverJson } from "./load-servers.ts";
import { configFindings, openConfig } from "./open-config.ts";
import { problemLines, refusal } from "./outcome.ts";
import type { Finding, Outcome, Problem, TextStyle } from "./outcome.ts";
import type { Voice } from "./voice.ts";

/** A command that asks one server for one thing. */
export interface ItemPlan {
  readonly command: ItemAsking & { readonly name: Command["name"] };
  /** The item as the command line names it. */
  readonly item: string;
  readonly settings: Settings;
  readonly host: Host;
  readonly voice: Voice;
}

/** A server that may have the item, connected. */
export interface Candidate {
  readonly connection: Connected;
  /** The server's own name for the item. */
  readonly item: string;
}

/** The servers that may have the item, loaded. */
export interface OpenItem {
  readonly plan: ItemPlan;
  readonly load: Load;
  readonly candidates: readonly Candidate[];
  readonly findings: readonly Finding[];
}

/** Loads the servers that may have an item, or gives the outcome of a command that cannot run. */
export async function openItem(
  plan: ItemPlan,
): Promise<
  { readonly ok: true; readonly open: OpenItem } | { readonly ok: false; readonly outcome: Outcome }
> {
  const { command, settings, host, voice } = plan;
  const refused = (problem: Problem): { readonly ok: false; readonly outcome: Outcome } => ({
    ok: false,
    outcome: refusal(command.name, [problem]),
  });
  const waitFor = await answerer(command, host, voice);
  if (!waitFor.ok) return refused(waitFor.problem);
  const opened = await openConfig(settings, host, voice);
  if (!opened.ok) return refused(opened.problem);
  const route = itemRoute(plan.item, command.server, opened.parsed);
  if (!route.ok) return refused(route.problem);
  const load = await loadServers(route.parsed, { host, voice, waitFor: waitFor.value });
  const findings = configFindings(opened.parsed, opened.file);
  const candidates = candidatesOf(load, route.targets);
  return { ok: true, open: { plan, load, candidates, findings } };
}

function candidatesOf(load: Load, targets: readonly Target[]): readonly Candidate[] {
  return connectedOf(load).flatMap((connection) =>
    targets
      .filter(({ server }) => server === connection.name)
      .map(({ item }) => ({ connection, item })),
  );
}

/** How the request of such a command is made. */
export function requestOptions({ command, host }: ItemPlan): CallOptions {
  const { timeoutMs } = command;
  return { signal: host.signal, ...(timeoutMs !== undefined && { timeoutMs }) };
}

/** What came of the request, or why it was not sent. */
export interface ItemEnding {
  readonly exitCode: number;
  readonly problems: readonly Problem[];
  readonly members?: JsonObject;
  readonly result?: (style: TextStyle) => string | Uint8Array;
  readonly remarks?: (style: TextStyle) => readonly string[];
}

/** The outcome of such a command; its code is that of the request alone. */
export function itemOutcome({ plan, load }: OpenItem, ending: ItemEnding): Outcome {
  const { exitCode, problems, members = {}, result, remarks } = ending;
  return {
    command: plan.command.name,
    exitCode,
    couldRun: exitCode !== EXIT.unusable,
    counts: countsOf(load),
    findings: [],
    problems,
    members: { servers: load.connections.map(serverJson), ...members },
    result: (style) => result?.(style) ?? "",
    remarks: (style) => [
      ...problems.flatMap((problem) => problemLines(problem, style.paint)),
      ...(remarks?.(style) ?? []),
    ],
  };
}

/** Why no server can be asked, where one that may have the item has failed; null when none has. */
export function loadEnding({ load, findings }: OpenItem): ItemEnding | null {
  const exitCode = loadExit(load);
  return exitCode === EXIT.done ? null : { exitCode, problems: loadProblems(load, findings) };
}
