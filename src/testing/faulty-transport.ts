/**
 * Any transport with faults in front of it.
 *
 * The caller's side has a table of its own, and between that and the real transport lies a wire that
 * follows the plan. What arrives is read as if it came from a process, so that a fault has the effect
 * it has on a real link.
 */
import { Buffer } from "node:buffer";
import { err, ok } from "../failure.ts";
import type { Failure } from "../failure.ts";
import { notificationMessage } from "../protocol/messages.ts";
import {
  NEVER_CANCELLED,
  cancelRequest,
  createExchange,
  endExchange,
  exchangeRpc,
  receive,
} from "../transport/exchange.ts";
import type { Pending } from "../transport/exchange.ts";
import { guardedOpen } from "../transport/guard.ts";
import { noRedaction } from "../redact.ts";
import { waitingUnder } from "../transport/request-ids.ts";
import { createMessageReader, pushChunk } from "../transport/stdio/message-reader.ts";
import type { Received } from "../transport/stdio/message-reader.ts";
import type { CloseDetails, Inbound, OpenTransport, Transport } from "../transport/transport.ts";
import { arriveAtServer, inboundOf } from "./far-side.ts";
import type { FaultPlan } from "./fault-plan.ts";
import type { Context, Link } from "./faulty-link.ts";
import { createFaultyWire } from "./faulty-wire.ts";
import { NOT_JSON, messageText } from "./message-text.ts";

/**
 * A transport with faults on the way to it and from it; with an empty plan it behaves as it does alone.
 *
 * Counting starts anew in each connection. Only messages are harmed: a failure that is no answer,
 * such as a refused connection, passes as it is.
 *
 * @example
 * ```ts
 * import { connect } from "mcp-source";
 * import { faultyTransport, scriptedPeer } from "mcp-source/testing";
 * const { open } = scriptedPeer({ tools: [{ name: "add", inputSchema: { type: "object" } }] });
 * const faulty = faultyTransport(open, [
 *   { direction: "in", method: "tools/call", nth: 1, kind: "drop" },
 * ]);
 * const connection = await connect({ name: "calculator", open: faulty });
 * ```
 */
export function faultyTransport(inner: OpenTransport, plan: FaultPlan): OpenTransport {
  const open = guardedOpen(inner, Infinity);
  return async (inbound, options) => {
    const link = createLink(inbound, plan);
    const opened = await open(inboundOf(link), options);
    if (!opened.ok) return opened;
    link.inner = opened.value;
    if (link.exchange.ended !== null) link.closing = opened.value.close({ hurry: true });
    void opened.value.closed?.then((details) => endLink(link, details));
    return ok(transportOver(link, opened.value));
  };
}

function createLink(inbound: Inbound, plan: FaultPlan): Link {
  let resolveClosed: Link["resolveClosed"] = () => undefined;
  const closed = new Promise<CloseDetails>((resolve) => {
    resolveClosed = resolve;
  });
  const link: Link = {
    inbound,
    exchange: createExchange({
      inbound,
      redact: noRedaction,
      abandoned: (pending, reason) => tellAbandoned(link, pending, reason),
    }),
    wire: createFaultyWire<Context>(plan, {
      arrive: (line, parcel) => {
        if (parcel.direction === "out") arriveAtServer(link, line, parcel);
        else arriveAtCaller(link, line, parcel.context.owner);
      },
      closed: ({ exitCode = null }) => {
        const failure: Failure = { tag: "peer-eof", exitCode, signal: null };
        endLink(link, { failure, exitCode, signal: null, stderr: [] });
      },
    }),
    reader: createMessageReader(Infinity),
    sent: new Map(),
    asked: new Map(),
    owners: new WeakMap(),
    inner: null,
    closing: null,
    closed,
    resolveClosed,
  };
  return link;
}

function tellAbandoned(link: Link, { method, wireId }: Pending, reason: string): void {
  // No server is told that these are given up, so the real transport must not go on waiting either.
  if (NEVER_CANCELLED.has(method)) return link.sent.get(wireId)?.abort();
  const params = { requestId: wireId, reason };
  const message = notificationMessage("notifications/cancelled", params);
  link.wire.pass({ direction: "out", method: "notifications/cancelled", message, context: {} });
}

/** Ends both sides; the first cause is the one that counts. */
function endLink(link: Link, details: CloseDetails): void {
  link.resolveClosed(details);
  endExchange(link.exchange, details.failure ?? { tag: "closed", by: "client" });
  link.wire.end();
  for (const answer of link.asked.values()) answer(null);
  link.closing ??= link.inner?.close({ hurry: true }) ?? null;
}

function transportOver(link: Link, inner: Transport): Transport {
  const { exchange, wire } = link;
  const { kind, listen, hold } = inner;
  return {
    ...(kind === undefined ? {} : { kind }),
    ...(listen === undefined ? {} : { listen }),
    ...(hold === undefined ? {} : { hold }),
    rpc: (method, params, options) =>
      exchangeRpc(exchange, { method, params, options }, (message) => {
        if (messageText(message) === null) return Promise.resolve(NOT_JSON);
        wire.pass({ direction: "out", method, message, context: { options } });
        return Promise.resolve(null);
      }),
    notify: (method, params, options) => {
      const message = notificationMessage(method, params);
      const refusal = exchange.ended ?? (messageText(message) === null ? NOT_JSON : null);
      if (refusal !== null) return Promise.resolve(err(refusal));
      const context = options === undefined ? {} : { options };
      wire.pass({ direction: "out", method, message, context });
      return Promise.resolve(ok(undefined));
    },
    cancel: (id, reason) => cancelRequest(exchange, id, reason),
    stderr: () => inner.stderr?.() ?? [],
    session: () => inner.session?.() ?? { sessionId: null, lastEventId: null },
    close: (options) => {
      link.closing ??= inner.close(options);
      endLink(link, { failure: null, exitCode: null, signal: null, stderr: [] });
      return link.closing;
    },
    closed: link.closed,
  };
}

function arriveAtCaller(link: Link, line: readonly Uint8Array[], owner: Pending | undefined): void {
  for (const piece of [...line, NEWLINE]) {
    for (const received of pushChunk(link.reader, Buffer.from(piece))) {
      if (link.exchange.ended === null) take(link, received, owner);
    }
  }
}

const NEWLINE: Uint8Array = Uint8Array.of(0x0a);

function take(link: Link, received: Received, owner: Pending | undefined): void {
  switch (received.kind) {
    case "value":
      return receive(link.exchange, received.value, {
        ...(owner === undefined ? {} : { pending: owner }),
        // An answer to a question has no method of its own.
        reply: (message) => link.wire.pass({ direction: "out", method: "", message, context: {} }),
      });
    case "broken": {
      const failure: Failure = { tag: "malformed-body", detail: "not JSON" };
      return waitingUnder(link.exchange, received.id)?.settle(err(failure));
    }
    case "junk":
    case "overlong":
      return link.inbound.note?.({ code: "junk-line", detail: "a line is no message" });
  }
}
