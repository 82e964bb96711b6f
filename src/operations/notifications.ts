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
import type { StreamHold } from "../lifecycle/server-stream.ts";
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
  /** What `unsubscribe` does. */
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
    return { ok: true, value: subscriptionOf(session, register(session, method, handler)) };
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

/** A caller's function, as the library calls it. */
export interface Handler {
  /** Calls it, unless it was ended; what it throws is noted. */
  readonly call: NotificationHandler;
  /** Ends it and waits for what it is doing now. */
  end(): Promise<void>;
}

/** In whose calls the running code is, so that a handler may end itself without waiting for itself. */
const inside = new AsyncLocalStorage<ReadonlySet<Handler>>();

/** Wraps a caller's function; `what` names it in notes. */
export function handlerOf(
  session: Session,
  what: string,
  run: (message: JsonObject) => unknown,
): Handler {
  const running = new Set<Promise<void>>();
  let isOver = false;
  const handler: Handler = {
    call: (message) => {
      if (isOver) return;
      const callers = new Set([...(inside.getStore() ?? []), handler]);
      const call = inside
        .run(callers, () => attempt(run, message))
        .then((isDone) => {
          running.delete(call);
          if (isDone) return;
          session.inbox.inbound.note?.({
            code: "handler-threw",
            detail: `a handler for ${what} threw`,
          });
        });
      running.add(call);
    },
    end: async () => {
      isOver = true;
      if (inside.getStore()?.has(handler) !== true) await Promise.all(running);
    },
  };
  return handler;
}

/** Runs a caller's function up to its end; false when it threw or rejected. */
async function attempt(
  run: (message: JsonObject) => unknown,
  message: JsonObject,
): Promise<boolean> {
  try {
    await run(message);
    return true;
  } catch {
    return false;
  }
}

/** Registers a function; every registration is an entry of its own, also of the same function. */
export function register(
  session: Session,
  method: string,
  run: (message: JsonObject) => unknown,
): Pick<Handler, "end"> {
  const { handlers } = session.inbox;
  const handler = handlerOf(session, method, run);
  addHandler(handlers, method, handler.call);
  return {
    end: () => {
      removeHandler(handlers, method, handler.call);
      return handler.end();
    },
  };
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

/** Lets the server be heard for as long as somebody listens; gives the function that ends it. */
export function hearServer(session: Session): StreamHold {
  const stream = holdServerStream(session);
  const letGo = session.transport.hold?.();
  let isOver = false;
  return {
    opened: stream.opened,
    release: () => {
      if (isOver) return;
      isOver = true;
      stream.release();
      letGo?.();
    },
  };
}

/** A registered function as what its caller holds. */
export function subscriptionOf(session: Session, registered: Pick<Handler, "end">): Subscription {
  const hearing = hearServer(session);
  return subscription(() => {
    hearing.release();
    return registered.end();
  });
}

/** A subscription that ends once, whoever asks how often. */
export function subscription(end: () => Promise<unknown>): Subscription {
  let ending: Promise<void> | null = null;
  const unsubscribe = (): Promise<void> => (ending ??= end().then(() => undefined));
  return { failure: null, unsubscribe, [Symbol.asyncDispose]: unsubscribe };
}
