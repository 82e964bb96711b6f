/**
 * The event stream of an HTTP+SSE connection: the endpoint first, then messages.
 */
import type { Failure } from "../../failure.ts";
import {
  REFUSAL_BYTES,
  answerForm,
  foreignForm,
  isSuccess,
  statusFailure,
} from "../http/answer.ts";
import { readStart } from "../http/body.ts";
import { decodedBody } from "../http/decode.ts";
import { targetOf } from "../http/dispatch.ts";
import type { WireAnswer } from "../http/dispatch.ts";
import { readEvents } from "../http/event-reader.ts";
import { headerValue } from "../http/headers.ts";
import { send } from "../http/sender.ts";
import { STREAM_ENDED, unknownCoding } from "../http/stream.ts";
import type { SseLink } from "./sse-link.ts";

/** GETs the stream and waits for its endpoint; resolves with why there is none, or null. */
export async function openStream(link: SseLink): Promise<Failure | null> {
  const headers = [...link.headers, "accept", "text/event-stream"];
  const { life, sender } = link;
  const sent = await send(sender, { verb: "GET", headers, body: null, operation: "stream", life });
  if (!sent.ok) return sent.failure;
  const answer = sent.value;
  const { redact } = sender.secrets;
  if (!isSuccess(answer.status)) {
    return statusFailure(answer, await readStart(answer.body, REFUSAL_BYTES, 1000), redact);
  }
  if (answerForm(answer.headers) !== "events") {
    answer.body.drop();
    return foreignForm(answer.headers, redact);
  }
  return readUntilEndpoint(link, answer);
}

/** Goes on reading when the endpoint is there; from then on the stream's end is the connection's. */
function readUntilEndpoint(link: SseLink, answer: WireAnswer): Promise<Failure | null> {
  const { runtime } = link.sender;
  const body = decodedBody(
    answer.body,
    headerValue(answer.headers, "content-encoding"),
    runtime.zlib,
  );
  if (body === undefined) {
    answer.body.drop();
    return Promise.resolve(unknownCoding());
  }
  return new Promise((resolve) => {
    const reading = readEvents(
      body,
      { maxBytes: link.maxMessageBytes, createParser: runtime.createParser },
      {
        retry: () => undefined,
        event: ({ event, data }) => {
          if (event === "endpoint" && link.endpoint === null)
            resolve(takeEndpoint(link, answer.url, data));
          else if ((event === undefined || event === "message") && data !== "") link.receive(data);
          return !link.life.isOver;
        },
      },
    );
    void reading.then((end) => {
      const failure = end ?? STREAM_ENDED;
      resolve(failure);
      if (!link.life.isOver) link.lost(failure);
    });
  });
}

/** Keeps where messages go; an address of another origin would be handed our credentials. */
function takeEndpoint(link: SseLink, base: string, data: string): Failure | null {
  if (!URL.canParse(data, base)) return malformed("the endpoint event holds no address");
  const url = new URL(data, base);
  if (url.origin !== new URL(base).origin) {
    return malformed(
      `the endpoint is on another origin: ${link.sender.secrets.redact(url.origin)}`,
    );
  }
  link.endpoint = targetOf(url);
  return null;
}

function malformed(detail: string): Failure {
  return { tag: "malformed-body", detail };
}
