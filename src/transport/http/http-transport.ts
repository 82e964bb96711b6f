/**
 * Streamable HTTP: each message a POST of its own, each answer JSON or an event stream.
 *
 * Lives here: what is sent over HTTP, what its answers mean, sessions, streams and their resumption.
 * Pure decisions (answer, headers, redirects, reconnect, network-failure) stand apart from the I/O
 * (dispatch, body, decode, event-reader); `sender` is the common core of every HTTP transport.
 * Not here: which version or era is spoken (lifecycle), and how credentials are had (auth).
 *
 * @see https://modelcontextprotocol.io/specification/2025-11-25/basic/transports
 */
import { err, ok } from "../../failure.ts";
import type { Result } from "../../failure.ts";
import type { JsonObject } from "../../json.ts";
import { notificationMessage } from "../../protocol/messages.ts";
import {
  NEVER_CANCELLED,
  cancelRequest,
  createExchange,
  endExchange,
  exchangeRpc,
} from "../exchange.ts";
import type { Pending } from "../exchange.ts";
import { createIdTable } from "../id-table.ts";
import { signalIn } from "../on-abort.ts";
import type { CloseDetails, Inbound, OpenTransport, RpcOptions, Transport } from "../transport.ts";
import { headerProblem, isOwnedHeader } from "./headers.ts";
import { createLife } from "./life.ts";
import type { Life } from "./life.ts";
import { adoptSession, callerHeaders, isLegacy, endHeaders, noteOn } from "./link.ts";
import type { Link } from "./link.ts";
import { postAside, postNotification, postRequest } from "./post.ts";
import { reconnectPolicy } from "./reconnect.ts";
import type { Reconnect } from "./reconnect.ts";
import { loadRuntime } from "./runtime.ts";
import type { HttpRuntime } from "./runtime.ts";
import { discard, send } from "./sender.ts";
import { endLingering } from "./linger.ts";
import { listenOn } from "./listen.ts";
import { messageLimit, senderOf, serverProblem } from "./server-spec.ts";
import type { HttpServerSpec } from "./server-spec.ts";

/** A server reached over Streamable HTTP. */
export interface HttpSpec extends HttpServerSpec {
  /** Whether closing ends the session at the server too; default true. */
  readonly ownsSession?: boolean;
  /** A session known from before, to go on with. */
  readonly sessionId?: string;
  readonly reconnect?: Reconnect;
  /** How long ending the session may take, in milliseconds; default 2000. */
  readonly deleteTimeoutMs?: number;
}

const DELETE_MS = 2000;
const HURRIED_DELETE_MS = 500;
const CANCEL_MS = 1000;

/**
 * A transport over Streamable HTTP.
 *
 * Opening sends nothing; it fails with `config` for an address or a header that cannot be used.
 *
 * @see https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#streamable-http
 *
 * @example
 * ```ts
 * import { connect, httpTransport } from "mcp-source";
 * const open = httpTransport({ url: "https://example.com/mcp", headers: { "x-team": "blue" } });
 * const connection = await connect({ name: "docs", open });
 * ```
 */
export function httpTransport(spec: HttpSpec): OpenTransport {
  return async (inbound, options) => {
    const signal = signalIn(options);
    const problem = specProblem(spec);
    if (problem !== null) return err({ tag: "config", detail: problem });
    const runtime = await loadRuntime(spec.dispatcher);
    if (!runtime.ok) return runtime;
    if (signal?.aborted === true) {
      await runtime.value.sockets.destroy();
      return err({ tag: "cancelled" });
    }
    return ok(transportOver(openLink(spec, runtime.value, inbound)));
  };
}

function specProblem(spec: HttpSpec): string | null {
  const problem = serverProblem(spec);
  if (problem !== null || spec.sessionId === undefined) return problem;
  return headerProblem("mcp-session-id", spec.sessionId);
}

