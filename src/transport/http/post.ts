/**
 * Messages on their way out: a request with its answer, and what is sent beside.
 */
import { describeFailure, err, ok } from "../../failure.ts";
import type { Failure, Result } from "../../failure.ts";
import { isObject, parseJson } from "../../json.ts";
import type { JsonObject } from "../../json.ts";
import { METHOD_NOT_FOUND } from "../../protocol/messages.ts";
import type { IncomingResponse } from "../../protocol/messages.ts";
import { readResult } from "../exchange.ts";
import type { Budget } from "../budget.ts";
import type { Pending, Via } from "../exchange.ts";
import { onAbort } from "../on-abort.ts";
import type { WireOptions } from "../transport.ts";
import {
  REFUSAL_BYTES,
  answerForm,
  foreignForm,
  isSuccess,
  rpcErrorIn,
  statusFailure,
} from "./answer.ts";
import type { AnswerForm } from "./answer.ts";
import { readStart, readText } from "./body.ts";
import { decodedBody } from "./decode.ts";
import type { WireAnswer } from "./dispatch.ts";
import { headerValue } from "./headers.ts";
import { bounded, createLife } from "./life.ts";
import type { Life } from "./life.ts";
import { isLegacy, noteOn, optionsProblem, postHeaders, sessionIdOf } from "./link.ts";
import type { Flight, Link } from "./link.ts";
import { trimLingering } from "./linger.ts";
import { discard, send } from "./sender.ts";
import type { Outgoing } from "./sender.ts";
import {
  STREAM_ENDED,
  createCursor,
  followStream,
  readStream,
  takeMessage,
  unknownCoding,
} from "./stream.ts";
import type { Stream } from "./stream.ts";

/** A request that is out, and what its answer is judged by. */
interface Asked extends Flight {
  readonly link: Link;
  readonly via: Via;
  /** The session id it was sent with. */
  readonly sessionId: string | null;
}

/** Posts a request and reads its answer into the table; resolves with why that failed, or null. */
export async function postRequest(
  link: Link,
  message: JsonObject,
  pending: Pending,
): Promise<Failure | null> {
  const life = createLife();
  const { options, method } = pending;
  const sessionId = method === "initialize" ? null : sessionIdFor(link, options);
  const { budget } = pending;
  const outgoing = outgoingPost(link, message, { options, life, sessionId, budget });
  if (!outgoing.ok) return outgoing.failure;
  trimLingering(link);

  const reply = (answer: JsonObject): void => postReply(link, answer, options);
  const asked: Asked = { link, pending, life, via: { pending, reply }, sessionId };
  link.flights.set(pending.id, asked);
  const sent = await send(link.sender, outgoing.value);
  const failure = sent.ok ? await readAnswer(asked, sent.value) : sent.failure;
  link.flights.delete(pending.id);
  return failure;
}

interface PostContext {
  readonly options: WireOptions;
  readonly life: Life;
  readonly sessionId: string | null;
  readonly budget?: Budget;
}

/** The session that a message belongs to. */
function sessionIdFor(link: Link, options: WireOptions): string | null {
  return isLegacy(options) ? link.session.id : null;
}

function outgoingPost(link: Link, message: JsonObject, context: PostContext): Result<Outgoing> {
  const { options, life, sessionId, budget } = context;
  const body = writeJson(message);
  const problem =
    body === undefined ? "the message cannot be written as JSON" : optionsProblem(options);
  if (body === undefined || problem !== null) {
    return err({ tag: "invalid-argument", detail: problem ?? "", maybeExecuted: false });
  }
  const headers = postHeaders(link, options, sessionId);
  return ok({ verb: "POST", headers, body, operation: operationOf(message), life, budget });
}

function writeJson(message: JsonObject): string | undefined {
  try {
    return JSON.stringify(message);
  } catch {
    return undefined;
  }
}

/** What a message does, in words for the authorize hook: its method, and what it is about. */
function operationOf(message: JsonObject): string {
  const { method, params } = message;
  if (typeof method !== "string") return "reply";
  const subject = isObject(params) ? (params["name"] ?? params["uri"]) : undefined;
  return typeof subject === "string" ? `${method} ${subject}` : method;
}

async function readAnswer(asked: Asked, answer: WireAnswer): Promise<Failure | null> {
  const { link, pending } = asked;
  if (!isSuccess(answer.status)) return readRefusal(asked, answer);
  if (pending.method === "initialize" && isLegacy(pending.options)) {
    link.session.offered = sessionIdOf(link, answer.headers);
  }
  const form = answerForm(answer.headers);
  switch (form) {
    case "events":
      return readEventAnswer(asked, answer);
    case "json":
    case "untyped":
      return readJsonAnswer(asked, answer, form);
    case "foreign":
      answer.body.drop();
      return foreignForm(answer.headers, link.sender.secrets.redact);
  }
}

async function readJsonAnswer(
  asked: Asked,
  answer: WireAnswer,
  form: AnswerForm,
): Promise<Failure | null> {
  const { link, pending } = asked;
  const coding = headerValue(answer.headers, "content-encoding");
  const body = decodedBody(answer.body, coding, link.sender.runtime.zlib);
  if (body === undefined) {
    answer.body.drop();
    return unknownCoding();
  }
  const text = await readText(body, link.settings.maxMessageBytes);
  if (!text.ok) return text.failure;
  if (text.value.trim() === "") return malformed(`empty body (HTTP ${answer.status})`);
  const parsed = parseJson(text.value);
  if (parsed === undefined) return malformed("not JSON");
  if (form === "untyped") noteOn(link, "no-content-type", "the server sent JSON without saying so");
  takeMessage(link, parsed.value, asked.via);
  return pending.settled ? null : malformed("the body holds no answer to this request");
}

