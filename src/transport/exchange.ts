/**
 * The one table of who waits for what on a connection, shared by every transport.
 *
 * A transport hands over bytes and hands in JSON; ids, matching, budgets, aborts, progress and the
 * peer's own requests are decided here, once. The reader owns the match: an id is looked up here
 * when its answer arrives and nowhere else.
 */
import { err, ok } from "../failure.ts";
import type { Failure, Result } from "../failure.ts";
import { isObject } from "../json.ts";
import type { Json, JsonObject } from "../json.ts";
import { readMessage, requestMessage } from "../protocol/messages.ts";
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
import type { Budget } from "./budget.ts";
import { onAbort } from "./on-abort.ts";
import { redactJson } from "./redact.ts";
import type { Inbound, Progress, Redact, RpcOptions } from "./transport.ts";

/** What a transport tells its table. */
export interface ExchangeHooks {
  readonly inbound: Inbound;
  readonly redact: Redact;
  /** A request was given up by this side while it may still run at the peer. */
  abandoned(pending: Pending, reason: "timeout" | "cancelled"): void;
  /** How many requests wait now; called at each change. */
  waiting?(count: number): void;
  /** What arrived and could not be used, for the text of a timeout. */
  clues?(): string | undefined;
}

/** The table of one connection. */
export interface Exchange {
  readonly hooks: ExchangeHooks;
  readonly pending: Map<RequestId, Pending>;
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
  readonly id: number;
  readonly method: string;
  readonly options: RpcOptions;
  readonly budget: Budget;
  readonly settled: boolean;
  settle(result: Result<JsonObject>): void;
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
    pending: new Map(),
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
    exchange.ended ?? (options.signal?.aborted === true ? { tag: "cancelled" } : null);
  if (refusal !== null) return Promise.resolve(err({ ...refusal, maybeExecuted: false }));
  exchange.era = options.era ?? exchange.era;
  const id = exchange.nextId++;
  const message = requestMessage(id, method, withMeta(params, options, id));
  return new Promise((resolve) => {
    const pending = register(
      exchange,
      { id, method, options, token: progressToken(message) },
      resolve,
    );
    void transmit(message, pending).then((failure) => {
      if (failure !== null) pending.settle(err(failure));
    });
  });
}

interface Waiting {
  readonly id: number;
  readonly method: string;
  readonly options: RpcOptions;
  readonly token: RequestId | undefined;
}

function register(
  exchange: Exchange,
  waiting: Waiting,
  resolve: (result: Result<JsonObject>) => void,
): Pending {
  const { id, options, token } = waiting;
  const abandon = (failure: Failure & { tag: "timeout" | "cancelled" }): void => {
    if (pending.settled) return;
    pending.settle(err(failure));
    exchange.hooks.abandoned(pending, failure.tag);
  };
  const onExpire = (timeoutMs: number): void =>
    abandon({ tag: "timeout", timeoutMs, ...timeoutDetail(exchange) });
  const pending = {
    id,
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
      if (token !== undefined) exchange.progressTokens.delete(token);
      forgetOwner(exchange.peerRequests, pending);
      exchange.hooks.waiting?.(exchange.pending.size);
      resolve(result.ok ? result : err(stamped(result.failure)));
    },
  };
  const stopWaiting = onAbort(options.signal, () => abandon({ tag: "cancelled" }));
  exchange.pending.set(id, pending);
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

function withMeta(
  params: JsonObject | undefined,
  options: RpcOptions,
  id: number,
): JsonObject | undefined {
  const own = isObject(params?.["_meta"]) ? params["_meta"] : {};
  const meta: JsonObject = { ...own, ...options.meta };
  const token = meta["progressToken"] ?? (options.onProgress === undefined ? undefined : id);
  const merged: JsonObject = token === undefined ? meta : { ...meta, progressToken: token };
  return Object.keys(merged).length === 0 ? params : { ...params, _meta: merged };
}

function progressToken(message: JsonObject): RequestId | undefined {
  const params = message["params"];
  const meta = isObject(params) ? params["_meta"] : undefined;
  const token = isObject(meta) ? meta["progressToken"] : undefined;
  return typeof token === "string" || typeof token === "number" ? token : undefined;
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
  const exact = exchange.pending.get(id);
  if (exact !== undefined || typeof id === "number" || exchange.era !== "legacy") return exact;
  const byText = /^[1-9]\d*$/.test(id) ? exchange.pending.get(Number(id)) : undefined;
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
  const owner = deliverProgress(exchange, incoming.method, params) ?? via.pending;
  if (incoming.method === "notifications/cancelled") {
    withdrawPeerRequest(exchange.peerRequests, params["requestId"]);
  }
  guarded(exchange, () => owner?.options.onNotification?.(incoming.message));
  guarded(exchange, () => exchange.hooks.inbound.notification(incoming.message));
}

function deliverProgress(
  exchange: Exchange,
  method: string,
  params: JsonObject,
): Pending | undefined {
  const token = params["progressToken"];
  if (method !== "notifications/progress") return undefined;
  if (typeof token !== "string" && typeof token !== "number") return undefined;
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
function guarded(exchange: Exchange, run: () => void): void {
  try {
    run();
  } catch {
    note(exchange, "handler-threw", "a notification or progress handler threw");
  }
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
