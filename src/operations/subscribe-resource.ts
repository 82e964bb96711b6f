/**
 * Hearing of a resource's updates, in either era.
 *
 * @see https://modelcontextprotocol.io/specification/2025-11-25/server/resources#subscriptions
 */
import { err, ok } from "../failure.ts";
import type { Result } from "../failure.ts";
import type { JsonObject } from "../json.ts";
import { notificationMessage } from "../protocol/messages.ts";
import type { CallOptions, Connected } from "../lifecycle/records.ts";
import { legacyRpc } from "../lifecycle/send.ts";
import type { Session } from "../lifecycle/session.ts";
import { blankProblem, functionProblem } from "./arguments.ts";
import { listenTopic } from "./listen-topic.ts";
import { updatedUri } from "./listening.ts";
import { hearServer, register } from "./notifications.ts";
import { ask, inSession } from "./operation.ts";
import { endTopic, share } from "./shared.ts";
import type { Share, Topic } from "./shared.ts";
import { lackOf } from "./support.ts";

/** A resource whose updates are wanted. */
export interface ResourceSubscription {
  /**
   * Ends it: the handler is not called any more, and the last one for a URI tells the server. Doing it
   * again changes nothing.
   */
  unsubscribe(): Promise<Result<void>>;
  /** What `unsubscribe` does. */
  [Symbol.asyncDispose](): Promise<void>;
}

/** Takes the URI that was updated, which may lie below the one subscribed to. */
export type ResourceHandler = (uri: string) => unknown;

const UPDATED = "notifications/resources/updated";

/**
 * Subscribes to the updates of a resource and calls a function for each.
 *
 * Whoever subscribes to the same URI shares one subscription with the server, which the last one ends.
 * In the initialize era that is `resources/subscribe`, since 2026-07-28 a `listen` of its own. After a
 * stream or a session was lost and is there again the function is called once, since the server
 * repeats nothing. Without a function `onNotification` hears the updates, in the initialize era.
 * Fails with `unsupported` where the server does not let its resources be watched, and
 * `invalid-argument` for a blank URI.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/subscriptions
 *
 * @example
 * ```ts
 * import type { Connected } from "mcp-source";
 * import { readResource, subscribeResource } from "mcp-source";
 * async function watch(connection: Connected, uri: string) {
 *   const watched = await subscribeResource(connection, uri, (changed) =>
 *     readResource(connection, changed),
 *   );
 *   if (watched.ok) await watched.value.unsubscribe();
 * }
 * ```
 */
export function subscribeResource(
  connection: Connected,
  uri: string,
  handler?: ResourceHandler,
  options: CallOptions = {},
): Promise<Result<ResourceSubscription>> {
  return inSession(connection, options, async (session, call) => {
    const problem =
      blankProblem("uri", uri) ??
      (handler === undefined ? null : functionProblem("handler", handler));
    if (problem !== null) return err(problem);
    const lack = lackOf(session.agreement, ["resources", "subscribe"], "readResource again");
    if (lack !== null) return err(lack);
    const { signal, ...unsignalled } = call;
    const topic = topicOf(session, uri, unsignalled);
    const run = handler === undefined ? undefined : onUpdate(handler);
    const shared = await share(session, topic, run, signal);
    return shared.ok ? ok(resourceSubscription(shared.value)) : shared;
  });
}

function topicOf(session: Session, uri: string, call: Omit<CallOptions, "signal">): Topic {
  if (session.agreement.era === "legacy") return legacyTopic(session, uri, call);
  const filter = { resourceSubscriptions: [uri] };
  return listenTopic(session, keyOf(uri), { filter, missed: updateOf(uri), call });
}

function updateOf(uri: string): JsonObject {
  return notificationMessage(UPDATED, { uri });
}

function onUpdate(handler: ResourceHandler): (message: JsonObject) => unknown {
  return (message) => {
    const updated = updatedUri(message);
    return updated === null ? undefined : handler(updated);
  };
}

function keyOf(uri: string): string {
  return `the resource ${uri}`;
}

function resourceSubscription({ leave }: Share): ResourceSubscription {
  const dispose = async (): Promise<void> => void (await leave());
  return { unsubscribe: leave, [Symbol.asyncDispose]: dispose };
}

/** `resources/subscribe`; the handler is there first, so that no update is missed. */
function legacyTopic(session: Session, uri: string, call: Omit<CallOptions, "signal">): Topic {
  const key = keyOf(uri);
  return {
    key,
    open: async (tell) => {
      const registered = register(session, UPDATED, (message) => {
        const updated = updatedUri(message);
        if (updated !== null && concerns(updated, uri)) tell(message);
      });
      const hearing = hearServer(session);
      const { restorations } = session.state;
      const end = async (): Promise<void> => {
        restorations.delete(key);
        hearing.release();
        await registered.end();
      };
      await hearing.opened;
      const answer = await ask(session, "resources/subscribe", { uri }, call);
      if (!answer.ok) {
        await end();
        return answer;
      }
      restorations.set(key, async () => {
        const again = await legacyRpc(session, "resources/subscribe", { uri }, call);
        tell(updateOf(uri));
        return again;
      });
      return ok(async () => {
        await end();
        const told = await ask(session, "resources/unsubscribe", { uri }, call);
        return told.ok ? ok(undefined) : told;
      });
    },
  };
}

/**
 * Ends every subscription of this connection to a URI, whoever made it.
 *
 * In the initialize era the server is told in any case: it may remember one from before. What is
 * held of ended subscriptions can still be unsubscribed, to no effect. Fails with `unsupported` where
 * the server has no subscriptions, and `invalid-argument` for a blank URI.
 *
 * @see https://modelcontextprotocol.io/specification/2025-11-25/server/resources#subscriptions
 *
 * @example
 * ```ts
 * import type { Connected } from "mcp-source";
 * import { unsubscribeResource } from "mcp-source";
 * const ignore = (connection: Connected, uri: string) => unsubscribeResource(connection, uri);
 * ```
 */
export function unsubscribeResource(
  connection: Connected,
  uri: string,
  options: CallOptions = {},
): Promise<Result<void>> {
  return inSession(connection, options, async (session, call) => {
    const problem = blankProblem("uri", uri);
    if (problem !== null) return err(problem);
    const ended = await endTopic(session, keyOf(uri));
    if (ended !== null) return ended;
    if (session.agreement.era === "modern") return ok(undefined);
    const told = await ask(session, "resources/unsubscribe", { uri }, call);
    return told.ok ? ok(undefined) : told;
  });
}

/**
 * Whether an update is about a resource that was subscribed to: the same URI, however it is spelt, or
 * one below it.
 */
export function concerns(updated: string, subscribed: string): boolean {
  const [inner, outer] = [normalUri(updated), normalUri(subscribed)];
  if (inner === outer) return true;
  return (
    inner.startsWith(outer) && (outer.endsWith("/") || /^[/#?]/.test(inner.slice(outer.length)))
  );
}

/** Templates are no URIs, though some parse. */
function normalUri(uri: string): string {
  return !uri.includes("{") && URL.canParse(uri) ? new URL(uri).href : uri;
}
