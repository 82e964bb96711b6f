/**
 * Lists of servers other than their tools, one server after the other.
 */
import {
  compareCodePoints,
  describeFailure,
  listPrompts,
  listResources,
  listResourceTemplates,
} from "../index.ts";
import type {
  CallOptions,
  Connected,
  Failure,
  JsonObject,
  Load,
  Prompt,
  Resource,
  ResourceTemplate,
  Result,
} from "../index.ts";
import { EXIT, failureExit, worstExit } from "./exit-code.ts";
import type { Host } from "./host.ts";
import type { Problem } from "./outcome.ts";
import type { Voice } from "./voice.ts";

/** A list that servers may have. */
export interface ListKind<T> {
  /** What it holds, in a word. */
  readonly what: string;
  readonly method: string;
  /** The member by which an item is asked for. */
  keyOf(item: T): string;
  list(connection: Connected, options: CallOptions): Promise<Result<readonly T[]>>;
}

/** The prompts of a server. */
export const PROMPTS: ListKind<Prompt> = {
  what: "prompts",
  method: "prompts/list",
  keyOf: ({ name }) => name,
  list: async (connection, options) => {
    const listed = await listPrompts(connection, options);
    return listed.ok ? { ok: true, value: listed.value.prompts } : listed;
  },
};

/** The resources of a server. */
export const RESOURCES: ListKind<Resource> = {
  what: "resources",
  method: "resources/list",
  keyOf: ({ uri }) => uri,
  list: async (connection, options) => {
    const listed = await listResources(connection, options);
    return listed.ok ? { ok: true, value: listed.value.resources } : listed;
  },
};

/** The templates of a server's resources. */
export const TEMPLATES: ListKind<ResourceTemplate> = {
  what: "resource templates",
  method: "resources/templates/list",
  keyOf: ({ uriTemplate }) => uriTemplate,
  list: async (connection, options) => {
    const listed = await listResourceTemplates(connection, options);
    return listed.ok ? { ok: true, value: listed.value.resourceTemplates } : listed;
  },
};

/** A list of one server, in code point order of its keys; empty with a failure. */
export interface Listing<T> {
  readonly server: string;
  readonly method: string;
  readonly items: readonly T[];
  readonly failure: Failure | null;
}

/** The servers of a load that can be asked for something. */
export function connectedOf(load: Load): readonly Connected[] {
  // A load that failed as a whole has closed them.
  if (load.failure !== null) return [];
  return load.connections.flatMap((found) => (found.status === "connected" ? [found] : []));
}

/** The list of each server; a server that does not have such a list has an empty one. */
export async function listEach<T>(
  connections: readonly Connected[],
  kind: ListKind<T>,
  host: Host,
  voice: Voice,
): Promise<readonly Listing<T>[]> {
  const listings: Listing<T>[] = [];
  for (const connection of connections) {
    const { name: server } = connection;
    voice.progress(`Listing the ${kind.what} of ${server} …`);
    const listed = await kind.list(connection, { signal: host.signal });
    const items = listed.ok ? sorted(listed.value, kind) : [];
    const failure = listed.ok || isLack(listed.failure) ? null : listed.failure;
    listings.push({ server, method: kind.method, items, failure });
  }
  voice.done();
  return listings;
}

function sorted<T>(items: readonly T[], { keyOf }: ListKind<T>): readonly T[] {
  return [...items].sort((a, b) => compareCodePoints(keyOf(a), keyOf(b)));
}

const METHOD_NOT_FOUND = -32601;

/** Servers with resources often have no templates, and say so only when they are asked. */
function isLack(failure: Failure): boolean {
  if (failure.tag === "rpc-error") return failure.code === METHOD_NOT_FOUND;
  return failure.tag === "unsupported";
}

/** Why lists are missing. */
export function listingProblems(listings: readonly Listing<unknown>[]): readonly Problem[] {
  return listings.flatMap(({ server, method, failure }) =>
    failure === null ? [] : [requestProblem(server, method, failure)],
  );
}

/** The exit code that missing lists ask for. */
export function listingExit(listings: readonly Listing<unknown>[]): number {
  return worstExit(
    listings.map(({ method, failure }) =>
      failure === null ? EXIT.done : failureExit(failure, method),
    ),
  );
}

/** The problem of a request that failed. */
export function requestProblem(server: string, phase: string, failure: Failure): Problem {
  const said = describeFailure(failure, { server, phase });
  const message = failure.tag === "cancelled" ? "interrupted" : said;
  return { tag: failure.tag, server, phase, message, failure };
}

/** A member of an item that is text; empty when it is none. */
export function textMember(item: JsonObject, member: string): string {
  const value = item[member];
  return typeof value === "string" ? value : "";
}
