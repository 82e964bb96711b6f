/**
 * What a server tells by itself, handed to the caller's functions.
 */
import { AsyncLocalStorage } from "node:async_hooks";
import { isObject } from "../json.ts";
import type { Failure } from "../failure.ts";
import type { Json, JsonObject } from "../json.ts";
import { addHandler } from "../lifecycle/inbox.ts";
import type { Connected, NotificationHandler } from "../lifecycle/records.ts";
import { holdServerStream } from "../lifecycle/server-stream.ts";
import type { Session } from "../lifecycle/session.ts";
import { blankProblem, functionProblem, isLogLevel } from "./arguments.ts";
import type { LogLevel } from "./arguments.ts";
import { inSessionNow } from "./operation.ts";

/** A function of the caller's that is called for as long as nobody unsubscribes it. */
export interface Subscription {
  /** Why there is no subscription; null when there is one. */
  readonly failure: Failure | null;
  /**
   * Ends it: the function is not called any more, and what it is doing now is waited for, except
   * from inside itself. Doing it again changes nothing. Never rejects.
   */
  unsubscribe(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** One log message of a server. */
export interface LogMessage {
  readonly level: LogLevel;
  /** Which part of the server speaks. */
  readonly logger?: string;
  readonly data: Json;
}

/**
 * Calls a function for every notification of a method, until it is unsubscribed.
 *
 * The function gets the whole message, may be asynchronous and may throw, which is noted and stops
 * nobody else. Each registration is called once for each message, in the order of arrival. In the
 * initialize era over HTTP the stream on which the server speaks by itself is opened for it; in the
 * 2026-07-28 revision a server tells only what `listen` asked for. A subscription keeps the host
 * process alive. Its `failure` is `invalid-argument` when there is no connection, method or function.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic#notifications
 *
 * @example
 * ```ts
 * import type { Connected } from "mcp-source";
 * import { onNotification } from "mcp-source";
 * async function watch(connection: Connected, work: () => Promise<void>) {
 *   const method = "notifications/tools/list_changed";
 *   const subscription = onNotification(connection, method, (message) => message["params"]);
 *   await work();
 *   await subscription.unsubscribe();
 * }
 * ```
 */
export function onNotification(
  connection: Connected,
  method: string,
  handler: (message: JsonObject) => unknown,
): Subscription {
  const subscribed = inSessionNow(connection, (session) => {
    const problem = blankProblem("method", method) ?? functionProblem("handler", handler);
    if (problem !== null) return { ok: false, failure: problem };
    const registration = register(session, method, handler);
    return { ok: true, value: withStream(session, registration) };
  });
  return subscribed.ok ? subscribed.value : noSubscription(subscribed.failure);
}

/**
 * Calls a function for every log message of a server.
 *
 * Which ones the server sends is set with `setLogLevel`. Messages without a level of the protocol are
 * left out; `onNotification` sees them too.
 *
 * @see https://modelcontextprotocol.io/specification/2025-11-25/server/utilities/logging
 *
 * @example
 * ```ts
 * import type { Connected } from "mcp-source";
 * import { onLog, setLogLevel } from "mcp-source";
 * async function collect(connection: Connected, lines: string[]) {
 *   await setLogLevel(connection, "info");
 *   return onLog(connection, (log) => lines.push(`${log.level} ${JSON.stringify(log.data)}`));
 * }
 * ```
 */
export function onLog(
  connection: Connected,
  handler: (message: LogMessage) => unknown,
): Subscription {
  const problem = functionProblem("handler", handler);
  if (problem !== null) return noSubscription(problem);
  return onNotification(connection, "notifications/message", (message) => {
    const log = readLog(message);
    return log === null ? undefined : handler(log);
  });
}

/** What a log notification says, or null when it has no level of the protocol. */
export function readLog(message: JsonObject): LogMessage | null {
  const params = isObject(message["params"]) ? message["params"] : {};
  const { level, logger, data } = params;
  if (!isLogLevel(level)) return null;
  return { level, ...(typeof logger === "string" ? { logger } : {}), data: data ?? null };
}

/** A subscription that never was. */
export function noSubscription(failure: Failure): Subscription {
  const unsubscribe = (): Promise<void> => Promise.resolve();
  return { failure, unsubscribe, [Symbol.asyncDispose]: unsubscribe };
}

/** One handler among those of a session. */
export interface Registration {
  /** Ends it and waits for what it is doing now. */
  end(): Promise<void>;
}

/** In whose calls the running code is, so that a handler may end itself without waiting for itself. */
const inside = new AsyncLocalStorage<ReadonlySet<Registration>>();

/** Registers a handler; every registration is an entry of its own, also of the same function. */
export function register(
  session: Session,
  method: string,
  handler: (message: JsonObject) => unknown,
): Registration {
  const { handlers, inbound } = session.inbox;
  const running = new Set<Promise<void>>();
  let isOver = false;
  const call: NotificationHandler = (message) => {
    if (isOver) return;
    const callers = new Set([...(inside.getStore() ?? []), registration]);
    const run = inside
      .run(callers, () => attempt(handler, message))
      .then((isDone) => {
        running.delete(run);
        if (!isDone) {
          inbound.note?.({ code: "handler-threw", detail: `a handler for ${method} threw` });
        }
      });
    running.add(run);
  };
  const registration: Registration = {
    end: async () => {
      isOver = true;
      removeHandler(handlers, method, call);
      if (inside.getStore()?.has(registration) !== true) await Promise.all(running);
    },
  };
  addHandler(handlers, method, call);
  return registration;
}

/** Runs a caller's function up to its end; false when it threw or rejected. */
async function attempt(
  handler: (message: JsonObject) => unknown,
  message: JsonObject,
): Promise<boolean> {
  try {
    await handler(message);
    return true;
  } catch {
    return false;
  }
}

function removeHandler(
  handlers: Map<string, Set<NotificationHandler>>,
  method: string,
  handler: NotificationHandler,
): void {
  const known = handlers.get(method);
  known?.delete(handler);
  if (known?.size === 0) handlers.delete(method);
}

/** A registration together with what it takes to hear the server at all. */
export function withStream(session: Session, registration: Registration): Subscription {
  const stream = holdServerStream(session);
  const letGo = session.transport.hold?.() ?? ((): void => undefined);
  let ending: Promise<void> | null = null;
  const unsubscribe = (): Promise<void> => {
    if (ending === null) {
      stream.release();
      letGo();
      ending = registration.end();
    }
    return ending;
  };
  return { failure: null, unsubscribe, [Symbol.asyncDispose]: unsubscribe };
}
