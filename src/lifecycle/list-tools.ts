/**
 * A server's tools as it lists them now, page by page.
 */
import { err, ok } from "../failure.ts";
import type { Failure, Result } from "../failure.ts";
import type { JsonObject } from "../json.ts";
import { cacheHints, stricterHints } from "../protocol/cache-hints.ts";
import type { CacheHints } from "../protocol/cache-hints.ts";
import { readParamHeaders } from "../protocol/param-headers.ts";
import type { ParamHeader } from "../protocol/param-headers.ts";
import type { Note } from "../transport/transport.ts";
import { walkPages } from "./paging.ts";
import { readTools, taskSupport } from "./read-tools.ts";
import type { ListedTool } from "./read-tools.ts";
import type { CallOptions } from "./records.ts";
import { sessionRpc } from "./send.ts";
import { usesParamHeaders } from "./session.ts";
import type { Session } from "./session.ts";

/** A whole list: the usable tools in wire order, what was left out and why. */
export interface ToolList {
  readonly tools: readonly ListedTool[];
  readonly rejected: readonly { readonly name: string; readonly reason: string }[];
  readonly pages: number;
  /** The strictest hints of all pages; only in the 2026-07-28 revision. */
  readonly cache?: CacheHints;
}

/**
 * Lists every tool; notes what was dropped. The parameter headers of the session are those of the
 * new list once it is whole, so that a list that fails half-way changes nothing.
 */
export async function listEveryTool(
  session: Session,
  optionsOf: () => CallOptions,
): Promise<Result<ToolList>> {
  const note = (found: Note): void => session.inbox.inbound.note?.(found);
  let hints: CacheHints | undefined;
  const walked = await walkPages("tools", async (cursor) => {
    const params = cursor === undefined ? undefined : { cursor };
    const page = await sessionRpc(session, "tools/list", params, optionsOf());
    if (page.ok) hints = hintsWith(session, hints, page.value);
    return page;
  });
  if (!walked.ok) return listOfRefusal(session, walked.failure);
  const { tools, notes } = readTools(walked.value.items);
  for (const found of [...walked.value.notes, ...notes]) note(found);
  const { kept, rejected } = adoptTools(session, tools);
  const cache = hints === undefined ? {} : { cache: hints };
  return ok({ tools: kept, rejected, pages: walked.value.pages, ...cache });
}

/** Makes a whole list the session's: what it says of headers and tasks counts from now on. */
export function adoptTools(
  session: Session,
  tools: readonly ListedTool[],
): Omit<Parted, "headers"> {
  const { kept, rejected, headers } = partByHeaders(session, tools);
  for (const { name, reason } of rejected) {
    session.inbox.inbound.note?.({ code: "dropped-tool", detail: `"${name}": ${reason}` });
  }
  session.state.listedParamHeaders = headers;
  const taskTools = kept.filter((tool) => taskSupport(tool) !== "forbidden");
  session.state.taskTools = new Set(taskTools.map((tool) => tool.remoteName));
  return { kept, rejected };
}

/** What is known of keeping a list after one more page; nothing in an era without such hints. */
export function hintsWith(
  session: Session,
  before: CacheHints | undefined,
  page: JsonObject,
): CacheHints | undefined {
  if (session.agreement.era === "legacy") return undefined;
  const own = cacheHints(page);
  return before === undefined ? own : stricterHints(before, own);
}

/** A server that never advertised tools and refuses to list them has none. */
function listOfRefusal(session: Session, failure: Failure): Result<ToolList> {
  const { capabilities } = session.agreement;
  if (capabilities["tools"] !== undefined || failure.tag !== "rpc-error") return err(failure);
  const detail = "the server has no tools capability and refuses tools/list";
  session.inbox.inbound.note?.({ code: "no-tools", detail });
  return ok({ tools: [], rejected: [], pages: 0 });
}

interface Parted {
  readonly kept: readonly ListedTool[];
  readonly rejected: readonly { readonly name: string; readonly reason: string }[];
  readonly headers: ReadonlyMap<string, readonly ParamHeader[]>;
}

/** Where headers mirror parameters, a tool whose annotations are broken cannot be called. */
function partByHeaders(session: Session, tools: readonly ListedTool[]): Parted {
  if (!usesParamHeaders(session)) return { kept: tools, rejected: [], headers: new Map() };
  const kept: ListedTool[] = [];
  const rejected: { name: string; reason: string }[] = [];
  const headers = new Map<string, readonly ParamHeader[]>();
  for (const tool of tools) {
    const read = readParamHeaders(tool.inputSchema);
    if (read.ok) {
      kept.push(tool);
      headers.set(tool.remoteName, read.value);
    } else {
      rejected.push({ name: tool.remoteName, reason: reasonOf(read.failure) });
    }
  }
  return { kept, rejected, headers };
}

function reasonOf(failure: Failure): string {
  return failure.tag === "malformed-body" ? failure.detail : failure.tag;
}
