/**
 * What the head of an HTTP answer means: pure decisions over status, headers and the body's start.
 */
import type { Failure, HttpStatusFailure } from "../../failure.ts";
import { parseJson } from "../../json.ts";
import { readMessage } from "../../protocol/messages.ts";
import type { IncomingResponse } from "../../protocol/messages.ts";
import type { Redact } from "../../redact.ts";

import type { WireAnswer } from "./dispatch.ts";
import { headerValue, headerValues } from "./headers.ts";
import type { AnswerHeaders } from "./headers.ts";

/** How the body of a 2xx answer is to be read. */
export type AnswerForm = "json" | "events" | "untyped" | "foreign";

/** Decided for each answer anew, by its media type alone: without case, parameters ignored. */
export function answerForm(headers: AnswerHeaders): AnswerForm {
  switch (mediaType(headers)) {
    case "application/json":
      return "json";
    case "text/event-stream":
      return "events";
    case "":
      return "untyped";
    default:
      return "foreign";
  }
}

/** The media type of an answer in lower case; empty when it names none. */
export function mediaType(headers: AnswerHeaders): string {
  const type = headerValue(headers, "content-type") ?? "";
  const end = type.indexOf(";");
  return (end === -1 ? type : type.slice(0, end)).trim().toLowerCase();
}

/** Whether a status says that the request was taken. */
export function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}

/** How much of the body of a refusal is read, in search of a JSON-RPC error. */
export const REFUSAL_BYTES: number = 64 * 1024;

/**
 * The JSON-RPC error in the body of an answer that is not 2xx, or null.
 *
 * Authorization is never an RPC matter, so 401 and 403 hold none. The body must say `jsonrpc`:
 * gateways have errors of their own that look alike. Its id does not matter: there was one request.
 */
export function rpcErrorIn(status: number, body: string): IncomingResponse | null {
  if (status === 401 || status === 403) return null;
  const parsed = parseJson(body);
  if (parsed === undefined) return null;
  const value = parsed.value;
  if (typeof value !== "object" || value === null || !("jsonrpc" in value)) return null;
  const message = readMessage(value);
  return message.kind === "response" && message.answer.kind === "error" ? message : null;
}

/** The failure for an answer that is not 2xx and holds no JSON-RPC error. */
export function statusFailure(
  answer: Pick<WireAnswer, "url" | "status" | "headers">,
  body: string,
  redact: Redact,
): HttpStatusFailure {
  const { status, headers } = answer;
  const location = redirectsTo(answer);
  const retryAfterMs = retryAfter(headers);
  const challenge = headerValues(headers, "www-authenticate").join(", ");
  return {
    tag: "http-status",
    status,
    body: firstKiB(redact(body)),
    ...(location === undefined ? {} : { location: redact(location) }),
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    ...(challenge === "" ? {} : { challenge: redact(challenge) }),
  };
}

/** Where a redirect points to, as an absolute address where it is one. */
function redirectsTo(answer: Pick<WireAnswer, "url" | "status" | "headers">): string | undefined {
  if (answer.status < 300 || answer.status > 399) return undefined;
  const location = headerValue(answer.headers, "location");
  if (location === undefined || !URL.canParse(location, answer.url)) return location;
  return new URL(location, answer.url).href;
}

function firstKiB(text: string): string {
  const bytes = new TextEncoder().encode(text).subarray(0, 1024);
  return new TextDecoder().decode(bytes, { stream: true });
}

const HTTP_DATE = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;

/**
 * `Retry-After` in milliseconds, or undefined when it says nothing usable.
 *
 * Seconds are ASCII digits only. A date counts from the answer's own `Date`, never from our clock.
 */
export function retryAfter(headers: AnswerHeaders): number | undefined {
  const value = headerValue(headers, "retry-after")?.trim() ?? "";
  if (/^[0-9]{1,9}$/.test(value)) return Number(value) * 1000;
  const date = headerValue(headers, "date")?.trim() ?? "";
  if (!HTTP_DATE.test(value) || !HTTP_DATE.test(date)) return undefined;
  const delay = Date.parse(value) - Date.parse(date);
  return Number.isNaN(delay) ? undefined : Math.max(0, delay);
}

/** What to do with the answer to a GET that asks for a stream. */
export type StreamVerdict = "read" | "again" | "refused";

/** A stream is read, a server in trouble is asked again later, everything else is a refusal. */
export function streamVerdict(status: number, headers: AnswerHeaders): StreamVerdict {
  if (status === 200 && answerForm(headers) === "events") return "read";
  return status >= 500 || status === 408 || status === 429 ? "again" : "refused";
}

/** The failure for a 2xx answer whose content type is none of ours. */
export function foreignForm(headers: AnswerHeaders, redact: Redact): Failure {
  const type = redact(mediaType(headers));
  return { tag: "malformed-body", detail: `content type ${type} instead of JSON or events` };
}
