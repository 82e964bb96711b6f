/**
 * The one table of who waits for what on a connection, shared by every transport.
 *
 * A transport hands over bytes and hands in JSON; ids, matching, budgets, aborts, progress and the
 * peer's own requests are decided here, once. The reader owns the match: an id is looked up here
 * when its answer arrives and nowhere else.
 */
import { err, ok } from "../failure.ts";
import type { CancelledFailure, Failure, Result, TimeoutFailure } from "../failure.ts";
import { isObject } from "../json.ts";
import type { Json, JsonObject } from "../json.ts";
import { META } from "../protocol/envelope.ts";
import { isRequestId, readMessage, requestMessage } from "../protocol/messages.ts";
import type { Answered, IncomingResponse, RequestId } from "../protocol/messages.ts";
import type { Era } from "../protocol/versions.ts";
import {
  answerPeer,
  createPeerRequests,
  forgetOwner,
  withdrawAll,
  withdrawPeerRequest,
} from "./peer-requests.ts";
import type { PeerRequests } from "./peer-requests.ts";
import { startBudget } from "./budget.ts";
import { createIdTable } from "./id-table.ts";
import type { IdTable } from "./id-table.ts";
import type { Budget } from "./budget.ts";
import { callBack } from "./call-back.ts";
import { onAbort } from "./on-abort.ts";
import { redactJson } from "../redact.ts";
import { idProblem, progressToken, waitingUnder, withMeta } from "./request-ids.ts";
import type { Redact } from "../redact.ts";
import type { Inbound, Progress, RpcOptions } from "./transport.ts";

/** What a transport tells its table. */
export interface ExchangeHooks {
  readonly inbound: Inbound;
  readonly redact: Redact;
  /** A request was given up by this side while it may still run at the peer. */
  abandoned(pending: Pending, reason: string): void;
  /** How many requests wait now; called at each change. */
  waiting?(count: number): void;
  /** What arrived and could not be used, for the text of a timeout. */
  clues?(): string | undefined;
}

/** The table of one connection. */
export interface Exchange {
  readonly hooks: ExchangeHooks;
  readonly pending: IdTable<Pending>;
  /** Those of the pending ones that go under an id of their caller's. */
  readonly ownIds: Map<RequestId, Pending>;
  readonly progressTokens: Map<RequestId, Pending>;
  readonly peerRequests: PeerRequests;
  nextId: number;
  era: Era;
  ended: Failure | null;
  /** Answers nobody waited for: late, duplicate or foreign. */
  unmatched: number;
  lastUnmatchedId: RequestId | null;
}

/** One request that waits for its answer. */
export interface Pending {
  /** Its place in the tables. */
  readonly id: number;
  /** The id it goes under on the wire. */
  readonly wireId: RequestId;
  readonly method: string;
  readonly options: RpcOptions;
  readonly budget: Budget;
  readonly settled: boolean;
  settle(result: Result<JsonObject>): void;
  /** Gives it up while it may still run at the peer, which is told why. */
  abandon(failure: TimeoutFailure | CancelledFailure, reason: string): void;
}

/** Where a message came from. */
export interface Via {
  /** The request on whose own stream it came; absent on a shared stream. */
  readonly pending?: Pending;
  /** Sends the answer to a request of the peer. */
  reply(message: JsonObject): void;
}

/** Requests that are never cancelled: the page forbids the first, and a probe has no session yet. */
export const NEVER_CANCELLED: ReadonlySet<string> = new Set(["initialize", "server/discover"]);

/** Hands a request to the wire; resolves with why that failed, or null. */
export type Transmit = (message: JsonObject, pending: Pending) => Promise<Failure | null>;

/** A new, empty table. */
export function createExchange(hooks: ExchangeHooks): Exchange {
  return {
    hooks,
    pending: createIdTable(),
    ownIds: new Map(),
    progressTokens: new Map(),
    peerRequests: createPeerRequests(hooks.inbound),
    nextId: 1,
    era: "legacy",
    ended: null,
    unmatched: 0,
    lastUnmatchedId: null,
  };
}

/** Sends a request through `transmit` and waits until it is answered, given up or the link ends. */
export function exchangeRpc(
  exchange: Exchange,
  call: {
    readonly method: string;
    readonly params: JsonObject | undefined;
    readonly options: RpcOptions;
  },
  transmit: Transmit,
): Promise<Result<JsonObject>> {
  const { method, params, options } = call;
  const refusal: Failure | null =
    exchange.ended ??
    (options.signal?.aborted === true
      ? { tag: "cancelled" }
      : idProblem(exchange, params, options));
  if (refusal !== null) return Promise.resolve(err({ ...refusal, maybeExecuted: false }));
  exchange.era = options.era ?? exchange.era;
  const id = exchange.nextId++;
  const wireId = options.id ?? id;
  // A number of the caller's is never counted again: within a session no id may come twice.
  if (typeof wireId === "number") exchange.nextId = Math.max(exchange.nextId, wireId + 1);
  const message = requestMessage(wireId, method, withMeta(exchange, params, options, wireId));
  return new Promise((resolve) => {
    const pending = register(
      exchange,
      { id, wireId, method, options, token: progressToken(message["params"]) },
      resolve,
    );
    void transmit(message, pending).then((failure) => {
      if (failure !== null) pending.settle(err(failure));
    });
  });
}

