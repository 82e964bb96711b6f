/**
 * What a server may ask of this client, whichever way it asks: as a request of its own, as an input
 * request of an answer, or as one of a task.
 */
import { err, ok } from "../failure.ts";
import type { Result } from "../failure.ts";
import { isObject } from "../json.ts";
import type { Json, JsonObject } from "../json.ts";
import { linkedAbort } from "../transport/on-abort.ts";
import type { Note } from "../transport/transport.ts";
import { elicit } from "./elicitation.ts";
import type { ConnectOptions } from "./records.ts";
import type { Session } from "./session.ts";

/** One question, with the signal that fires when its answer is no longer wanted. */
export interface Question {
  readonly server: string;
  readonly method: string;
  readonly params: JsonObject;
  readonly signal: AbortSignal;
  readonly note?: (note: Note) => void;
}

/**
 * The answer to one question.
 *
 * `unsupported` when the caller gave no handler for it, `cancelled` when the handler refused.
 */
export async function answerQuestion(
  options: ConnectOptions,
  question: Question,
): Promise<Result<JsonObject>> {
  const { method, params, server, signal, note } = question;
  const { waitFor, onSample, onRoots } = options;
  if (method === "elicitation/create" && waitFor !== undefined) {
    const onMismatch = (detail: string): void => note?.({ code: "elicitation-mismatch", detail });
    const detail = "waitFor threw; what the server asked was cancelled";
    const onThrow = (): void => note?.({ code: "handler-threw", detail });
    return ok(await elicit(waitFor, params, { server, signal, onMismatch, onThrow }));
  }
  if (method === "sampling/createMessage" && onSample !== undefined) {
    return handled(() => onSample(params, { server, signal }));
  }
  if (method === "roots/list" && onRoots !== undefined) {
    return handled(async () => ({ roots: await onRoots({ server, signal }) }));
  }
  return err({ tag: "unsupported", detail: `nobody here answers ${method}` });
}

/** What a caller's handler gives; one that throws refuses. */
async function handled(handler: () => Json | Promise<Json>): Promise<Result<JsonObject>> {
  try {
    const answer = await handler();
    return isObject(answer) ? ok(answer) : err({ tag: "cancelled" });
  } catch {
    return err({ tag: "cancelled" });
  }
}

/**
 * The responses to a map of input requests, all asked at once, under the same keys.
 *
 * The first that cannot be answered fails the whole; the signals of the others fire, and they are
 * waited for.
 */
export async function resolveInputRequests(
  session: Session,
  requests: JsonObject,
  options: { readonly signal?: AbortSignal } = {},
): Promise<Result<JsonObject>> {
  const stop = linkedAbort(options.signal);
  const answers = await Promise.all(
    Object.entries(requests).map(async ([key, request]) => {
      const answer = await answerInputRequest(session, key, request, stop.signal);
      if (!answer.ok) stop.abort();
      return [key, answer] as const;
    }),
  );
  stop.release();
  if (options.signal?.aborted === true) return err({ tag: "cancelled", maybeExecuted: true });
  const refused = answers.find(([, answer]) => !answer.ok)?.[1];
  if (refused !== undefined && !refused.ok) return refused;
  return ok(
    Object.fromEntries(
      answers.flatMap(([key, answer]) => (answer.ok ? [[key, answer.value]] : [])),
    ),
  );
}

async function answerInputRequest(
  session: Session,
  key: string,
  request: Json | undefined,
  signal: AbortSignal,
): Promise<Result<JsonObject>> {
  const method = isObject(request) ? request["method"] : undefined;
  if (!isObject(request) || typeof method !== "string") {
    const detail = `the input request ${JSON.stringify(key)} has no method`;
    return err({ tag: "malformed-body", detail, maybeExecuted: true });
  }
  const params = isObject(request["params"]) ? request["params"] : {};
  const answer = await answerQuestion(session.options, {
    server: session.name,
    method,
    params,
    signal,
    note: (note) => session.inbox.inbound.note?.(note),
  });
  return answer.ok ? answer : err({ ...answer.failure, maybeExecuted: true });
}
