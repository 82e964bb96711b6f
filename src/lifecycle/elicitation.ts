/**
 * The bridge between a server's questions and the one function that answers them.
 *
 * Pure maps in both directions, and one function that runs the answering. The same bridge serves
 * requests of the initialize era, input requests and tasks.
 *
 * @see https://modelcontextprotocol.io/specification/2025-11-25/client/elicitation
 */
import { isObject } from "../json.ts";
import type { Json, JsonObject } from "../json.ts";
import { METHOD_NOT_FOUND, errorMessage, resultMessage } from "../protocol/messages.ts";
import type { RequestId } from "../protocol/messages.ts";
import { onAbort } from "../transport/on-abort.ts";
import { contentProblem, fillDefaults } from "./elicitation-schema.ts";
import type { Answer, Request, WaitFor } from "./records.ts";

let lastRequestNumber = 0;

/** A new id for a request: `elc-` and a number, unique in this process, free of clocks. */
function newRequestId(): string {
  return `elc-${++lastRequestNumber}`;
}

/**
 * What a person is asked, from the parameters of `elicitation/create`.
 *
 * Mode `url` becomes `authorization` and carries the URL and never a schema; any other mode becomes
 * `input` and carries the requested schema. Members that are not there stay away.
 *
 * @param options - The server that asks; `id` replaces the generated one.
 *
 * @example
 * ```ts
 * import { elicitationToRequest } from "mcp-source";
 * elicitationToRequest({ message: "Your name?" }, { server: "forms", id: "elc-1" });
 * // { id: "elc-1", kind: "input", prompt: "Your name?", server: "forms" }
 * ```
 */
export function elicitationToRequest(
  params: JsonObject,
  options: { readonly server?: string; readonly id?: string } = {},
): Request {
  const { mode, url, message, requestedSchema } = isObject(params) ? params : {};
  const common = {
    id: typeof options?.id === "string" ? options.id : newRequestId(),
    prompt: promptText(message),
    server: typeof options?.server === "string" ? options.server : "",
  };
  if (mode === "url") {
    return { ...common, kind: "authorization", ...(typeof url === "string" ? { url } : {}) };
  }
  return {
    ...common,
    kind: "input",
    ...(isObject(requestedSchema) ? { data: { schema: requestedSchema } } : {}),
  };
}

function promptText(message: Json | undefined): string {
  if (message === undefined || message === null) return "";
  return typeof message === "string" ? message : JSON.stringify(message);
}

/**
 * An answer to a `Request`: a yes with its data, or a no.
 *
 * @example
 * ```ts
 * import { makeAnswer } from "mcp-source";
 * makeAnswer("elc-1", true, { name: "Ada" });
 * ```
 */
export function makeAnswer(id: string, ok: boolean, data?: JsonObject): Answer {
  return { id, ok, ...(data === undefined ? {} : { data }) };
}

/**
 * The result of `elicitation/create` for an answer: `accept` with content, `decline` when the reason
 * is exactly `declined`, else `cancel`.
 */
export function answerToElicitResult(answer: Answer): JsonObject {
  if (!isObject(answer)) return { action: "cancel" };
  if (answer.ok === true) {
    return { action: "accept", content: isObject(answer.data) ? answer.data : {} };
  }
  return { action: answer.reason === "declined" ? "decline" : "cancel" };
}

/**
 * The response to a request of a server; null when the message is no request.
 *
 * `ping` is always answered. `elicitation/create` goes to `waitFor`; one that throws, or whose
 * `signal` fires first, cancels. Every other method, and elicitation without a `waitFor`, is refused
 * with -32601.
 */
export async function serverRequestResponse(
  waitFor: WaitFor | undefined,
  message: JsonObject,
  options: { readonly server?: string; readonly signal?: AbortSignal } = {},
): Promise<JsonObject | null> {
  if (!isObject(message)) return null;
  const { id, method, params } = message;
  if (!isRequestId(id) || typeof method !== "string") return null;
  if (method === "ping") return resultMessage(id, {});
  if (method === "elicitation/create" && typeof waitFor === "function") {
    const asked = isObject(params) ? params : {};
    return resultMessage(id, await elicit(waitFor, asked, isObject(options) ? options : {}));
  }
  return errorMessage(id, METHOD_NOT_FOUND, "Method not found");
}

function isRequestId(id: Json | undefined): id is RequestId {
  return typeof id === "string" || typeof id === "number";
}

/** How a person is asked on behalf of a server. */
export interface ElicitOptions {
  readonly server?: string;
  readonly signal?: AbortSignal;
  /** Takes why an answer could not be sent as it was. */
  readonly onMismatch?: (problem: string) => void;
  /** Called when the resolver threw or rejected, which cancels. */
  readonly onThrow?: () => void;
}

/**
 * Asks the person and gives the result to send; never rejects.
 *
 * Defaults of the requested schema fill what the answer leaves out. An answer that does not fit the
 * schema cancels: a server must not be handed what it did not ask for.
 */
export async function elicit(
  waitFor: WaitFor,
  params: JsonObject,
  options: ElicitOptions,
): Promise<JsonObject> {
  const request = elicitationToRequest(params, options);
  const signal = options.signal ?? new AbortController().signal;
  const answer = await answered(waitFor, request, signal, options.onThrow);
  if (answer === null) return { action: "cancel" };
  const result = answerToElicitResult(answer);
  if (request.kind === "authorization") return { action: result["action"] };
  const schema = request.data?.schema;
  if (schema === undefined || !isObject(result["content"])) return result;
  const content = fillDefaults(schema, result["content"]);
  const problem = contentProblem(schema, content);
  if (problem === null) return { action: result["action"], content };
  options.onMismatch?.(problem);
  return { action: "cancel" };
}

/** The answer, or null when there will be none. */
async function answered(
  waitFor: WaitFor,
  request: Request,
  signal: AbortSignal,
  onThrow: (() => void) | undefined,
): Promise<Answer | null> {
  if (signal.aborted) return null;
  return new Promise((resolve) => {
    const stopWaiting = onAbort(signal, () => resolve(null));
    const settle = (answer: Answer | null): void => {
      stopWaiting();
      resolve(answer);
    };
    void invoke(waitFor, request, signal).then(settle, () => {
      if (!signal.aborted) onThrow?.();
      settle(null);
    });
  });
}

/** Turns a throw of the caller's function into a rejection. */
async function invoke(waitFor: WaitFor, request: Request, signal: AbortSignal): Promise<Answer> {
  return waitFor(request, { signal });
}