/** Gives up the request that waits under an id; false when there is none that may be given up. */
export function cancelRequest(
  exchange: Exchange,
  id: RequestId,
  reason: string = "cancelled",
): boolean {
  const pending = waitingUnder(exchange, id);
  if (pending === undefined || NEVER_CANCELLED.has(pending.method)) return false;
  pending.abandon({ tag: "cancelled" }, reason);
  return true;
}

interface Waiting {
  readonly id: number;
  readonly wireId: RequestId;
  readonly method: string;
  readonly options: RpcOptions;
  readonly token: RequestId | undefined;
}

function register(
  exchange: Exchange,
  waiting: Waiting,
  resolve: (result: Result<JsonObject>) => void,
): Pending {
  const { id, wireId, options, token } = waiting;
  const onExpire = (timeoutMs: number): void =>
    pending.abandon({ tag: "timeout", timeoutMs, ...timeoutDetail(exchange) }, "timeout");
  const pending = {
    id,
    wireId,
    method: waiting.method,
    options,
    budget: startBudget(options.timeoutMs, options.maxTotalMs ?? Infinity, onExpire),
    settled: false,
    settle: (result: Result<JsonObject>): void => {
      if (pending.settled) return;
      pending.settled = true;
      pending.budget.stop();
      stopWaiting();
      exchange.pending.delete(id);
      exchange.ownIds.delete(wireId);
      if (token !== undefined) exchange.progressTokens.delete(token);
      forgetOwner(exchange.peerRequests, pending);
      exchange.hooks.waiting?.(exchange.pending.size);
      resolve(result.ok ? result : err(stamped(result.failure)));
    },
    abandon: (failure: TimeoutFailure | CancelledFailure, reason: string): void => {
      if (pending.settled) return;
      pending.settle(err(failure));
      exchange.hooks.abandoned(pending, reason);
    },
  };
  const stopWaiting = onAbort(options.signal, () =>
    pending.abandon({ tag: "cancelled" }, "cancelled"),
  );
  exchange.pending.set(id, pending);
  if (wireId !== id) exchange.ownIds.set(wireId, pending);
  if (token !== undefined) exchange.progressTokens.set(token, pending);
  exchange.hooks.waiting?.(exchange.pending.size);
  return pending;
}

/** Only a link that was never made proves that the peer has not seen the request. */
function stamped(failure: Failure): Failure {
  if (failure.maybeExecuted !== undefined) return failure;
  return { ...failure, maybeExecuted: !isBeforeTheWire(failure) };
}

function isBeforeTheWire(failure: Failure): boolean {
  if (failure.tag !== "transport") return failure.tag === "invalid-argument";
  return ["dns", "connect-failed", "tls", "spawn-failed", "proxy"].includes(failure.reason);
}

function timeoutDetail(exchange: Exchange): { detail?: string } {
  const stray =
    exchange.unmatched === 0
      ? undefined
      : `${exchange.unmatched} answer(s) with another id, the last ${JSON.stringify(exchange.lastUnmatchedId)}`;
  const clues = [exchange.hooks.clues?.(), stray].filter((clue) => clue !== undefined);
  return clues.length === 0 ? {} : { detail: clues.join("; ") };
}

/**
 * Takes one JSON value from the wire: an answer, a request, a notification, or an array of them.
 *
 * Arrays are tolerated in the initialize era only.
 */
export function receive(exchange: Exchange, value: Json, via: Via): void {
  if (Array.isArray(value) && exchange.era === "legacy" && value.length > 0) {
    note(exchange, "message-array", "the peer sent an array of messages");
    for (const item of value) receiveOne(exchange, item, via);
    return;
  }
  receiveOne(exchange, value, via);
}

function receiveOne(exchange: Exchange, value: Json, via: Via): void {
  const incoming = readMessage(value);
  switch (incoming.kind) {
    case "response":
      return receiveResponse(exchange, incoming, via);
    case "request":
      return answerPeer(exchange.peerRequests, incoming, {
        owners: via.pending === undefined ? [...exchange.pending.values()] : [via.pending],
        reply: via.reply,
      });
    case "notification":
      return receiveNotification(exchange, incoming, via);
    case "junk":
      return note(exchange, "junk-message", incoming.detail);
  }
}