function openLink(spec: HttpSpec, runtime: HttpRuntime, inbound: Inbound): Link {
  const sender = senderOf(spec, runtime);
  const given = Object.entries(spec.headers ?? {});
  const abandoned = (pending: Pending, reason: string): void => abandon(link, pending, reason);
  const link: Link = {
    sender,
    exchange: createExchange({
      inbound,
      redact: sender.secrets.redact,
      abandoned,
      clues: () => (link.junkEvents === 0 ? undefined : `${link.junkEvents} event(s) without JSON`),
    }),
    settings: {
      maxMessageBytes: messageLimit(spec),
      ownsSession: spec.ownsSession ?? true,
      deleteTimeoutMs: spec.deleteTimeoutMs ?? DELETE_MS,
      reconnect: reconnectPolicy(spec.reconnect),
    },
    headers: callerHeaders(given.filter(([name]) => !isOwnedHeader(name))),
    lastPost: null,
    session: { id: null, offered: null, lastEventId: null, protocolVersion: undefined },
    flights: createIdTable(),
    lingering: new Map(),
    noted: new Set(),
    junkEvents: 0,
    asides: new Map(),
    listening: null,
  };
  if (spec.sessionId !== undefined) adoptSession(link, spec.sessionId);
  for (const [name] of given) {
    if (isOwnedHeader(name)) noteOn(link, "owned-header", `header ${name} belongs to the protocol`);
  }
  return link;
}

function transportOver(link: Link): Transport {
  const { exchange } = link;
  let resolveClosed: (details: CloseDetails) => void = () => undefined;
  const closed = new Promise<CloseDetails>((resolve) => {
    resolveClosed = resolve;
  });
  let closing: Promise<void> | null = null;
  return {
    kind: "http",
    rpc: (method, params, options) => rpc(link, { method, params, options }),
    notify: (method, params, options = {}) => {
      if (exchange.ended !== null) return Promise.resolve(err(exchange.ended));
      return postNotification(link, notificationMessage(method, params), options);
    },
    close: (options) => {
      closing ??= closeLink(link, options?.hurry === true).then(() =>
        resolveClosed({ failure: null, exitCode: null, signal: null, stderr: [] }),
      );
      return closing;
    },
    listen: (options = {}) => {
      if (exchange.ended !== null || !isLegacy(options)) {
        options.onOpened?.();
        return () => undefined;
      }
      return listenOn(link, options);
    },
    cancel: (id, reason) => cancelRequest(exchange, id, reason),
    session: () => ({ sessionId: link.session.id, lastEventId: link.session.lastEventId }),
    closed,
  };
}

interface Call {
  readonly method: string;
  readonly params: JsonObject | undefined;
  readonly options: RpcOptions;
}

function rpc(link: Link, call: Call): Promise<Result<JsonObject>> {
  const begins = call.method === "initialize" && isLegacy(call.options);
  const result = exchangeRpc(link.exchange, call, (message, pending) =>
    postRequest(link, message, pending),
  );
  return begins ? result.then((answer) => begun(link, answer)) : result;
}

/** A session begins with the successful answer to `initialize`, before its caller sees it. */
function begun(link: Link, answer: Result<JsonObject>): Result<JsonObject> {
  if (answer.ok) adoptSession(link, link.session.offered);
  return answer;
}

/** The server is told in the initialize era; in the modern one the closed stream tells it. */
function abandon(link: Link, pending: Pending, reason: string): void {
  const life = link.flights.get(pending.id)?.life;
  if (life === undefined) return;
  const { options, method, wireId } = pending;
  if (!isLegacy(options) || NEVER_CANCELLED.has(method) || !life.isSent) return life.end();
  const message = notificationMessage("notifications/cancelled", { requestId: wireId, reason });
  const { protocolVersion } = options;
  const own = protocolVersion === undefined ? {} : { protocolVersion };
  void postAside(link, message, { options: own, maxMs: CANCEL_MS }).then(life.end);
}

/** What is on its way beside (a cancellation, a reply) may arrive while the session is ended. */
async function closeLink(link: Link, isHurried: boolean): Promise<void> {
  endExchange(link.exchange, { tag: "closed", by: "client" });
  link.listening?.end();
  for (const { life } of link.flights.values()) life.end();
  endLingering(link);
  const ending = createLife();
  const giveUp = (): void => {
    for (const life of [ending, ...link.asides.keys()]) life.end();
  };
  const maxMs = isHurried ? HURRIED_DELETE_MS : link.settings.deleteTimeoutMs;
  const timer = setTimeout(giveUp, maxMs);
  await Promise.all([endSession(link, ending), ...link.asides.values()]);
  clearTimeout(timer);
  await link.sender.runtime.sockets.destroy();
}

async function endSession(link: Link, life: Life): Promise<void> {
  if (link.session.id === null || !link.settings.ownsSession) return;
  const headers = endHeaders(link);
  const outgoing = { verb: "DELETE", headers, body: null, operation: "end session", life } as const;
  const sent = await send(link.sender, outgoing);
  if (sent.ok) await discard(sent.value);
}
