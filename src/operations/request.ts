/**
 * Messages of the caller's own: any request, any notification.
 */
import { err, ok } from "../failure.ts";
import type { Failure, Result } from "../failure.ts";
import { isObject } from "../json.ts";
import type { Json, JsonObject } from "../json.ts";
import type { CallOptions, Connected } from "../lifecycle/records.ts";
import { sessionNotify } from "../lifecycle/send.ts";
import type { Session } from "../lifecycle/session.ts";
import { readMessage } from "../protocol/messages.ts";
import type { RequestId } from "../protocol/messages.ts";
import { blankProblem, functionProblem, invalid, isRequestId, objectProblem } from "./arguments.ts";
import { ask, inSession, wrongShape } from "./operation.ts";
import { lacking, unsupported } from "./support.ts";

/** How a request of the caller's own is sent. */
export interface RequestOptions extends CallOptions {
  /**
   * The id to send it with: a text or a safe integer; the library counts its own when absent. One that
   * still waits is `invalid-argument`; in the initialize era none may be used twice in a session.
   */
  readonly id?: RequestId;
}

/** How a notification is sent. */
export type NotifyOptions = Pick<CallOptions, "signal">;

/** How far something has come that the server waits for. */
export interface ProgressReport {
  readonly progress: number;
  readonly total?: number;
  readonly message?: string;
}

/**
 * Sends a request of any method and gives its result as it came.
 *
 * What a session's era asks of each request is added, and what the server asks on the way is answered,
 * as with every other operation. Fails with `invalid-argument` for a blank method, parameters that
 * are no object, or an id that still waits, and with `unsupported` for a method of the protocol that
 * the session does not have.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic#requests
 *
 * @example
 * ```ts
 * import type { Connected } from "mcp-source";
 * import { request } from "mcp-source";
 * const stats = (connection: Connected) =>
 *   request(connection, "com.example/stats", { day: "2026-07-28" }, { timeoutMs: 1000 });
 * ```
 */
export function request(
  connection: Connected,
  method: string,
  params?: JsonObject,
  options: RequestOptions = {},
): Promise<Result<JsonObject>> {
  return inSession(connection, options, (session, call) =>
    requestOf(session, { method, params, id: options.id }, call),
  );
}

async function requestOf(
  session: Session,
  asked: { readonly method: string; readonly params: JsonObject | undefined; readonly id: unknown },
  call: CallOptions,
): Promise<Result<JsonObject>> {
  const { method, params, id } = asked;
  const problem = blankProblem("method", method) ?? objectProblem("params", params);
  if (problem !== null) return err(problem);
  if (id !== undefined && !isRequestId(id)) {
    return err(invalid("options.id is neither a string nor a safe integer"));
  }
  return ask(session, method, params, id === undefined ? call : { ...call, id });
}

/** A request together with the function that reads its result. */
export interface TypedRequest<T> extends RequestOptions {
  /** Reads the result; its failure, or what it throws, becomes `malformed-body`. */
  readonly decode: (result: JsonObject) => Result<T>;
}

/**
 * Sends a request and reads its result with a function of the caller's.
 *
 * A result the function refuses, and one on which it throws, is `malformed-body`.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic#requests
 *
 * @example
 * ```ts
 * import type { Connected, Result } from "mcp-source";
 * import { requestAs } from "mcp-source";
 * const visits = (connection: Connected): Promise<Result<number>> =>
 *   requestAs(connection, "com.example/stats", undefined, {
 *     decode: ({ visits }) => typeof visits === "number" ? { ok: true, value: visits }
 *       : { ok: false, failure: { tag: "malformed-body", detail: "no visits" } },
 *   });
 * ```
 */
export function requestAs<T>(
  connection: Connected,
  method: string,
  params: JsonObject | undefined,
  options: TypedRequest<T>,
): Promise<Result<T>> {
  return inSession(connection, options, async (session, call) => {
    const { decode } = options;
    const problem = functionProblem("options.decode", decode);
    if (problem !== null) return err(problem);
    const answer = await requestOf(session, { method, params, id: options.id }, call);
    return answer.ok ? decoded(decode, answer.value) : answer;
  });
}

function decoded<T>(decode: TypedRequest<T>["decode"], result: JsonObject): Result<T> {
  try {
    const value = decode(result);
    if (value.ok) return value;
    const { failure } = value;
    const detail = "detail" in failure ? failure.detail : undefined;
    return err(wrongShape(detail ?? failure.tag));
  } catch {
    return err(wrongShape("the decoding function threw"));
  }
}

/**
 * Sends a notification; resolves when it was handed over, and over HTTP when the server took it.
 *
 * `notifications/cancelled` for a request that waits ends that request as `cancelled`, the way its
 * signal would; for any other id there is nothing to cancel and nothing is sent. Fails with
 * `invalid-argument` for a blank method or parameters that are no object, with `unsupported` for a
 * notification the session's era does not have, and with `http-status` when the server refuses it.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic#notifications
 *
 * @example
 * ```ts
 * import type { Connected } from "mcp-source";
 * import { notify } from "mcp-source";
 * const hello = (connection: Connected) => notify(connection, "com.example/hello", { name: "Ada" });
 * ```
 */
