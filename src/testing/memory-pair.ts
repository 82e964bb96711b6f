/**
 * Two connected ends in one process.
 */
import { err, ok } from "../failure.ts";
import type { Failure } from "../failure.ts";
import type { Json, JsonObject } from "../json.ts";
import { notificationMessage } from "../protocol/messages.ts";
import {
  NEVER_CANCELLED,
  cancelRequest,
  createExchange,
  endExchange,
  exchangeRpc,
  receive,
} from "../transport/exchange.ts";
import type { Exchange } from "../transport/exchange.ts";
import { noRedaction } from "../redact.ts";
import type { CloseDetails, Inbound, OpenTransport, Transport } from "../transport/transport.ts";
import { NOT_JSON, throughText } from "./message-text.ts";

/** Two ends: what is sent on one arrives at the `Inbound` of the other. */
export interface MemoryPair {
  readonly client: OpenTransport;
  readonly server: OpenTransport;
}

interface OpenEnd {
  readonly exchange: Exchange;
  readonly resolveClosed: (details: CloseDetails) => void;
  readonly reply: (message: JsonObject) => Failure | null;
}

/** One end, open or not yet. */
interface End {
  /** What came before it was opened. */
  readonly early: Json[];
  open: OpenEnd | null;
  /** Whether the other end has been closed. */
  isCut: boolean;
}

/**
 * Two connected ends, alike but for their names: a server of your own can be tested, or be a test.
 *
 * Each can be opened once. Messages cross as copies, in order and never within the call that sends
 * them; what is sent before the other end is open waits for it. When one end is closed, everything
 * at the other fails with `peer-eof`.
 *
 * @example
 * ```ts
 * import { connect } from "mcp-source";
 * import { memoryPair } from "mcp-source/testing";
 * const { client, server } = memoryPair();
 * await server(
 *   {
 *     request: async ({ id, method }) =>
 *       method === "initialize"
 *         ? { jsonrpc: "2.0", id, result: { protocolVersion: "2025-11-25", capabilities: {} } }
 *         : { jsonrpc: "2.0", id, error: { code: -32601, message: "Method not found" } },
 *     notification: () => undefined,
 *   },
 *   {},
 * );
 * const connection = await connect({ name: "mine", open: client });
 * ```
 */
export function memoryPair(): MemoryPair {
  const client: End = { early: [], open: null, isCut: false };
  const server: End = { early: [], open: null, isCut: false };
  return { client: opening(client, server), server: opening(server, client) };
}

function opening(own: End, other: End): OpenTransport {
  return (inbound, { signal }) => {
    if (signal?.aborted === true) return Promise.resolve(err({ tag: "cancelled" }));
    if (own.open !== null) return Promise.resolve(err(ALREADY_OPEN));
    return Promise.resolve(ok(openEnd(own, other, inbound)));
  };
}

const ALREADY_OPEN: Failure = {
  tag: "transport",
  reason: "connect-failed",
  detail: "this end is open already",
};

const EOF: Failure = { tag: "peer-eof", exitCode: null, signal: null };

function openEnd(own: End, other: End, inbound: Inbound): Transport {
  const send = (message: JsonObject): Failure | null => {
    const copy = throughText(message);
    if (copy === undefined) return NOT_JSON;
    queueMicrotask(() => arrive(other, copy));
    return null;
  };
  const exchange = createExchange({
    inbound,
    redact: noRedaction,
    abandoned: ({ method, wireId }, reason) => {
      const params = { requestId: wireId, reason };
      if (!NEVER_CANCELLED.has(method))
        send(notificationMessage("notifications/cancelled", params));
    },
  });
  let resolveClosed: (details: CloseDetails) => void = () => undefined;
  const closed = new Promise<CloseDetails>((resolve) => {
    resolveClosed = resolve;
  });
  own.open = { exchange, resolveClosed, reply: send };
  queueMicrotask(() => {
    const early = own.early.splice(0);
    for (const message of early) arrive(own, message);
    if (own.isCut) endOf(own, EOF);
  });
  return {
    kind: "memory",
    rpc: (method, params, options) =>
      exchangeRpc(exchange, { method, params, options }, (message) =>
        Promise.resolve(send(message)),
      ),
    notify: (method, params) => {
      const failure = exchange.ended ?? send(notificationMessage(method, params));
      return Promise.resolve(failure === null ? ok(undefined) : err(failure));
    },
    cancel: (id, reason) => cancelRequest(exchange, id, reason),
    close: () => {
      endOf(own, null);
      other.isCut = true;
      queueMicrotask(() => endOf(other, EOF));
      return Promise.resolve();
    },
    closed,
  };
}

function arrive(end: End, message: Json): void {
  // Nothing overtakes what came early and is not delivered yet.
  if (end.open === null || end.early.length > 0) end.early.push(message);
  else if (end.open.exchange.ended === null) {
    const { exchange, reply } = end.open;
    receive(exchange, message, { reply: (response) => void reply(response) });
  }
}

/** Ends one side: with a failure, or as its owner wished. */
function endOf({ open }: End, failure: Failure | null): void {
  if (open === null) return;
  open.resolveClosed({ failure, exitCode: null, signal: null, stderr: [] });
  endExchange(open.exchange, failure ?? { tag: "closed", by: "client" });
}
