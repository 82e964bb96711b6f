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
import type { Dispatcher } from "undici";
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
import { noRedaction } from "../redact.ts";
import type {
  CloseDetails,
  Inbound,
  OpenTransport,
  Redact,
  RpcOptions,
  Transport,
} from "../transport.ts";
import type { Authorize } from "./authorize.ts";
import { targetOf } from "./dispatch.ts";
import { headersProblem, isOwnedHeader } from "./headers.ts";
import { createLife } from "./life.ts";
import type { Life } from "./life.ts";
import { adoptSession, callerHeaders, isLegacy, endHeaders, noteOn } from "./link.ts";
import type { Link } from "./link.ts";
import { postNotification, postRequest } from "./post.ts";
import { reconnectPolicy } from "./reconnect.ts";
import type { Reconnect } from "./reconnect.ts";
import { loadRuntime } from "./runtime.ts";
import type { HttpRuntime } from "./runtime.ts";
import { createSecrets } from "./secrets.ts";
import { discard, send } from "./sender.ts";
import { listenOn } from "./listen.ts";
import { endLingering } from "./linger.ts";

/** A server reached over HTTP. */
export interface HttpSpec {
  /** The absolute http or https address of the MCP endpoint. */
  readonly url: string;
  /** Headers of every request; those of the protocol itself cannot be replaced. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Takes the secrets out of what the server says. */
  readonly redact?: Redact;
  /** The largest message in bytes, after decoding; default 128 MiB. */
  readonly maxMessageBytes?: number;
  /** An undici dispatcher of the caller's, for TLS options, proxies or tests; never closed here. */
  readonly dispatcher?: Dispatcher;
  /** Whether closing ends the session at the server too; default true. */
  readonly ownsSession?: boolean;
  /** A session known from before, to go on with. */
  readonly sessionId?: string;
  readonly reconnect?: Reconnect;
  /** Gives the credentials; not asked when `headers` has an `Authorization`. */
  readonly authorize?: Authorize;
  /** How long ending the session may take, in milliseconds; default 2000. */
  readonly deleteTimeoutMs?: number;
}

const MAX_MESSAGE_BYTES = 128 * 1024 * 1024;
/** No text can be longer in this runtime. */
const LONGEST_TEXT = 2 ** 29 - 25;
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
  return async (inbound, { signal }) => {
    const problem = specProblem(spec);
    if (problem !== null) return err({ tag: "config", detail: problem });
    const runtime = await loadRuntime(spec.dispatcher);
    if (!runtime.ok) return runtime;
    if (signal?.aborted === true) {
      await destroyOwn(runtime.value);
      return err({ tag: "cancelled" });
    }
    return ok(transportOver(openLink(spec, runtime.value, inbound)));
  };
}

function specProblem(spec: HttpSpec): string | null {
  const url = URL.canParse(spec.url) ? new URL(spec.url) : null;
  if (url === null || (url.protocol !== "http:" && url.protocol !== "https:")) {
    return "url is not an absolute http or https address";
  }
  if (url.username !== "" || url.password !== "") {
    return "url holds a user name or password; put an Authorization header into headers";
  }
  const own = spec.sessionId === undefined ? [] : [["mcp-session-id", spec.sessionId] as const];
  return headersProblem([...Object.entries(spec.headers ?? {}), ...own]);
}

function openLink(spec: HttpSpec, runtime: HttpRuntime, inbound: Inbound): Link {
  const secrets = createSecrets(spec.redact ?? noRedaction);
  const given = Object.entries(spec.headers ?? {});
  const headers = callerHeaders(given.filter(([name]) => !isOwnedHeader(name)));
  const hasOwnCredentials = given.some(([name]) => name.toLowerCase() === "authorization");
  const abandoned = (pending: Pending, reason: string): void => abandon(link, pending, reason);
  const link: Link = {
    sender: {
      runtime,
      target: targetOf(new URL(spec.url)),
      authorize: hasOwnCredentials ? undefined : spec.authorize,
      secrets,
    },
    exchange: createExchange({
      inbound,
      redact: secrets.redact,
      abandoned,
      clues: () => (link.junkEvents === 0 ? undefined : `${link.junkEvents} event(s) without JSON`),
    }),
    settings: {
      maxMessageBytes: Math.min(spec.maxMessageBytes ?? MAX_MESSAGE_BYTES, LONGEST_TEXT),
      ownsSession: spec.ownsSession ?? true,
      deleteTimeoutMs: spec.deleteTimeoutMs ?? DELETE_MS,
      reconnect: reconnectPolicy(spec.reconnect),
    },
    headers,
    lastPost: null,
    session: { id: null, offered: null, lastEventId: null, protocolVersion: undefined },
    flights: createIdTable(),
    lingering: new Map(),
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
  void postNotification(link, message, own, CANCEL_MS).then(life.end);
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
  await destroyOwn(link.sender.runtime);
}

async function endSession(link: Link, life: Life): Promise<void> {
  if (link.session.id === null || !link.settings.ownsSession) return;
  const headers = endHeaders(link);
  const outgoing = { verb: "DELETE", headers, body: null, operation: "end session", life } as const;
  const sent = await send(link.sender, outgoing);
  if (sent.ok) await discard(sent.value);
}

async function destroyOwn(runtime: HttpRuntime): Promise<void> {
  if (!runtime.ownsDispatcher) return;
  try {
    await runtime.dispatcher.destroy();
  } catch {
    // It can only say that it is destroyed already.
  }
}
