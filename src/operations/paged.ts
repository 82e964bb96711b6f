/**
 * Lists that come in pages: one page as it is, or all of them with what the server said on keeping them.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/server/utilities/pagination
 */
import { err, ok } from "../failure.ts";
import type { Result } from "../failure.ts";
import { isObject } from "../json.ts";
import type { JsonObject } from "../json.ts";
import { startCallClock } from "../lifecycle/call-clock.ts";
import { hintsWith } from "../lifecycle/list-tools.ts";
import { walkPages } from "../lifecycle/paging.ts";
import type { CallOptions } from "../lifecycle/records.ts";
import type { Session } from "../lifecycle/session.ts";
import type { CacheHints } from "../protocol/cache-hints.ts";
import { invalid } from "./arguments.ts";
import { ask, inSession, objectsOf } from "./operation.ts";

/** What every whole list says beside its items. */
export interface ListFacts {
  /** How many pages it took. */
  readonly pages: number;
  /** The strictest hints of all pages; only in the 2026-07-28 revision. */
  readonly cache?: CacheHints;
}

/** Which page of a list is asked for. */
export interface PageParams {
  /** The `nextCursor` of the page before; absent for the first page. `""` is a cursor like any other. */
  readonly cursor?: string;
}

/** A list of the protocol: how it is asked for, and where its items are. */
export interface ListKind<T> {
  readonly method: string;
  /** The member of a page that holds the items. */
  readonly key: string;
  /** The member every item must have, as text. */
  readonly id: string;
  readonly isItem: (item: JsonObject) => item is JsonObject & T;
}

/** Walks a whole list within one budget; items without their `id` are dropped and noted. */
export async function wholeList<T>(
  session: Session,
  kind: ListKind<T>,
  options: CallOptions,
): Promise<Result<ListFacts & { readonly items: readonly (JsonObject & T)[] }>> {
  const { method, key, id, isItem } = kind;
  const clock = startCallClock(options.timeoutMs ?? session.callTimeoutMs, options.maxTotalMs);
  let hints: CacheHints | undefined;
  const walked = await walkPages(key, async (cursor) => {
    const page = await clock.run((limits) =>
      ask(session, method, cursor === undefined ? undefined : { cursor }, {
        ...options,
        ...limits,
      }),
    );
    if (page.ok) hints = hintsWith(session, hints, page.value);
    return page;
  });
  if (!walked.ok) return err({ maybeExecuted: true, ...walked.failure });
  const { pages, notes } = walked.value;
  const items = walked.value.items.filter(isItem);
  const dropped = walked.value.items.length - items.length;
  for (const note of notes) session.inbox.inbound.note?.(note);
  if (dropped > 0) {
    const detail = `${dropped} of ${key} without a ${id}`;
    session.inbox.inbound.note?.({ code: "dropped-entry", detail });
  }
  return ok({ items, pages, ...(hints === undefined ? {} : { cache: hints }) });
}

/** One page of a list, as it came. */
export function onePage(
  connection: unknown,
  kind: Pick<ListKind<unknown>, "method" | "key">,
  params: PageParams,
  options: CallOptions,
): Promise<Result<JsonObject>> {
  return inSession(connection, options, async (session, call) => {
    if (!isObject(params)) return err(invalid("params is no object"));
    const { cursor } = params;
    if (cursor !== undefined && typeof cursor !== "string") {
      return err(invalid("params.cursor is no string"));
    }
    const asked = cursor === undefined ? undefined : { cursor };
    const page = await ask(session, kind.method, asked, call);
    if (!page.ok) return page;
    const listed = objectsOf(page.value, kind.key);
    return listed.ok ? page : listed;
  });
}
