/**
 * Event streams as carriers of messages: reading one, and resuming a lost one.
 */
import type { Failure } from "../../failure.ts";
import { parseJson } from "../../json.ts";
import type { Json } from "../../json.ts";
import { receive } from "../exchange.ts";
import type { Pending, Via } from "../exchange.ts";
import type { WireOptions } from "../transport.ts";
import { REFUSAL_BYTES, statusFailure, streamVerdict } from "./answer.ts";
import { readStart } from "./body.ts";
import { decodedBody } from "./decode.ts";
import type { WireAnswer } from "./dispatch.ts";
import { readEvents } from "./event-reader.ts";
import type { EventHandler, StreamEnd } from "./event-reader.ts";
import { headerProblem, headerValue } from "./headers.ts";
import { sleep } from "./life.ts";
import type { Life } from "./life.ts";
import { isLegacy, noteOn, streamHeaders } from "./link.ts";
import type { Link } from "./link.ts";
import { linger, lingerAnswered } from "./linger.ts";
import { reconnectDelayMs } from "./reconnect.ts";
import { send } from "./sender.ts";

/** A stream that may be lost and resumed. */
export interface Stream {
  readonly life: Life;
  readonly options: WireOptions;
  readonly via: Via;
  /** The request whose answer ends it; none for a stream that only listens. */
  readonly pending: Pending | null;
  /** For the authorize hook. */
  readonly operation: string;
  readonly cursor: Cursor;
  /** Called when the first GET was answered, or nobody asks any more. */
  readonly onOpened?: (() => void) | undefined;
}

/** Where in a stream we are. */
export interface Cursor {
  lastEventId: string | null;
  /** The server's wish for the wait before reconnecting. */
  retryMs: number | null;
  /** Whether anything came since the last reconnecting. */
  hasProgress: boolean;
}

/** The beginning of a stream. */
export function createCursor(): Cursor {
  return { lastEventId: null, retryMs: null, hasProgress: false };
}

/** The failure for a stream that ended before the answer. */
export const STREAM_ENDED: Failure = { tag: "peer-eof", exitCode: null, signal: null };

/** Reads the events of an answer into the table until the stream ends; null = cleanly. */
export async function readStream(
  link: Link,
  answer: WireAnswer,
  stream: Stream,
): Promise<StreamEnd> {
  const coding = headerValue(answer.headers, "content-encoding");
  const { zlib, createParser } = link.sender.runtime;
  const body = decodedBody(answer.body, coding, zlib);
  if (body === undefined) {
    answer.body.drop();
    return unknownCoding();
  }
  const maxBytes = link.settings.maxMessageBytes;
  const end = await readEvents(body, { maxBytes, createParser }, messageHandler(link, stream));
  if (stream.pending?.settled === true) linger(link, stream.life);
  return end;
}

/** The failure for a body in a coding that was not asked for. */
export function unknownCoding(): Failure {
  return {
    tag: "malformed-body",
    detail: "the body has a content-encoding that was not asked for",
  };
}

function messageHandler(link: Link, stream: Stream): EventHandler {
  const { cursor, pending, life } = stream;
  const isDone = (): boolean => life.isOver || pending?.settled === true;
  return {
    retry: (ms) => {
      cursor.retryMs = ms;
      cursor.hasProgress = true;
    },
    event: ({ event, id, data }) => {
      if (isDone()) return false;
      cursor.hasProgress = true;
      if (id !== undefined) rememberId(link, stream, id);
      if ((event === undefined || event === "message") && data !== "") {
        takeEvent(link, stream, data);
      }
      return !isDone();
    },
  };
}

function takeEvent(link: Link, stream: Stream, data: string): void {
  const parsed = parseJson(data);
  if (parsed !== undefined) return takeMessage(link, parsed.value, stream.via);
  link.junkEvents++;
  noteOn(link, "junk-event", "an event held no JSON");
}

/** Takes a message into the table; an answer may come on another stream than its request's own. */
export function takeMessage(link: Link, message: Json, via: Via): void {
  const { exchange } = link;
  const before = exchange.pending.size;
  receive(exchange, message, via);
  const own = via.pending?.settled === true ? 1 : 0;
  if (before - exchange.pending.size > own) lingerAnswered(link);
}

/** Event ids mean something in the initialize era only: without one there is no resumption. */
function rememberId(link: Link, stream: Stream, id: string): void {
  if (!isLegacy(stream.options)) return;
  const isUsable = id !== "" && headerProblem("last-event-id", id) === null;
  stream.cursor.lastEventId = isUsable ? id : null;
  if (isUsable) link.session.lastEventId = id;
}

/** A stream that stayed open so long was not refused, even if it brought nothing. */
const STEADY_MS = 10_000;

/**
 * GETs a stream until it is done with, again and again where it is lost.
 *
 * Resolves with null when its life or its request is over, else with why it was given up. `attempt`
 * is the number of the first one; 0 = at once, and not counted.
 */
export async function followStream(
  link: Link,
  stream: Stream,
  firstAttempt: number,
): Promise<Failure | null> {
  const { cursor, life } = stream;
  const policy = link.settings.reconnect;
  const isDone = (): boolean => life.isOver || stream.pending?.settled === true;
  let lost: Failure = STREAM_ENDED;
  for (let attempt = firstAttempt; attempt <= policy.maxAttempts; attempt++) {
    if (attempt > 0) await sleep(reconnectDelayMs(attempt, cursor.retryMs, policy), life);
    if (isDone()) return null;
    cursor.hasProgress = false;
    const startedAt = performance.now();
    const round = await readRound(link, stream);
    if (isDone()) return null;
    if (round.kind === "refused") return round.failure;
    const isSteady = round.kind === "ended" && performance.now() - startedAt > STEADY_MS;
    if (cursor.hasProgress || isSteady) attempt = 0;
    lost = round.failure;
  }
  return lost;
}

/** How one GET went: `refused` is final, the others may be tried again. */
interface Round {
  readonly kind: "refused" | "ended" | "unreachable";
  readonly failure: Failure;
}

async function readRound(link: Link, stream: Stream): Promise<Round> {
  const { options, cursor, life, operation } = stream;
  const headers = streamHeaders(link, options.protocolVersion, cursor.lastEventId);
  const sent = await send(link.sender, { verb: "GET", headers, body: null, operation, life });
  if (!sent.ok) {
    const { failure } = sent;
    return { kind: failure.tag === "transport" ? "unreachable" : "refused", failure };
  }
  const answer = sent.value;
  stream.onOpened?.();
  const verdict = streamVerdict(answer.status, answer.headers);
  if (verdict !== "read") {
    const text = await readStart(answer.body, REFUSAL_BYTES, 1000);
    const failure = statusFailure(answer, text, link.sender.secrets.redact);
    return { kind: verdict === "again" ? "unreachable" : "refused", failure };
  }
  const end = await readStream(link, answer, stream);
  if (end === null) return { kind: "ended", failure: STREAM_ENDED };
  return { kind: end.tag === "transport" ? "ended" : "refused", failure: end };
}
