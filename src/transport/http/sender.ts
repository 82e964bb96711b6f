/**
 * Sends one HTTP request of any kind: headers, credentials, redirects, network failures.
 *
 * The common core of POST, GET and DELETE, for every transport that speaks HTTP. What an answer
 * means is decided elsewhere.
 */
import { err, ok } from "../../failure.ts";
import type { Result } from "../../failure.ts";
import type { Budget } from "../budget.ts";
import { MAX_ANSWERS, askAuthorize, refusal } from "./authorize.ts";
import type { Authorize, AuthorizeAnswer, AuthorizeAsk, Refusal } from "../authorize.ts";
import { readStart } from "./body.ts";
import { dispatchOnce, targetOf } from "./dispatch.ts";
import type { Target, Verb, WireAnswer, WireRequest } from "./dispatch.ts";
import { headerValue, mergeHeaders } from "./headers.ts";
import type { HeaderLines } from "./headers.ts";
import type { Life } from "./life.ts";
import { isFailedWrite, networkFailure } from "./network-failure.ts";
import { MAX_REDIRECTS, redirectTarget } from "./redirects.ts";
import type { HttpRuntime } from "./runtime.ts";
import type { Secrets } from "./secrets.ts";

/** What all requests of one connection share. */
export interface Sender {
  readonly runtime: HttpRuntime;
  readonly target: Target;
  readonly authorize: Authorize | undefined;
  readonly secrets: Secrets;
}

/** One request to send. */
export interface Outgoing {
  readonly verb: Verb;
  /** Another address than the connection's own. */
  readonly target?: Target;
  /** All of them but the credentials, checked. */
  readonly headers: HeaderLines;
  readonly body: string | null;
  /** For the authorize hook. */
  readonly operation: string;
  readonly life: Life;
  /** The clock that stands still while the hook waits for a person. */
  readonly budget?: Budget | undefined;
}

/** How long and how much of an unwanted body is read, to keep its socket. */
const UNWANTED_BYTES = 64 * 1024;
const UNWANTED_MS = 1000;

/** Reads an unwanted body to its end when that is near; otherwise gives up its socket. */
export async function discard(answer: WireAnswer): Promise<void> {
  await readStart(answer.body, UNWANTED_BYTES, UNWANTED_MS);
}

/**
 * Sends a request and gives the head of its answer, whatever its status.
 *
 * Redirects are followed as far as the rules allow; one that is not followed is the answer.
 */
export async function send(sender: Sender, outgoing: Outgoing): Promise<Result<WireAnswer>> {
  let target = outgoing.target ?? sender.target;
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
    const sent = await sendTo(sender, outgoing, target);
    if (!sent.ok) return sent;
    const { status, headers } = sent.value;
    const next = redirectTarget(status, headerValue(headers, "location"), target.href);
    if (next === null) return sent;
    await discard(sent.value);
    target = targetOf(next);
  }
  const detail = `more than ${MAX_REDIRECTS} redirects`;
  return err({ tag: "transport", reason: "redirect", detail });
}

function sendTo(sender: Sender, outgoing: Outgoing, target: Target): Promise<Result<WireAnswer>> {
  const { verb, headers, body, life } = outgoing;
  const request = { verb, target, headers, body };
  const { authorize } = sender;
  if (authorize === undefined) return sendOnce(sender, request, life);
  return sendAuthorized(sender, authorize, outgoing, request);
}

async function sendAuthorized(
  sender: Sender,
  authorize: Authorize,
  outgoing: Outgoing,
  request: WireRequest,
): Promise<Result<WireAnswer>> {
  const { operation, life } = outgoing;
  let refused: Refusal | undefined;
  for (let attempt = 1; ; attempt++) {
    const ask = { method: request.verb, url: request.target.href, operation, attempt };
    const answer = await askInTime(
      authorize,
      outgoing,
      refused === undefined ? ask : { ...ask, refused },
    );
    if (!answer.ok) return attempt > 1 ? answer : unsent(answer);
    for (const [name, value] of answer.value.headers) sender.secrets.learn(name, value);
    const headers = mergeHeaders(request.headers, answer.value.headers);
    const sent = await sendOnce(sender, { ...request, headers }, life);
    const again = sent.ok ? refusal(sent.value, answer.value.used) : null;
    if (!sent.ok || again === null || attempt === MAX_ANSWERS) return sent;
    await discard(sent.value);
    refused = again;
  }
}

function unsent(answer: Result<never> & { readonly ok: false }): Result<never> {
  return err({ ...answer.failure, maybeExecuted: false });
}

/** The budget stands still while the hook works, then loses what was not waiting for a person. */
async function askInTime(
  authorize: Authorize,
  outgoing: Outgoing,
  ask: Omit<AuthorizeAsk, "deadlineMs">,
): Promise<Result<AuthorizeAnswer>> {
  const { life, budget } = outgoing;
  const abort = new AbortController();
  const givenUp = new Promise<Result<AuthorizeAnswer>>((resolve) => {
    life.onEnd = () => {
      abort.abort();
      resolve(err({ tag: "cancelled" }));
    };
    if (life.isOver) life.onEnd();
  });
  const startedAt = performance.now();
  budget?.pause();
  const deadlineMs = budget?.leftMs() ?? Infinity;
  const asking = askAuthorize(authorize, { ...ask, signal: abort.signal, deadlineMs });
  const answer = await Promise.race([asking, givenUp]);
  life.onEnd = null;
  const waitedMs = answer.ok ? Math.max(0, answer.value.waitedForPersonMs ?? 0) : 0;
  budget?.spend(Math.max(0, performance.now() - startedAt - waitedMs));
  budget?.resume();
  return answer;
}

/** Two idle sockets at most are kept for sequential calls, and the server may have closed both. */
const STALE_SOCKETS = 2;

async function sendOnce(
  sender: Sender,
  request: WireRequest,
  life: Life,
): Promise<Result<WireAnswer>> {
  for (let stale = 0; ; stale++) {
    const sent = await dispatchOnce(sender.runtime.sockets, request, life);
    if (sent.kind === "answer") return ok(sent.answer);
    const { error, isSent } = sent;
    if (stale < STALE_SOCKETS && isFailedWrite(error) && !life.isOver) continue;
    const failure = networkFailure(error, isSent ? "sent" : "unsent");
    const detail = sender.secrets.redact(failure.detail);
    return err({ ...failure, detail, ...(isSent ? {} : { maybeExecuted: false }) });
  }
}
