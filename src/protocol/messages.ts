/**
 * JSON-RPC messages as plain data: what to send, and what something received is.
 *
 * Lives here: building, guarding and reading messages. Not here: who is waiting for which id
 * (transport/pending.ts), and what a method means (lifecycle, operations).
 */
import { isObject } from "../json.ts";
import type { Json, JsonObject } from "../json.ts";

/** The id of a JSON-RPC request: a string or an integer. */
export type RequestId = string | number;

/** A request; `params` is absent when there is nothing to say. */
export function requestMessage(
  id: RequestId,
  method: string,
  params: JsonObject | undefined,
): JsonObject {
  return params === undefined
    ? { jsonrpc: "2.0", id, method }
    : { jsonrpc: "2.0", id, method, params };
}

/** A notification; it never carries an id. */
export function notificationMessage(method: string, params: JsonObject | undefined): JsonObject {
  return params === undefined ? { jsonrpc: "2.0", method } : { jsonrpc: "2.0", method, params };
}

/** The answer to a request of the peer. */
export function resultMessage(id: RequestId, result: JsonObject): JsonObject {
  return { jsonrpc: "2.0", id, result };
}

/** The refusal of a request of the peer. */
export function errorMessage(id: RequestId, code: number, message: string): JsonObject {
  return { jsonrpc: "2.0", id, error: { code, message } };
}

/** JSON-RPC's code for a method the receiver does not have. */
export const METHOD_NOT_FOUND = -32601;
/** JSON-RPC's code for parameters the receiver cannot take. */
export const INVALID_PARAMS = -32602;
/** JSON-RPC's code for a fault inside the receiver. */
export const INTERNAL_ERROR = -32603;

/** A message with `method` and `id`: the peer asks something. */
export interface IncomingRequest {
  readonly kind: "request";
  readonly id: RequestId;
  readonly message: JsonObject;
}

/** A message with `method` and no `id`. */
export interface IncomingNotification {
  readonly kind: "notification";
  readonly method: string;
  readonly message: JsonObject;
}

/** A message without `method` that carries an answer; `id` is null when the peer could not read ours. */
export interface IncomingResponse {
  readonly kind: "response";
  readonly id: RequestId | null;
  readonly answer: Answered;
}

/** What an answer says: a result, an error, or something that is neither. */
export type Answered =
  | { readonly kind: "result"; readonly result: JsonObject }
  | {
      readonly kind: "error";
      readonly code: number;
      readonly message: string;
      readonly data?: Json;
    }
  | { readonly kind: "malformed"; readonly detail: string };

/** A JSON value that is no JSON-RPC message. */
export interface IncomingJunk {
  readonly kind: "junk";
  readonly detail: string;
}

/** What a received JSON value is. */
export type Incoming = IncomingRequest | IncomingNotification | IncomingResponse | IncomingJunk;

/**
 * What a received JSON value is, judged by its shape alone.
 *
 * A message with `method` is never an answer, whatever its id. Absence is the only "no id": 0 and
 * "" are ids. A missing `jsonrpc` is tolerated.
 */
export function readMessage(value: Json): Incoming {
  if (!isObject(value)) return { kind: "junk", detail: "not an object" };
  const { id, method } = value;
  if (typeof method === "string") {
    if (id === undefined) return { kind: "notification", method, message: value };
    return isRequestId(id)
      ? { kind: "request", id, message: value }
      : { kind: "junk", detail: "a request whose id is neither a string nor a number" };
  }
  if (!("result" in value) && !("error" in value)) {
    return { kind: "junk", detail: "neither a method nor a result nor an error" };
  }
  if (id !== undefined && id !== null && !isRequestId(id)) {
    return { kind: "junk", detail: "an answer whose id is neither a string nor a number" };
  }
  return { kind: "response", id: id ?? null, answer: readAnswer(value) };
}

/** Whether a value is an id, or a progress token: text or a number. */
export function isRequestId(id: unknown): id is RequestId {
  return typeof id === "string" || typeof id === "number";
}

/** A non-null error wins over a result; a code of 0 is an error like any other. */
function readAnswer(message: JsonObject): Answered {
  const { result, error } = message;
  if (error !== undefined && error !== null) return readError(error);
  if (isObject(result)) return { kind: "result", result };
  return { kind: "malformed", detail: `result is ${typeName(result)}, not an object` };
}

function readError(error: Json): Answered {
  if (!isObject(error))
    return { kind: "malformed", detail: `error is ${typeName(error)}, not an object` };
  const { code, message, data } = error;
  if (typeof code !== "number")
    return { kind: "malformed", detail: "error without a numeric code" };
  const text = typeof message === "string" ? message : "";
  return { kind: "error", code, message: text, ...(data === undefined ? {} : { data }) };
}

/** What kind of JSON a value is, in a word, for texts that must not show the value. */
export function typeName(value: Json | undefined): string {
  if (value === undefined) return "absent";
  if (value === null) return "null";
  return Array.isArray(value) ? "an array" : `a ${typeof value}`.replace("a object", "an object");
}
