/**
 * The far side of a faulty link: what arrives there goes on over the real transport, and what that
 * brings goes on the wire.
 */
import { Buffer } from "node:buffer";
import { err } from "../failure.ts";
import type { Result } from "../failure.ts";
import { isObject, parseJson } from "../json.ts";
import type { Json, JsonObject } from "../json.ts";
import { isRequestId, resultMessage } from "../protocol/messages.ts";
import type { RequestId } from "../protocol/messages.ts";
import { onAbort } from "../transport/on-abort.ts";
import { withdrawPeerRequest } from "../transport/peer-requests.ts";
import { waitingUnder } from "../transport/request-ids.ts";
import type {
  Inbound,
  InboundOptions,
  RpcOptions,
  Transport,
  WireOptions,
} from "../transport/transport.ts";
import type { Link, LinkParcel } from "./faulty-link.ts";

/** Sends on what is still a message when it arrives; anything else a server could not read. */
export function arriveAtServer(
  link: Link,
  line: readonly Uint8Array[],
  { message: sent, method: wanted, context }: LinkParcel,
): void {
  const message = parseJson(Buffer.concat(line).toString("utf8"))?.value;
  if (!isObject(message) || link.inner === null) return;
  const { id, method } = message;
  const params = isObject(message["params"]) ? message["params"] : undefined;
  if (typeof method !== "string") {
    if (isRequestId(id)) link.asked.get(id)?.(message);
  } else if (method === "notifications/cancelled") {
    cancel(link, link.inner, params, context.options);
  } else if (sent["id"] === undefined) {
    void link.inner.notify(method, params, context.options);
  } else if (isRequestId(id)) {
    void forward(link, link.inner, { id, method, params, wanted, options: context.options });
  }
}

/** Giving up a request that is on its way is the real transport's own business. */
function cancel(
  link: Link,
  inner: Transport,
  params: JsonObject | undefined,
  options: WireOptions | undefined,
): void {
  const id: Json | undefined = params?.["requestId"];
  const sent = isRequestId(id) ? link.sent.get(id) : undefined;
  if (sent === undefined) void inner.notify("notifications/cancelled", params, options);
  else sent.abort();
}

interface Call {
  readonly id: RequestId;
  readonly method: string;
  readonly params: JsonObject | undefined;
  /** The method the caller sent, by which the plan knows the answer. */
  readonly wanted: string;
  readonly options: WireOptions | undefined;
}

/** Asks the real transport and puts the answer on the way back. */
async function forward(link: Link, inner: Transport, call: Call): Promise<void> {
  const { id, method, wanted } = call;
  const isCopy = link.sent.has(id);
  const abort = new AbortController();
  if (!isCopy) link.sent.set(id, abort);
  const answer = await inner.rpc(
    method,
    isCopy ? withoutToken(call.params) : call.params,
    innerOptions(link, call, { isCopy, signal: abort.signal }),
  );
  if (!isCopy) link.sent.delete(id);
  const message = answerMessage(id, answer);
  if (message !== null) {
    link.wire.pass({ direction: "in", method: wanted, message, context: {} });
  } else if (!answer.ok) waitingUnder(link.exchange, id)?.settle(err(answer.failure));
}

/** Only the caller's side has a clock; a copy goes under an id of the real transport's own. */
function innerOptions(
  link: Link,
  { id, options = {} }: Call,
  { isCopy, signal }: { readonly isCopy: boolean; readonly signal: AbortSignal },
): RpcOptions {
  const { protocolVersion, era, headers } = options;
  const owner = waitingUnder(link.exchange, id);
  return {
    timeoutMs: Infinity,
    signal,
    ...(isCopy ? {} : { id }),
    ...(protocolVersion === undefined ? {} : { protocolVersion }),
    ...(era === undefined ? {} : { era }),
    ...(headers === undefined ? {} : { headers }),
    ...(owner === undefined
      ? {}
      : { onNotification: (message: JsonObject) => void link.owners.set(message, owner) }),
  };
}

/** No two requests that wait may share a progress token. */
function withoutToken(params: JsonObject | undefined): JsonObject | undefined {
  const meta = params?.["_meta"];
  if (!isObject(meta)) return params;
  const { progressToken: _, ...rest } = meta;
  return { ...params, _meta: rest };
}

/** The answer as a message; null for a failure that no message can tell of. */
function answerMessage(id: RequestId, answer: Result<JsonObject>): JsonObject | null {
  if (answer.ok) return resultMessage(id, answer.value);
  const { failure } = answer;
  if (failure.tag !== "rpc-error" || failure.status !== undefined) return null;
  const { code, message, data } = failure;
  const error = { code, message, ...(data === undefined ? {} : { data }) };
  return { jsonrpc: "2.0", id, error };
}

/** What the real transport hands up, put on the wire. */
export function inboundOf(link: Link): Inbound {
  return {
    request: (message, options) => ask(link, message, options),
    notification: (message) => {
      const owner = link.owners.get(message);
      const context = owner === undefined ? {} : { owner };
      link.wire.pass({ direction: "in", method: methodOf(message), message, context });
    },
    note: (note) => link.inbound.note?.(note),
  };
}

function ask(
  link: Link,
  message: JsonObject,
  options: InboundOptions | undefined,
): Promise<JsonObject | null> {
  const { id } = message;
  if (!isRequestId(id) || options?.signal?.aborted === true) return Promise.resolve(null);
  return new Promise((resolve) => {
    const answer = (response: JsonObject | null): void => {
      stopWaiting();
      if (link.asked.get(id) === answer) link.asked.delete(id);
      resolve(response);
    };
    const stopWaiting = onAbort(options?.signal, () => {
      withdrawPeerRequest(link.exchange.peerRequests, id);
      answer(null);
    });
    link.asked.get(id)?.(null);
    link.asked.set(id, answer);
    link.wire.pass({ direction: "in", method: methodOf(message), message, context: {} });
  });
}

function methodOf({ method }: JsonObject): string {
  return typeof method === "string" ? method : "";
}
