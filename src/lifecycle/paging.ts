/**
 * Walking a list page by page: the rules as a pure step, and the loop that sends.
 *
 * @see https://modelcontextprotocol.io/specification/2025-11-25/server/utilities/pagination
 */
import { err, ok } from "../failure.ts";
import type { Result } from "../failure.ts";
import { isObject } from "../json.ts";
import type { Json, JsonObject } from "../json.ts";
import { typeName } from "../protocol/messages.ts";
import type { Note } from "../transport/transport.ts";

/** How far a walk may go. */
export const MAX_PAGES = 1000;
/** How many items a walk may gather. */
export const MAX_ITEMS = 100_000;

/** What a walk has gathered so far. */
export interface Walk {
  readonly items: readonly JsonObject[];
  readonly pages: number;
  readonly seenCursors: ReadonlySet<string>;
  /** The cursor of the next page; null when the walk has ended. */
  readonly next: string | null;
  readonly notes: readonly Note[];
}

/** A walk that has not begun. */
export const WALK_START: Walk = {
  items: [],
  pages: 0,
  seenCursors: new Set(),
  next: null,
  notes: [],
};

/**
 * The walk after one more page, whose items are under `key`.
 *
 * An absent or null `nextCursor` ends it, and so does a cursor seen before; `""` is a cursor like any
 * other. Fails with `malformed-body` for a page of the wrong shape and with `limit` past a limit.
 */
export function afterPage(walk: Walk, page: JsonObject, key: string): Result<Walk> {
  const { [key]: listed, nextCursor } = page;
  if (!Array.isArray(listed)) {
    return malformed(`${key} is ${typeName(listed)}, not an array`);
  }
  if (nextCursor !== undefined && nextCursor !== null && typeof nextCursor !== "string") {
    return malformed(`nextCursor is ${typeName(nextCursor)}, not a string`);
  }
  const items = [...walk.items];
  const notes = [...walk.notes];
  for (const item of listed as readonly Json[]) {
    if (isObject(item)) items.push(item);
    else notes.push({ code: "dropped-entry", detail: `an entry of ${key} is ${typeName(item)}` });
  }
  const pages = walk.pages + 1;
  const isRepeated = typeof nextCursor === "string" && walk.seenCursors.has(nextCursor);
  if (isRepeated) {
    notes.push({
      code: "repeated-cursor",
      detail: `the list ended at a cursor seen before (page ${pages})`,
    });
  }
  const next = isRepeated ? null : (nextCursor ?? null);
  if (items.length > MAX_ITEMS) return err({ tag: "limit", limit: key, value: MAX_ITEMS });
  if (next !== null && pages >= MAX_PAGES)
    return err({ tag: "limit", limit: "pages", value: MAX_PAGES });
  const seenCursors = next === null ? walk.seenCursors : new Set([...walk.seenCursors, next]);
  return ok({ items, pages, seenCursors, next, notes });
}

function malformed(detail: string): Result<Walk> {
  return err({ tag: "malformed-body", detail });
}

/** Walks a whole list; `page` sends one request, with or without a cursor. */
export async function walkPages(
  key: string,
  page: (cursor: string | undefined) => Promise<Result<JsonObject>>,
): Promise<Result<Walk>> {
  let walk = WALK_START;
  do {
    const answer = await page(walk.next ?? undefined);
    if (!answer.ok) return answer;
    const step = afterPage(walk, answer.value, key);
    if (!step.ok) return step;
    walk = step.value;
  } while (walk.next !== null);
  return ok(walk);
}
