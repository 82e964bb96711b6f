/**
 * A subscription while it lives: asked for, acknowledged, lost, asked for again, ended.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { err, ok } from "../failure.ts";
import type { Failure, Result } from "../failure.ts";
import { isObject } from "../json.ts";
import type { JsonObject } from "../json.ts";
import type { CallOptions } from "../lifecycle/records.ts";
import { sessionRpc } from "../lifecycle/send.ts";
import type { Session } from "../lifecycle/session.ts";
import { grantedBy, missingIn } from "./listen-filter.ts";
import type { ListenFilter, ListKindName } from "./listen-filter.ts";
import type { ListenEnd, ListenHandlers, Listening, Relisten } from "./listen.ts";
import { handlerOf } from "./notifications.ts";
import type { Handler } from "./notifications.ts";
import { linkedAbort } from "../transport/on-abort.ts";

/** What is subscribed to, and for whom. */
export interface Wish {
  readonly session: Session;
  readonly filter: ListenFilter;
  readonly handlers: ListenHandlers;
  readonly call: Pick<CallOptions, "signal" | "timeoutMs" | "meta">;
  readonly relisten: Relisten | false;
}

/** One wish on its way. */
interface Listener {
  readonly wish: Wish;
  /** Fires when this side ends it. */
  readonly ended: AbortController;
  tell(message: JsonObject): void;
  relistened(granted: ListenFilter): void;
}

/** One request that was acknowledged. */
interface Stream {
  readonly id: string;
  readonly granted: ListenFilter;
  /** The request's own answer: the end of the subscription. */
  readonly answer: Promise<Result<JsonObject>>;
  /** Whether anything was told on it. */
  hasTold(): boolean;
}

const ACKNOWLEDGED = "notifications/subscriptions/acknowledged";
const UPDATED = "notifications/resources/updated";

/** Subscribes, and follows the subscription until it ends. */
export async function startListening(wish: Wish): Promise<Result<Listening>> {
  const { signal } = wish.call;
  const ended = new AbortController();
  const end = (): void => ended.abort();
  signal?.addEventListener("abort", end, { once: true });
  if (signal?.aborted === true) end();
  const listener = listenerOf(wish, ended);
  const opened = await openStream(listener);
  if (!opened.ok) {
    signal?.removeEventListener("abort", end);
    return opened;
  }
  const done = follow(listener, opened.value).finally(() =>
    signal?.removeEventListener("abort", end),
  );
  const stop = async (): Promise<void> => {
    end();
    await done;
  };
  const { id, granted } = opened.value;
  return ok({ id, granted, done, stop, [Symbol.asyncDispose]: stop });
}

function listenerOf(wish: Wish, ended: AbortController): Listener {
  const { onNotification, onListChanged, onResourceUpdated, onRelisten } = wish.handlers;
  const handler = (run: (message: JsonObject) => unknown): Handler =>
    handlerOf(wish.session, "a subscription", run);
  const told = [
    onNotification === undefined ? [] : [handler(onNotification)],
    onListChanged === undefined ? [] : [handler(onChange(changedKind, onListChanged))],
    onResourceUpdated === undefined ? [] : [handler(onChange(updatedUri, onResourceUpdated))],
  ].flat();
  return {
    wish,
    ended,
    tell: (message) => {
      for (const { call } of told) call(message);
    },
    relistened: (granted) => handler(() => onRelisten?.(granted)).call({}),
  };
}

/** A function that takes only the messages in which something can be read. */
function onChange<T>(
  read: (message: JsonObject) => T | null,
  run: (value: T) => unknown,
): (message: JsonObject) => unknown {
  return (message) => {
    const value = read(message);
    return value === null ? undefined : run(value);
  };
}

const LIST_CHANGED = /^notifications\/(tools|prompts|resources)\/list_changed$/;

function changedKind({ method }: JsonObject): ListKindName | null {
  const kind = typeof method === "string" ? LIST_CHANGED.exec(method)?.[1] : undefined;
  return kind === "tools" || kind === "prompts" || kind === "resources" ? kind : null;
}

/** The URI an update is about, or null for anything else. */
export function updatedUri({ method, params }: JsonObject): string | null {
  const uri = method === UPDATED && isObject(params) ? params["uri"] : undefined;
  return typeof uri === "string" ? uri : null;
}

