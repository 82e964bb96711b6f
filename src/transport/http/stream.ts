/**
 * Event streams as carriers of messages: reading one, resuming a lost one, listening on a free one.
 */
import { describeFailure } from "../../failure.ts";
import type { Failure } from "../../failure.ts";
import { parseJson } from "../../json.ts";
import { receive } from "../exchange.ts";
import type { Pending, Via } from "../exchange.ts";
import type { ListenOptions, WireOptions } from "../transport.ts";
import { REFUSAL_BYTES, statusFailure, streamVerdict } from "./answer.ts";
import { readStart } from "./body.ts";
import { decodedBody } from "./decode.ts";
import type { WireAnswer } from "./dispatch.ts";
import { readEvents } from "./event-reader.ts";
import type { EventHandler, StreamEnd } from "./event-reader.ts";
import { headerProblem, headerValue } from "./headers.ts";
import { createLife, sleep } from "./life.ts";
import type { Life } from "./life.ts";
import { isLegacy, noteOn, streamHeaders } from "./link.ts";
import type { Link } from "./link.ts";
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
  readonly onOpened?: () => void;
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
      if ((event === undefined || event === "message") && data !== "") take(link, stream, data);
      return !isDone();
    },
  };
}

function take(link: Link, stream: Stream, data: string): void {
  const parsed = parseJson(data);
  if (parsed === undefined) return noteOn(link, "junk-event", "an event held no JSON");
  receive(link.exchange, parsed.value, stream.via);
  if (stream.pending === null) releaseAnswered(link);
}

function rememberId(link: Link, stream: Stream, id: string): void {
  if (!isLegacy(stream.options)) return;
  const isUsable = id !== "" && headerProblem("last-event-id", id) === null;
  stream.cursor.lastEventId = isUsable ? id : null;
  if (isUsable) link.session.lastEventId = id;
}

/** An answer may come on another stream than its request's own, which is done with then. */
function releaseAnswered(link: Link): void {
  for (const { pending, life } of link.flights.values()) {
    if (pending.settled) linger(link, life);
  }
}

/** How long a stream may stay open after its answer before its socket is given up. */
const LINGER_MS = 250;

/** Lets a stream end by itself, so that its socket can be used again, but not for long. */
function linger(link: Link, life: Life): void {
  if (life.onEnd === null || link.lingering.has(life)) return;
  link.lingering.add(life);
  const stop = (): void => {
    link.lingering.delete(life);
    life.end();
  };
  setTimeout(stop, LINGER_MS).unref();
}

/**
 * Frees the sockets of streams that stay open after their answer: with calls one after another
 * there are never more than the newest of them and the one that carries the next call.
 */
export function trimLingering(link: Link): void {
  if (link.lingering.size === 0 || link.exchange.pending.size > 1) return;
  const open = [...link.lingering].filter((life) => life.onEnd !== null);
  for (const life of open.slice(0, -1)) life.end();
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

/**
 * Opens the stream for what belongs to no request, and gives the function that ends it.
 *
 * A server that has none says so with 405 or otherwise: a note, never a failure.
 */
export function listenOn(link: Link, options: ListenOptions, reply: Via["reply"]): () => void {
  link.listening?.end();
  const life = createLife();
  link.listening = life;
  const stream: Stream = {
    life,
    options,
    via: { reply },
    pending: null,
    operation: "stream",
    cursor: createCursor(),
    ...(options.onOpened === undefined ? {} : { onOpened: options.onOpened }),
  };
  void followStream(link, stream, 0).then((failure) => {
    options.onOpened?.();
    if (link.listening === life) link.listening = null;
    if (failure !== null) noteOn(link, "no-stream", describeFailure(failure));
  });
  return life.end;
}
