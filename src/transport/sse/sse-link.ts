/**
 * The state of one HTTP+SSE connection, and messages on their way to the endpoint.
 */
import { describeFailure } from "../../failure.ts";
import type { Failure } from "../../failure.ts";
import type { JsonObject } from "../../json.ts";
import type { Exchange, Pending } from "../exchange.ts";
import { REFUSAL_BYTES, isSuccess, statusFailure } from "../http/answer.ts";
import { readStart } from "../http/body.ts";
import type { Target } from "../http/dispatch.ts";
import type { HeaderLines } from "../http/headers.ts";
import { bounded, createLife } from "../http/life.ts";
import type { Life } from "../http/life.ts";
import { discard, send } from "../http/sender.ts";
import type { Outgoing, Sender } from "../http/sender.ts";
import type { CloseDetails } from "../transport.ts";

/** One HTTP+SSE connection. */
export interface SseLink {
  readonly sender: Sender;
  readonly exchange: Exchange;
  readonly headers: HeaderLines;
  readonly maxMessageBytes: number;
  /** The stream's. */
  readonly life: Life;
  /** The messages that are out. */
  readonly posts: Set<Life>;
  /** Where messages go; null until the server has said so. */
  endpoint: Target | null;
  readonly closed: Promise<CloseDetails>;
  resolveClosed(details: CloseDetails): void;
  /** Takes the data of a message event. */
  receive(text: string): void;
  /** The stream has ended, and with it the connection. */
  lost(failure: Failure): void;
}

/** How long a message that is no request may take on its way. */
const POST_MS = 10_000;

/** Posts a message; resolves with why that failed, or null. The answer comes on the stream. */
export async function post(
  link: SseLink,
  message: JsonObject,
  context: { readonly pending?: Pending; readonly maxMs?: number },
): Promise<Failure | null> {
  const { pending, maxMs = POST_MS } = context;
  const body = writeJson(message);
  if (body === undefined || link.endpoint === null) {
    return {
      tag: "invalid-argument",
      detail: "the message cannot be written as JSON",
      maybeExecuted: false,
    };
  }
  const life = createLife();
  const outgoing: Outgoing = {
    verb: "POST",
    target: link.endpoint,
    headers: [
      ...link.headers,
      "content-type",
      "application/json",
      "accept",
      "application/json, text/event-stream",
    ],
    body,
    operation: typeof message["method"] === "string" ? message["method"] : "reply",
    life,
    budget: pending?.budget,
  };
  link.posts.add(life);
  const work = deliver(link, outgoing);
  const failure = pending === undefined ? await bounded(life, maxMs, work) : await work;
  link.posts.delete(life);
  if (failure !== null && message["method"] === undefined) {
    link.exchange.hooks.inbound.note?.({ code: "reply-refused", detail: describeFailure(failure) });
  }
  return failure;
}

async function deliver(link: SseLink, outgoing: Outgoing): Promise<Failure | null> {
  const sent = await send(link.sender, outgoing);
  if (!sent.ok) return sent.failure;
  const answer = sent.value;
  if (isSuccess(answer.status)) {
    await discard(answer);
    return null;
  }
  const text = await readStart(answer.body, REFUSAL_BYTES, 1000);
  return statusFailure(answer, text, link.sender.secrets.redact);
}

function writeJson(message: JsonObject): string | undefined {
  try {
    return JSON.stringify(message);
  } catch {
    return undefined;
  }
}