/** Asks for the subscription and waits until it is acknowledged. */
async function openStream(listener: Listener): Promise<Result<Stream>> {
  const { wish, ended } = listener;
  const { session, filter, call } = wish;
  const id = `listen-${++session.state.subscriptions}`;
  const timeoutMs = call.timeoutMs ?? session.callTimeoutMs;
  const attempt = linkedAbort(ended.signal);
  let told = 0;
  let acknowledge: (granted: ListenFilter) => void = () => undefined;
  const acknowledged = new Promise<Result<ListenFilter>>((resolve) => {
    acknowledge = (granted) => resolve(ok(granted));
  });
  let isAcknowledged = false;
  const answer = sessionRpc(
    session,
    "subscriptions/listen",
    { notifications: filter },
    {
      id,
      timeoutMs: Infinity,
      signal: attempt.signal,
      ...(call.meta === undefined ? {} : { meta: call.meta }),
      onNotification: (message) => {
        if (message["method"] === ACKNOWLEDGED) {
          isAcknowledged = true;
          return acknowledge(grantedBy(message));
        }
        if (message["method"] === "notifications/cancelled") return;
        if (!isAcknowledged) note(session, "early-notification", "before the acknowledgement");
        told++;
        listener.tell(message);
      },
    },
  );
  void answer.then(attempt.release);
  // An answer without an acknowledgement ends what has not begun: nothing was granted.
  const over = answer.then((end): Result<ListenFilter> => (end.ok ? ok({}) : end));
  const first = await inTime(Promise.race([acknowledged, over]), timeoutMs);
  if (first === null) {
    attempt.abort();
    return err({ tag: "timeout", timeoutMs, maybeExecuted: true });
  }
  if (!first.ok) return first;
  const missing = missingIn(first.value, filter);
  if (missing.length > 0) note(session, "not-granted", missing.join(", "));
  return ok({ id, granted: first.value, answer, hasTold: () => told > 0 });
}

function note(session: Session, code: string, what: string): void {
  session.inbox.inbound.note?.({ code, detail: `subscriptions/listen: ${what}` });
}

/** The longest delay a timer takes; it fires at once for more. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** What a promise gives, or null when that takes longer than so many milliseconds. */
async function inTime<T>(promise: Promise<T>, ms: number): Promise<T | null> {
  if (ms > LONGEST_TIMER_MS) return promise;
  const over = new AbortController();
  const late = sleep(ms, null, { signal: over.signal }).catch(() => null);
  const first = await Promise.race([promise, late]);
  over.abort();
  return first;
}

/** A stream that lived so long was not lost at once, even if nothing was told on it. */
const STEADY_MS = 10_000;

/** Waits for the end of the subscription, across losses. */
async function follow(listener: Listener, first: Stream): Promise<Result<ListenEnd>> {
  const { ended } = listener;
  let attempts = 0;
  let stream = first;
  for (;;) {
    const since = performance.now();
    const end = await stream.answer;
    if (ended.signal.aborted) return ok({ by: "client" });
    if (end.ok) return ok({ by: "server" });
    if (end.failure.tag === "closed" && end.failure.by === "client") return ok({ by: "client" });
    if (stream.hasTold() || performance.now() - since > STEADY_MS) attempts = 0;
    const again = await openAgain(listener, end.failure, attempts);
    if (ended.signal.aborted) return ok({ by: "client" });
    if (!again.ok) return again;
    attempts = again.value.attempts;
    stream = again.value.stream;
    listener.relistened(stream.granted);
  }
}

/** Asks again with growing waits; gives the loss itself when that is not worth trying any more. */
async function openAgain(
  { wish, ended, ...rest }: Listener,
  loss: Failure,
  attemptsSoFar: number,
): Promise<Result<{ readonly stream: Stream; readonly attempts: number }>> {
  const { relisten, session } = wish;
  let failure = loss;
  if (relisten === false || session.transport.kind === "stdio") return err(failure);
  const { maxAttempts = 5 } = relisten;
  for (let attempts = attemptsSoFar + 1; attempts <= maxAttempts && isLoss(failure); attempts++) {
    const waitMs = relistenDelayMs(attempts, relisten, failure);
    await sleep(waitMs, undefined, { signal: ended.signal }).catch(() => undefined);
    if (ended.signal.aborted) break;
    const opened = await openStream({ wish, ended, ...rest });
    if (opened.ok) return ok({ stream: opened.value, attempts });
    failure = opened.failure;
  }
  return err(failure);
}

/** Enough to reach any longest wait. */
const MAX_DOUBLINGS = 40;

/** How long to wait before an attempt, the first being 1; the server's own wish counts too. */
export function relistenDelayMs(attempt: number, relisten: Relisten, failure: Failure): number {
  const { baseMs = 500, maxMs = 30_000 } = relisten;
  const wishedMs = failure.tag === "http-status" ? (failure.retryAfterMs ?? 0) : 0;
  const waitMs = Math.max(wishedMs, baseMs * 2 ** Math.min(attempt - 1, MAX_DOUBLINGS));
  return Math.min(maxMs, waitMs, LONGEST_TIMER_MS);
}

/** Whether a failure says that the link or the server is in trouble, rather than the subscription. */
export function isLoss(failure: Failure): boolean {
  switch (failure.tag) {
    case "transport":
    case "peer-eof":
    case "timeout":
      return true;
    case "http-status":
      return failure.status >= 500 || failure.status === 408 || failure.status === 429;
    default:
      return false;
  }
}
