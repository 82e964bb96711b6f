/**
 * The state of one HTTP connection, and the headers that follow from it.
 */
import type { Pending, Exchange } from "../exchange.ts";
import type { Note, WireOptions } from "../transport.ts";
import {
  ACCEPT_ENCODING,
  headerProblem,
  headerValue,
  headersProblem,
  mergeHeaders,
} from "./headers.ts";
import type { AnswerHeaders, Headers } from "./headers.ts";
import type { Life } from "./life.ts";
import type { ReconnectPolicy } from "./reconnect.ts";
import type { Sender } from "./sender.ts";

/** One HTTP connection. */
export interface Link {
  readonly sender: Sender;
  readonly exchange: Exchange;
  readonly settings: LinkSettings;
  readonly session: Session;
  /** The requests that are out, with their streams. */
  readonly flights: Map<Pending, Life>;
  /** Streams whose answer has arrived and which the server has not ended yet, oldest first. */
  readonly lingering: Set<Life>;
  /** Notifications, replies and cancellations that are out. */
  readonly asides: Map<Life, Promise<unknown>>;
  /** The stream for what belongs to no request. */
  listening: Life | null;
}

/** What the caller decided. */
export interface LinkSettings {
  readonly maxMessageBytes: number;
  readonly ownsSession: boolean;
  readonly deleteTimeoutMs: number;
  readonly reconnect: ReconnectPolicy;
}

/** The session of the initialize era. */
export interface Session {
  id: string | null;
  /** The id that came with the answer to `initialize`, until that is known to be a success. */
  offered: string | null;
  /** The last event id on any stream. */
  lastEventId: string | null;
  /** What was negotiated, as the last message said. */
  protocolVersion: string | undefined;
}

/** Reports what was tolerated or dropped. */
export function noteOn(link: Link, code: string, detail: string): void {
  const note: Note = { code, detail: link.sender.secrets.redact(detail) };
  link.exchange.hooks.inbound.note?.(note);
}

const DEFAULTS: Headers = { "accept-encoding": ACCEPT_ENCODING, "user-agent": "mcp-source" };

/** The caller's headers over the defaults; what belongs to the protocol is not among them. */
export function callerHeaders(given: Iterable<readonly [string, string]>): Headers {
  return mergeHeaders(Object.entries(DEFAULTS), given);
}

const POST_HEADERS: Headers = {
  "content-type": "application/json",
  accept: "application/json, text/event-stream",
};
const GET_HEADERS: Headers = { accept: "text/event-stream" };

/** Whether messages sent with these options belong to the initialize era. */
export function isLegacy(options: WireOptions): boolean {
  return options.era !== "modern";
}

/** The protocol's headers of a POST. */
export function postHeaders(link: Link, options: WireOptions, hasSession: boolean): Headers {
  return { ...POST_HEADERS, ...sessionHeaders(link, options, hasSession) };
}

/** The protocol's headers of a GET that opens or resumes a stream. */
export function streamHeaders(
  link: Link,
  options: WireOptions,
  lastEventId: string | null,
): Headers {
  const resuming = lastEventId === null ? {} : { "last-event-id": lastEventId };
  return { ...GET_HEADERS, ...resuming, ...sessionHeaders(link, options, true) };
}

/** The headers that name the session and the version. */
export function sessionHeaders(link: Link, options: WireOptions, hasSession: boolean): Headers {
  const { session } = link;
  if (options.protocolVersion !== undefined) session.protocolVersion = options.protocolVersion;
  const version = options.protocolVersion;
  const sessionId = hasSession && isLegacy(options) ? session.id : null;
  return {
    ...(options.headers === undefined ? {} : mergeHeaders(Object.entries(options.headers))),
    ...(version === undefined ? {} : { "mcp-protocol-version": version }),
    ...(sessionId === null ? {} : { "mcp-session-id": sessionId }),
  };
}

/** Why a message cannot be sent with these options, or null. */
export function optionsProblem(options: WireOptions): string | null {
  const { headers, protocolVersion } = options;
  if (protocolVersion !== undefined) {
    const problem = headerProblem("mcp-protocol-version", protocolVersion);
    if (problem !== null) return problem;
  }
  return headers === undefined ? null : headersProblem(Object.entries(headers));
}

/** The session id of an answer, or null; one that could not be sent back is none, and a note. */
export function sessionIdOf(link: Link, headers: AnswerHeaders): string | null {
  const id = headerValue(headers, "mcp-session-id");
  if (id === undefined || id === "") return null;
  if (headerProblem("mcp-session-id", id) === null) return id;
  noteOn(link, "session-id-unusable", "the server gave a session id that HTTP cannot carry back");
  return null;
}

/** Begins a session, or goes on without one; the stream of an earlier one ends. */
export function adoptSession(link: Link, id: string | null): void {
  link.listening?.end();
  link.listening = null;
  link.session.id = id;
  link.session.lastEventId = null;
  if (id !== null) link.sender.secrets.learn("mcp-session-id", id);
}
