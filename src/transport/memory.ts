/**
 * A transport without a wire: a function answers. For tests, and for servers in the same process.
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
} from "./exchange.ts";
import type { Exchange } from "./exchange.ts";
import { noRedaction } from "../redact.ts";
import type { CloseDetails, Inbound, OpenTransport, Transport } from "./transport.ts";

/**
 * The server's side: takes each message, gives what to send back, if anything.
 *
 * `send` sends further messages, at any time: notifications and requests of the server.
 */
export type MemoryAnswer = (
  message: JsonObject,
  send: (message: Json) => void,
) => Json | undefined | Promise<Json | undefined>;

/**
 * A transport whose peer is a function.
 *
 * The function sees every message as it would cross the wire and returns the response, or nothing.
 * When it throws or rejects, the request fails with `transport` (stream-failed).
 *
 * @example
 * ```ts
 * import { connect, memoryTransport } from "mcp-source";
 * const open = memoryTransport(({ id, method }) =>
 *   id === undefined ? undefined
 *     : { jsonrpc: "2.0", id, result: method === "initialize"
 *         ? { protocolVersion: "2025-11-25", capabilities: {}, serverInfo: { name: "m", version: "1" } }
 *         : { tools: [] } },
 * );
 * const connection = await connect({ name: "m", open });
 * ```
 */
export function memoryTransport(answer: MemoryAnswer): OpenTransport {
  return (inbound) => Promise.resolve(ok(openMemory(answer, inbound)));
}

function openMemory(answer: MemoryAnswer, inbound: Inbound): Transport {
  const exchange: Exchange = createExchange({
    inbound,
    redact: noRedaction,
    abandoned: (pending, reason) => {
      if (NEVER_CANCELLED.has(pending.method)) return;
      const params = { requestId: pending.wireId, reason };
      void deliver(notificationMessage("notifications/cancelled", params));
    },
  });
  const via = { reply: (message: JsonObject): void => void deliver(message) };
  const send = (message: Json): void => {
    if (exchange.ended === null) receive(exchange, message, via);
  };
  const deliver = async (message: JsonObject): Promise<Failure | null> => {
    try {
      const response = await answer(message, send);
      if (response !== undefined && response !== null) send(response);
      return null;
    } catch {
      return { tag: "transport", reason: "stream-failed", detail: "the answering function threw" };
    }
  };
  let resolveClosed: (details: CloseDetails) => void = () => undefined;
  const closed = new Promise<CloseDetails>((resolve) => {
    resolveClosed = resolve;
  });
  return {
    kind: "memory",
    rpc: (method, params, options) => exchangeRpc(exchange, { method, params, options }, deliver),
    notify: async (method, params) => {
      if (exchange.ended !== null) return err(exchange.ended);
      const failure = await deliver(notificationMessage(method, params));
      return failure === null ? ok(undefined) : err(failure);
    },
    cancel: (id, reason) => cancelRequest(exchange, id, reason),
    close: () => {
      endExchange(exchange, { tag: "closed", by: "client" });
      resolveClosed({ failure: null, exitCode: null, signal: null, stderr: [] });
      return Promise.resolve();
    },
    closed,
  };
}