function malformed(detail: string): Failure {
  return { tag: "malformed-body", detail };
}

async function readEventAnswer(asked: Asked, answer: WireAnswer): Promise<Failure | null> {
  const { link, pending, life, via } = asked;
  const { options } = pending;
  const cursor = createCursor();
  const stream: Stream = { life, options, via, pending, operation: "stream", cursor };
  const end = await readStream(link, answer, stream);
  if (pending.settled) return null;
  if (end !== null && end.tag !== "transport") return end;
  const loss = end ?? STREAM_ENDED;
  if (cursor.lastEventId === null) return loss;
  const givenUp = await followStream(link, stream, 1);
  if (givenUp === null) return null;
  noteOn(link, "resumption-failed", describeFailure(givenUp));
  return givenUp.tag === "limit" || givenUp.tag === "malformed-body" ? givenUp : loss;
}

async function readRefusal(asked: Asked, answer: WireAnswer): Promise<Failure> {
  const { link, pending, sessionId } = asked;
  const { redact } = link.sender.secrets;
  const coding = headerValue(answer.headers, "content-encoding");
  const body = decodedBody(answer.body, coding, link.sender.runtime.zlib) ?? answer.body;
  const text = await readStart(body, REFUSAL_BYTES, 1000);
  const { status } = answer;
  const error = rpcErrorIn(status, text);
  if (status === 404 && sessionId !== null && !isUnknownMethod(error, pending)) {
    return { ...statusFailure(answer, text, redact), sessionExpired: true };
  }
  const said = error === null ? null : readResult(error.answer, redact);
  if (said?.ok === false && said.failure.tag === "rpc-error") return { ...said.failure, status };
  return statusFailure(answer, text, redact);
}

/** The one 404 that is about the method, not about the session: it names our request. */
function isUnknownMethod(error: IncomingResponse | null, pending: Pending): boolean {
  return (
    error?.id === pending.wireId &&
    error.answer.kind === "error" &&
    error.answer.code === METHOD_NOT_FOUND
  );
}

/** How long an answer to something that is no request is waited for. */
const ASIDE_MS = 10_000;
/** How long a notification waits for it: by then it is handed over. */
const PATIENCE_MS = 1000;

/** Posts a notification; any 2xx takes it, whatever its body, and so does a server that is slow. */
export async function postNotification(
  link: Link,
  message: JsonObject,
  options: WireOptions,
): Promise<Result<void>> {
  const life = createLife();
  const work = postAside(link, message, { options, life, maxMs: ASIDE_MS });
  const isSlow = await isSlower(work, PATIENCE_MS);
  if (isSlow && life.isSent) {
    noteOn(link, "slow-notification", "the server has not answered a notification");
    return ok(undefined);
  }
  const failure = await work;
  return failure === null ? ok(undefined) : err(failure);
}

function isSlower(work: Promise<unknown>, ms: number): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(true), ms);
    void work.then(() => {
      clearTimeout(timer);
      resolve(false);
    });
  });
}

/** Posts the answer to a request of the server, on a POST of its own; the modern era has neither. */
export function postReply(link: Link, message: JsonObject, options: WireOptions): void {
  if (!isLegacy(options)) {
    return noteOn(
      link,
      "reply-not-sent",
      "the server asked something, which this era does not allow",
    );
  }
  const { protocolVersion } = options;
  const own = protocolVersion === undefined ? {} : { protocolVersion };
  void postAside(link, message, { options: own, maxMs: ASIDE_MS }).then((failure) => {
    if (failure !== null) noteOn(link, "reply-refused", describeFailure(failure));
  });
}

/** Posts a message that is no request; resolves with why it was not taken, or null. */
export async function postAside(
  link: Link,
  message: JsonObject,
  context: { readonly options: WireOptions; readonly maxMs: number; readonly life?: Life },
): Promise<Failure | null> {
  const { options, maxMs, life = createLife() } = context;
  const sessionId = sessionIdFor(link, options);
  const outgoing = outgoingPost(link, message, { options, life, sessionId });
  if (!outgoing.ok) return outgoing.failure;
  const { signal } = options;
  if (signal?.aborted === true) return { tag: "cancelled" };
  let givenUp: Failure = { tag: "timeout", timeoutMs: maxMs };
  const stopWaiting = onAbort(signal, () => {
    givenUp = { tag: "cancelled" };
    life.end();
  });
  const work = bounded(life, maxMs, deliver(link, outgoing.value, sessionId));
  link.asides.set(life, work);
  const failure = await work;
  link.asides.delete(life);
  stopWaiting();
  if (!life.isOver || failure === null) return failure;
  return link.exchange.ended ?? givenUp;
}

/** What is answered to a notification or a reply does not matter; the socket does. */
async function deliver(
  link: Link,
  outgoing: Outgoing,
  sessionId: string | null,
): Promise<Failure | null> {
  const sent = await send(link.sender, outgoing);
  if (!sent.ok) return sent.failure;
  const answer = sent.value;
  if (isSuccess(answer.status)) {
    if (answerForm(answer.headers) === "events") answer.body.drop();
    else await discard(answer);
    return null;
  }
  const text = await readStart(answer.body, REFUSAL_BYTES, 1000);
  const failure = statusFailure(answer, text, link.sender.secrets.redact);
  return answer.status === 404 && sessionId !== null
    ? { ...failure, sessionExpired: true }
    : failure;
}
