/**
 * `subscriptions/listen`: one long request on which a server tells what was asked for.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/subscriptions
 */
import { err } from "../failure.ts";
import type { Result } from "../failure.ts";
import { isObject } from "../json.ts";
import type { JsonObject } from "../json.ts";
import type { CallOptions, Connected } from "../lifecycle/records.ts";
import { functionProblem, invalid } from "./arguments.ts";
import { readFilter } from "./listen-filter.ts";
import type { ListenFilter, ListKindName } from "./listen-filter.ts";
import { startListening } from "./listening.ts";
import { inSession } from "./operation.ts";
import { unsupported } from "./support.ts";

/** What is done with what the server tells; each may be asynchronous, and what it throws is noted. */
export interface ListenHandlers {
  /** Every notification of the subscription, as it came. */
  readonly onNotification?: (message: JsonObject) => unknown;
  /** A list has changed; listing it again tells how. */
  readonly onListChanged?: (kind: ListKindName) => unknown;
  /** The URI is the one that changed; it may lie below the one that was asked for. */
  readonly onResourceUpdated?: (uri: string) => unknown;
  /** The stream was lost and is there again: what changed in between was not told. */
  readonly onRelisten?: (granted: ListenFilter) => unknown;
}

/** How often and how fast a lost subscription is asked for again. */
export interface Relisten {
  /** Attempts without any success between them; 5 when absent. */
  readonly maxAttempts?: number;
  /** The wait before the first attempt in milliseconds, doubled for each further one; 500 when absent. */
  readonly baseMs?: number;
  /** The longest wait in milliseconds; 30 000 when absent. */
  readonly maxMs?: number;
}

/** How a subscription is made. */
export interface ListenCallOptions extends Pick<CallOptions, "signal" | "timeoutMs" | "meta"> {
  /** What to do when the stream is lost; false = nothing. */
  readonly relisten?: Relisten | false;
}

/** How a subscription ended in good order. */
export interface ListenEnd {
  /** Who ended it. */
  readonly by: "client" | "server";
}

/** A subscription that the server has acknowledged. */
export interface Listening {
  /** The subscription's id on the wire. */
  readonly id: string;
  /** What of the filter the server grants. */
  readonly granted: ListenFilter;
  /** Resolves when it is over: in good order, or with why it was lost for good. Never rejects. */
  readonly done: Promise<Result<ListenEnd>>;
  /** Ends it; resolves when it is over. Doing it again changes nothing. */
  stop(): Promise<void>;
  /** What `stop` does. */
  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * Subscribes to changes of lists and resources, in the 2026-07-28 revision.
 *
 * Resolves when the server has acknowledged, with the part of the filter it grants; `timeoutMs` is for
 * that alone, the subscription itself has no end. Where the stream is lost it is asked for again, with
 * growing waits; the server repeats nothing, which is what `onRelisten` is for. The signal ends it at
 * any time. On stdio a lost subscription is a lost process, and stays lost. Fails with `unsupported`
 * in the initialize era, where `onListChanged` and `subscribeResource` do the same.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/subscriptions
 *
 * @example
 * ```ts
 * import type { Connected } from "mcp-source";
 * import { listen, refresh } from "mcp-source";
 * async function follow(connection: Connected) {
 *   const listening = await listen(
 *     connection,
 *     { toolsListChanged: true, resourceSubscriptions: ["file:///notes.md"] },
 *     { onListChanged: () => refresh(connection), onResourceUpdated: (uri) => uri },
 *   );
 *   if (listening.ok) await listening.value.stop();
 * }
 * ```
 */
export function listen(
  connection: Connected,
  filter: ListenFilter,
  handlers: ListenHandlers = {},
  options: ListenCallOptions = {},
): Promise<Result<Listening>> {
  return inSession(connection, options, async (session, call) => {
    const read = readFilter(filter);
    if (!read.ok) return read;
    const problem = handlersProblem(handlers) ?? relistenProblem(options.relisten);
    if (problem !== null) return err(problem);
    const lack = unsupported(session.agreement, "subscriptions/listen");
    if (lack !== null) return err(lack);
    const { onNotification, onListChanged, onResourceUpdated, onRelisten } = handlers;
    return startListening({
      session,
      filter: read.value,
      handlers: {
        ...(onNotification === undefined ? {} : { onNotification }),
        ...(onListChanged === undefined ? {} : { onListChanged }),
        ...(onResourceUpdated === undefined ? {} : { onResourceUpdated }),
        ...(onRelisten === undefined ? {} : { onRelisten }),
      },
      call,
      relisten: options.relisten ?? {},
    });
  });
}

function handlersProblem(handlers: unknown): ReturnType<typeof functionProblem> {
  if (!isObject(handlers)) return invalid("the handlers are no object");
  for (const name of ["onNotification", "onListChanged", "onResourceUpdated", "onRelisten"]) {
    const handler: unknown = handlers[name];
    const problem = handler === undefined ? null : functionProblem(`handlers.${name}`, handler);
    if (problem !== null) return problem;
  }
  return null;
}

/** What is wrong with how a lost subscription is to be treated, or null. */
export function relistenProblem(relisten: unknown): ReturnType<typeof functionProblem> {
  if (relisten === undefined || relisten === false) return null;
  if (!isObject(relisten)) return invalid("options.relisten is neither an object nor false");
  const odd = ["maxAttempts", "baseMs", "maxMs"].find((name) => {
    const value = relisten[name];
    return value !== undefined && !(typeof value === "number" && value >= 0);
  });
  return odd === undefined ? null : invalid(`options.relisten.${odd} is no number`);
}
