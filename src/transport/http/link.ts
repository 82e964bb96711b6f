/**
 * The state of one HTTP connection, and the headers that follow from it.
 */
import type { Exchange, Pending } from "../exchange.ts";
import type { IdTable } from "../id-table.ts";
import type { Note, WireOptions } from "../transport.ts";
import {
  ACCEPT_ENCODING,
  headerProblem,
  headerValue,
  headersProblem,
  mergeHeaders,
} from "./headers.ts";
import type { AnswerHeaders, HeaderLines } from "./headers.ts";
import type { Life } from "./life.ts";
import type { ReconnectPolicy } from "./reconnect.ts";
import type { Sender } from "./sender.ts";

/** One HTTP connection. */
export interface Link {
  readonly sender: Sender;
  readonly exchange: Exchange;
  readonly settings: LinkSettings;
  /** The caller's headers over our defaults. */
  readonly headers: HeaderLines;
  /** The headers of the last POST that needed no others: those of the next one too, as a rule. */
  lastPost: LastPost | null;
  readonly session: Session;
  /** The requests that are out, with their streams. */
  readonly flights: IdTable<Flight>;
  /** Streams whose answer has arrived and which the server has not ended yet, oldest first. */
  readonly lingering: Map<Life, NodeJS.Timeout>;
  /** Notifications, replies and cancellations that are out. */
  readonly asides: Map<Life, Promise<unknown>>;
  /** The deviations that were reported. */
  readonly noted: Set<string>;
  /** Events that held no JSON, for the text of a timeout. */
  junkEvents: number;
  /** The stream for what belongs to no request. */
  listening: Life | null;
}

/** A request that is out. */
export interface Flight {
  readonly pending: Pending;
  readonly life: Life;
}

/** Headers, and what they were made from. */
export interface LastPost {
  readonly version: string | undefined;
  readonly sessionId: string | null;
  readonly headers: HeaderLines;
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

/** Reports what was tolerated or dropped, once. */
export function noteOn(link: Link, code: string, detail: string): void {
  const note: Note = { code, detail: link.sender.secrets.redact(detail) };
  const key = `${code} ${note.detail}`;
  if (link.noted.has(key)) return;
  link.noted.add(key);
  link.exchange.hooks.inbound.note?.(note);
}

const DEFAULTS: HeaderLines = ["accept-encoding", ACCEPT_ENCODING, "user-agent", "mcp-source"];

/** The caller's headers over the defaults; what belongs to the protocol is not among them. */
export function callerHeaders(given: Iterable<readonly [string, string]>): HeaderLines {
  return mergeHeaders(DEFAULTS, given);
}

const POST_HEADERS: HeaderLines = [
  "content-type",
  "application/json",
  "accept",
  "application/json, text/event-stream",
];
const GET_HEADERS: HeaderLines = ["accept", "text/event-stream"];

/** Whether messages sent with these options belong to the initialize era. */
export function isLegacy(options: WireOptions): boolean {
  return options.era !== "modern";
}

/** The headers of a POST. */
export function postHeaders(
  link: Link,
  options: WireOptions,
  sessionId: string | null,
): HeaderLines {
  const { protocolVersion: version, headers } = options;
  const last = link.lastPost;
  if (headers === undefined && last?.version === version && last?.sessionId === sessionId) {
    return last.headers;
  }
  const built = [...link.headers, ...POST_HEADERS, ...sessionHeaders(link, version, sessionId)];
  if (headers !== undefined) return mergeHeaders(built, Object.entries(headers));
  link.lastPost = { version, sessionId, headers: built };
  return built;
}

/** The headers of a GET that opens or resumes a stream. */
export function streamHeaders(
  link: Link,
  version: string | undefined,
  lastEventId: string | null,
): HeaderLines {
  const resuming = lastEventId === null ? [] : ["last-event-id", lastEventId];
  const session = sessionHeaders(link, version, link.session.id);
  return [...link.headers, ...GET_HEADERS, ...resuming, ...session];
}

/** The headers of the DELETE that ends the session. */
export function endHeaders(link: Link): HeaderLines {
  const { id, protocolVersion } = link.session;
  return [...link.headers, ...sessionHeaders(link, protocolVersion, id)];
}

function sessionHeaders(
  link: Link,
  version: string | undefined,
  sessionId: string | null,
): HeaderLines {
  if (version !== undefined) link.session.protocolVersion = version;
  return [
    ...(version === undefined ? [] : ["mcp-protocol-version", version]),
    ...(sessionId === null ? [] : ["mcp-session-id", sessionId]),
  ];
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
