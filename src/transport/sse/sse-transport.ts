/**
 * The HTTP+SSE transport of 2024-11-05: one event stream for what the server says, and an address
 * that it names for what the client says.
 *
 * Lives here: the stream, its endpoint, and messages over the two. Not here: sending over HTTP
 * (../http, shared), and when this older transport is tried (lifecycle).
 *
 * @see https://modelcontextprotocol.io/specification/2024-11-05/basic/transports
 */
import { err, ok } from "../../failure.ts";
import type { Failure, Result } from "../../failure.ts";
import { parseJson } from "../../json.ts";
import { notificationMessage } from "../../protocol/messages.ts";
import {
  NEVER_CANCELLED,
  cancelRequest,
  createExchange,
  endExchange,
  exchangeRpc,
  receive,
} from "../exchange.ts";
import type { Pending } from "../exchange.ts";
import { isOwnedHeader } from "../http/headers.ts";
import { createLife } from "../http/life.ts";
import { callerHeaders } from "../http/link.ts";
import { loadRuntime } from "../http/runtime.ts";
import type { HttpRuntime } from "../http/runtime.ts";
import { messageLimit, senderOf, serverProblem } from "../http/server-spec.ts";
import type { HttpServerSpec } from "../http/server-spec.ts";
import { onAbort, signalIn } from "../on-abort.ts";
import type { CloseDetails, Inbound, OpenTransport, Transport } from "../transport.ts";
import { openStream } from "./event-stream.ts";
import type { SseLink } from "./sse-link.ts";
import { post } from "./sse-link.ts";

/** How long a cancellation may take on its way. */
const CANCEL_MS = 1000;

/**
 * A transport over HTTP+SSE, for servers that know nothing newer.
 *
 * Opening GETs the stream and waits for the endpoint it names, which must be of the same origin:
 * credentials go nowhere else. Fails with `config` for an address or a header that cannot be used,
 * with `http-status`, `transport` or `malformed-body` when there is no such stream.
 *
 * @see https://modelcontextprotocol.io/specification/2024-11-05/basic/transports#http-with-sse
 *
 * @example
 * ```ts
 * import { connect, sseTransport } from "mcp-source";
 * const open = sseTransport({ url: "https://example.com/sse" });
 * const connection = await connect({ name: "old", open });
 * ```
 */
export function sseTransport(spec: HttpServerSpec): OpenTransport {
  return async (inbound, options) => {
    const signal = signalIn(options);
    const problem = serverProblem(spec);
    if (problem !== null) return err({ tag: "config", detail: problem, maybeExecuted: false });
    const runtime = await loadRuntime(spec.dispatcher);
    if (!runtime.ok) return runtime;
    const link = createLink(spec, runtime.value, inbound);
    const stopWaiting = onAbort(signal, () => link.life.end());
    const opened = await openStream(link);
    stopWaiting();
    if (opened === null) return ok(transportOver(link));
    await close(link, opened);
    return err(signal?.aborted === true ? { tag: "cancelled", maybeExecuted: false } : opened);
  };
}

function createLink(spec: HttpServerSpec, runtime: HttpRuntime, inbound: Inbound): SseLink {
  const sender = senderOf(spec, runtime);
  const given = Object.entries(spec.headers ?? {}).filter(([name]) => !isOwnedHeader(name));
  let resolveClosed: (details: CloseDetails) => void = () => undefined;
  const closed = new Promise<CloseDetails>((resolve) => {
    resolveClosed = resolve;
  });
  const link: SseLink = {
    sender,
    exchange: createExchange({
      inbound,
      redact: sender.secrets.redact,
      abandoned: (pending, reason) => abandon(link, pending, reason),
    }),
    headers: callerHeaders(given),
    maxMessageBytes: messageLimit(spec),
    life: createLife(),
    posts: new Set(),
    endpoint: null,
    closed,
    resolveClosed,
    receive: (text) => {
      const parsed = parseJson(text);
      if (parsed === undefined) {
        inbound.note?.({ code: "junk-event", detail: "an event held no JSON" });
        return;
      }
      receive(link.exchange, parsed.value, {
        reply: (message) => void post(link, message, {}),
      });
    },
    lost: (failure) => void close(link, failure),
  };
  return link;
}

function transportOver(link: SseLink): Transport {
  const { exchange } = link;
  return {
    kind: "sse",
    rpc: (method, params, options) =>
      exchangeRpc(exchange, { method, params, options }, (message, pending) =>
        post(link, message, { pending }),
      ),
    notify: async (method, params, options = {}): Promise<Result<void>> => {
      if (exchange.ended !== null) return err(exchange.ended);
      const { signal } = options;
      if (signal?.aborted === true) return err({ tag: "cancelled", maybeExecuted: false });
      const failure = await post(link, notificationMessage(method, params), {});
      return failure === null ? ok(undefined) : err(failure);
    },
    close: () => close(link, null),
    cancel: (id, reason) => cancelRequest(exchange, id, reason),
    closed: link.closed,
  };
}

function abandon(link: SseLink, pending: Pending, reason: string): void {
  if (NEVER_CANCELLED.has(pending.method)) return;
  const params = { requestId: pending.wireId, reason };
  void post(link, notificationMessage("notifications/cancelled", params), { maxMs: CANCEL_MS });
}

/** Ends the connection, once: for a failure of the stream, or at the client's wish (null). */
async function close(link: SseLink, failure: Failure | null): Promise<void> {
  endExchange(link.exchange, failure ?? { tag: "closed", by: "client" });
  link.life.end();
  for (const life of link.posts) life.end();
  await link.sender.runtime.sockets.destroy();
  link.resolveClosed({ failure, exitCode: null, signal: null, stderr: [] });
}