function receiveResponse(exchange: Exchange, response: IncomingResponse, via: Via): void {
  const pending = pendingFor(exchange, response, via);
  if (pending === undefined) {
    exchange.unmatched++;
    exchange.lastUnmatchedId = response.id;
    note(exchange, "unmatched-answer", "an answer came that no request waited for");
    return;
  }
  pending.settle(readResult(response.answer, exchange.hooks.redact));
}

/** An answer without an id belongs to the only request it can belong to, or to none. */
function pendingFor(exchange: Exchange, response: IncomingResponse, via: Via): Pending | undefined {
  const { id } = response;
  if (id === null) {
    if (response.answer.kind !== "error") return undefined;
    if (via.pending !== undefined) return via.pending;
    const [only, ...others] = exchange.pending.values();
    return others.length === 0 ? only : undefined;
  }
  const exact = waitingUnder(exchange, id);
  if (exact !== undefined || typeof id === "number" || exchange.era !== "legacy") return exact;
  const byText = /^[1-9]\d*$/.test(id) ? waitingUnder(exchange, Number(id)) : undefined;
  if (byText !== undefined) note(exchange, "string-id", "the peer answers numeric ids as strings");
  return byText;
}

/** The result of an answer, or the failure it stands for. */
export function readResult(answer: Answered, redact: Redact): Result<JsonObject> {
  switch (answer.kind) {
    case "result":
      return ok(answer.result);
    case "malformed":
      return err({ tag: "malformed-body", detail: answer.detail });
    case "error": {
      const data = answer.data === undefined ? {} : { data: redactJson(redact, answer.data) };
      return err({ tag: "rpc-error", code: answer.code, message: redact(answer.message), ...data });
    }
  }
}

function receiveNotification(
  exchange: Exchange,
  incoming: { readonly method: string; readonly message: JsonObject },
  via: Via,
): void {
  const params = isObject(incoming.message["params"]) ? incoming.message["params"] : {};
  const isCancel = incoming.method === "notifications/cancelled";
  if (isCancel) withdrawPeerRequest(exchange.peerRequests, params["requestId"]);
  const subscription = subscriptionOf(exchange, params, isCancel);
  const owner = deliverProgress(exchange, incoming.method, params) ?? subscription ?? via.pending;
  guarded(exchange, () => owner?.options.onNotification?.(incoming.message));
  guarded(exchange, () => exchange.hooks.inbound.notification(incoming.message));
  // A server may end a subscription like this, in place of its answer or before it.
  if (isCancel) subscription?.settle(ok({}));
}

/** The subscription a notification belongs to, or ends; on a shared stream only its id tells. */
function subscriptionOf(
  exchange: Exchange,
  params: JsonObject,
  isCancel: boolean,
): Pending | undefined {
  if (exchange.era === "legacy") return undefined;
  const { _meta: meta, requestId } = params;
  const named = isObject(meta) ? meta[META.subscriptionId] : undefined;
  const pending = waitingUnder(exchange, isCancel ? requestId : named);
  return pending?.method === "subscriptions/listen" ? pending : undefined;
}

function deliverProgress(
  exchange: Exchange,
  method: string,
  params: JsonObject,
): Pending | undefined {
  const token = params["progressToken"];
  if (method !== "notifications/progress") return undefined;
  if (!isRequestId(token)) return undefined;
  const owner = exchange.progressTokens.get(token);
  if (owner === undefined) return undefined;
  if (owner.options.resetTimeoutOnProgress === true) owner.budget.renew();
  const progress = readProgress(params);
  if (progress !== undefined) guarded(exchange, () => owner.options.onProgress?.(progress));
  return owner;
}

function readProgress(params: JsonObject): Progress | undefined {
  const { progress, total, message, progressToken: token } = params;
  if (typeof progress !== "number") return undefined;
  return {
    progress,
    ...(typeof total === "number" ? { total } : {}),
    ...(typeof message === "string" ? { message } : {}),
    ...(token === undefined ? {} : { token }),
  };
}

/** A caller's function that throws must not end the reader. */
function guarded(exchange: Exchange, run: () => unknown): void {
  callBack(run, () => note(exchange, "handler-threw", "a notification or progress handler threw"));
}

function note(exchange: Exchange, code: string, detail: string): void {
  exchange.hooks.inbound.note?.({ code, detail });
}

/** Ends the table: every waiting request fails with the first cause, and so does every later one. */
export function endExchange(exchange: Exchange, failure: Failure): void {
  if (exchange.ended !== null) return;
  exchange.ended = failure;
  withdrawAll(exchange.peerRequests);
  for (const pending of exchange.pending.values()) pending.settle(err(failure));
}
