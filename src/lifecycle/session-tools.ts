/**
 * The tools of a session as records: those the filter lets through, under names of their own.
 */
import { err, ok } from "../failure.ts";
import type { Result } from "../failure.ts";
import { resolveCollisions } from "../naming/collisions.ts";
import { filterTools } from "../naming/filter.ts";
import { hashedNames } from "../naming/names.ts";
import type { CacheHints } from "../protocol/cache-hints.ts";
import { toolOf } from "./call-tool.ts";
import { startDeadline } from "./deadline.ts";
import { listEveryTool } from "./list-tools.ts";
import type { ListedTool } from "./read-tools.ts";
import type { CallOptions, Tool } from "./records.ts";
import type { Session } from "./session.ts";

/** The tools of a server as they are now. */
export interface SessionTools {
  /** In the server's order. */
  readonly tools: readonly Tool[];
  /** What cannot be called, by the server's own names, and why. */
  readonly rejected: readonly { readonly name: string; readonly reason: string }[];
  /** How many pages the list took. */
  readonly pages: number;
  /** The strictest hints of all pages; only in the 2026-07-28 revision. */
  readonly cache?: CacheHints;
}

/** Lists the tools within one budget; those that were known keep their names. */
export async function listSessionTools(
  session: Session,
  known: readonly Tool[],
  options: CallOptions,
): Promise<Result<SessionTools>> {
  const { timeoutMs = session.callTimeoutMs, maxTotalMs = Infinity } = options;
  const deadline = startDeadline(Math.min(timeoutMs, maxTotalMs));
  const listed = await listEveryTool(session, () => ({
    ...options,
    timeoutMs: deadline.remainingMs(),
  }));
  if (!listed.ok) {
    const failure = { maybeExecuted: true, ...listed.failure };
    return err(failure.tag === "timeout" ? { ...failure, timeoutMs: deadline.totalMs } : failure);
  }
  const { kept } = filterTools(listed.value.tools, session.filter);
  return ok({ ...listed.value, tools: nameTools(session, kept, known) });
}

/**
 * The tools under names that are unique on this connection alone; a load renames them.
 *
 * @param known - Tools whose names stay with them.
 */
export function nameTools(
  session: Session,
  listed: readonly ListedTool[],
  known: readonly Pick<Tool, "name" | "remoteName">[] = [],
): readonly Tool[] {
  const names = new Map(known.map((tool) => [tool.remoteName, tool.name]));
  const taken = new Set(names.values());
  const fresh = listed.filter((tool) => !names.has(tool.remoteName));
  const wanted = fresh.map((tool) => ({ ...tool, server: session.name }));
  for (const { remoteName, name } of resolveCollisions(wanted).tools) {
    const free = taken.has(name) ? freeName(session.name, remoteName, taken) : name;
    taken.add(free);
    names.set(remoteName, free);
  }
  return listed.map((tool) => toolOf(session, tool, names.get(tool.remoteName) ?? tool.remoteName));
}

function freeName(server: string, remoteName: string, taken: ReadonlySet<string>): string {
  for (const name of hashedNames(server, remoteName, Infinity)) {
    if (!taken.has(name)) return name;
  }
  return remoteName;
}
