/**
 * Which of several servers is asked for an item: the one that lists it.
 */
import { visible } from "../index.ts";
import { EXIT, worstExit } from "./exit-code.ts";
import { listingExit, listingProblems } from "./listings.ts";
import type { Listing, ListKind } from "./listings.ts";
import { loadExit } from "./load-servers.ts";
import { loadEnding } from "./open-item.ts";
import type { Candidate, ItemEnding, OpenItem } from "./open-item.ts";
import type { Problem } from "./outcome.ts";
import { ownCommand } from "./shell-word.ts";
import { didYouMean } from "./suggest.ts";

/** How sure it is that a server has an item: listed by that name, possibly there, or not at all. */
export type Claim = "listed" | "possible" | "none";

/** What the lists of servers say of an item. */
export interface Look<T extends Candidate> {
  readonly claims: readonly (readonly [candidate: T, claim: Claim])[];
  /** The names they list instead, as the command line takes them. */
  readonly known: readonly string[];
  /** Of lists that could not be had. */
  readonly problems: readonly Problem[];
  readonly exitCode: number;
}

/** The one candidate to ask, or why there is none. */
export type Picked<T extends Candidate> =
  | { readonly ok: true; readonly candidate: T }
  | { readonly ok: false; readonly ending: ItemEnding };

/** What an item is called when something is said of it. */
export interface ItemKind {
  /** `prompt`, `resource`. */
  readonly what: string;
  /** The command that lists such items. */
  readonly list: "prompts" | "resources";
}

/**
 * The candidate that can be asked without looking at any list; null when that would be a guess.
 *
 * Where a server could not be connected nobody is asked in its place: the name of a resource is
 * nothing to tell to strangers.
 */
export function soleCandidate(open: OpenItem, capability: string): Candidate | null {
  const { load, candidates } = open;
  if (load.connections.length === 1) return candidates[0] ?? null;
  const able = ableCandidates(open, capability);
  return loadExit(load) === EXIT.done && able.length === 1 ? (able[0] ?? null) : null;
}

/** The candidates that say they have something of the kind. */
export function ableCandidates({ candidates }: OpenItem, capability: string): readonly Candidate[] {
  return candidates.filter(({ connection }) => connection.capabilities[capability] !== undefined);
}

/** The claims to an item after one list of each candidate. */
export function lookIn<T>(
  candidates: readonly Candidate[],
  kind: ListKind<T>,
  listings: readonly Listing<T>[],
): Look<Candidate & { readonly found: T | null }> {
  const itemsOf = (name: string): readonly T[] =>
    listings.find(({ server }) => server === name)?.items ?? [];
  return {
    claims: candidates.map((candidate) => {
      const items = itemsOf(candidate.connection.name);
      const found = items.find((one) => kind.keyOf(one) === candidate.item) ?? null;
      return [{ ...candidate, found }, found === null ? "none" : "listed"];
    }),
    known: candidates.flatMap(({ connection }) => {
      const keys = itemsOf(connection.name).map((one) => kind.keyOf(one));
      return [...keys, ...keys.map((key) => `${connection.name}/${key}`)];
    }),
    problems: listingProblems(listings),
    exitCode: listingExit(listings),
  };
}

/** The candidate with the best claim; several, or none, are an ending that says what to do. */
export function pick<T extends Candidate>(
  look: Look<T>,
  kind: ItemKind,
  open: OpenItem,
): Picked<T> {
  const having = (wanted: Claim): readonly T[] =>
    look.claims.flatMap(([candidate, claim]) => (claim === wanted ? [candidate] : []));
  const best = [having("listed"), having("possible")].find((found) => found.length > 0) ?? [];
  const [first] = best;
  if (first === undefined) return { ok: false, ending: missing(look, kind, open) };
  if (best.length > 1) return { ok: false, ending: several(best, kind, open) };
  return { ok: true, candidate: first };
}

function several(
  candidates: readonly Candidate[],
  { what }: ItemKind,
  { plan }: OpenItem,
): ItemEnding {
  const names = candidates.map(({ connection }) => connection.name);
  const servers = names.map((name) => `"${name}"`).join(", ");
  const example = `${names[0]}/${plan.item}`;
  return {
    exitCode: EXIT.unusable,
    problems: [
      {
        tag: "usage",
        message: visible(`several servers have the ${what} "${plan.item}": ${servers}`),
        fix: `name the server: ${ownCommand(plan.command.name, [example], plan.settings.configs)}`,
      },
    ],
  };
}

/** A list or a server that could not be had may have held it. */
function missing(look: Look<Candidate>, kind: ItemKind, open: OpenItem): ItemEnding {
  const ofLoad = loadEnding(open) ?? { exitCode: EXIT.done, problems: [] };
  const exitCode = worstExit([look.exitCode, ofLoad.exitCode]);
  if (exitCode !== EXIT.done) return { exitCode, problems: [...ofLoad.problems, ...look.problems] };
  return unknownItem(kind, look.known, open);
}

function unknownItem(
  { what, list }: ItemKind,
  known: readonly string[],
  { plan }: OpenItem,
): ItemEnding {
  const { item, settings } = plan;
  const message = visible(`unknown ${what}: ${item}${didYouMean(item, known)}`);
  const fix = `see which ${list} there are: ${ownCommand(list, [], settings.configs)}`;
  return { exitCode: EXIT.tool, problems: [{ tag: "invalid-argument", message, fix }] };
}