export function notify(
  connection: Connected,
  method: string,
  params?: JsonObject,
  options: NotifyOptions = {},
): Promise<Result<void>> {
  return inSession(connection, options, (session, call) =>
    notificationOf(session, method, params, call),
  );
}

async function notificationOf(
  session: Session,
  method: string,
  params: JsonObject | undefined,
  { signal }: NotifyOptions,
): Promise<Result<void>> {
  const problem = blankProblem("method", method) ?? objectProblem("params", params);
  if (problem !== null) return err(problem);
  const lack = unsupported(session.agreement, method);
  if (lack !== null) return err(lack);
  if (method === "notifications/cancelled") {
    const cancelled = cancelledOf(session, params);
    if (cancelled !== null) return cancelled;
  }
  return sessionNotify(session, method, params, signal === undefined ? {} : { signal });
}

/** A cancellation done by the transport itself; null where it has to be sent as it is. */
function cancelledOf(session: Session, params: JsonObject | undefined): Result<void> | null {
  const { requestId, reason } = params ?? {};
  if (!isRequestId(requestId)) return err(invalid("params.requestId is no id"));
  if (session.transport.cancel === undefined) return null;
  session.transport.cancel(requestId, typeof reason === "string" ? reason : undefined);
  return ok(undefined);
}

/**
 * Sends a notification given as a whole JSON-RPC message.
 *
 * A request is `invalid-argument`, since its answer would be lost: `request` sends those. An answer is
 * `unsupported`: what the server asks is answered by the handlers given at connect. For the rest see
 * `notify`.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic#messages
 *
 * @example
 * ```ts
 * import type { Connected } from "mcp-source";
 * import { sendMessage } from "mcp-source";
 * const cancel = (connection: Connected, requestId: string) =>
 *   sendMessage(connection, {
 *     jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId, reason: "changed my mind" },
 *   });
 * ```
 */
export function sendMessage(
  connection: Connected,
  message: JsonObject,
  options: NotifyOptions = {},
): Promise<Result<void>> {
  return inSession(connection, options, async (session, call) => {
    if (!isObject(message)) return err(invalid("the message is no JSON object"));
    const { method, params } = message;
    if (typeof method === "string" && "id" in message) return err(invalid(IS_REQUEST));
    if (typeof method !== "string") return err(answerProblem(message));
    if (params !== undefined && !isObject(params)) return err(invalid("params is no JSON object"));
    return notificationOf(session, method, params, call);
  });
}

const IS_REQUEST = "the message is a request; the function request sends those";

function answerProblem(message: JsonObject): Failure {
  if (readMessage(message).kind !== "response") return invalid("the message has no method");
  const use = "waitFor, onSample and onRoots, given when connecting";
  return lacking("answers to the server's requests are not sent by hand", use);
}

/**
 * Tells the server how far something has come that it waits for; in the initialize era only.
 *
 * The token is the one the server gave with its request, text or integer, and stays what it is. Fails
 * with `invalid-argument` for a token or numbers that are none and `unsupported` since 2026-07-28.
 *
 * @see https://modelcontextprotocol.io/specification/2025-11-25/basic/utilities/progress
 *
 * @example
 * ```ts
 * import type { Connected } from "mcp-source";
 * import { notifyProgress } from "mcp-source";
 * const halfWay = (connection: Connected, token: string | number) =>
 *   notifyProgress(connection, token, { progress: 1, total: 2, message: "half way" });
 * ```
 */
export function notifyProgress(
  connection: Connected,
  token: RequestId,
  report: ProgressReport,
  options: NotifyOptions = {},
): Promise<Result<void>> {
  return inSession(connection, options, async (session, call) => {
    const problem = reportProblem(token, report);
    if (problem !== null) return err(problem);
    const { progress, total, message } = report;
    const params: JsonObject = {
      progressToken: token,
      progress,
      ...(total === undefined ? {} : { total }),
      ...(message === undefined ? {} : { message }),
    };
    return notificationOf(session, "notifications/progress", params, call);
  });
}

function reportProblem(token: unknown, report: unknown): Failure | null {
  if (!isRequestId(token)) return invalid("the token is neither a string nor a safe integer");
  if (!isObject(report)) return invalid("the report is no object");
  const { progress, total, message } = report;
  if (!Number.isFinite(progress)) return invalid("report.progress is no number");
  if (!isAbsentOr(total, Number.isFinite)) return invalid("report.total is no number");
  return isAbsentOr(message, (text) => typeof text === "string")
    ? null
    : invalid("report.message is no string");
}

function isAbsentOr(value: Json | undefined, check: (value: unknown) => boolean): boolean {
  return value === undefined || check(value);
}
