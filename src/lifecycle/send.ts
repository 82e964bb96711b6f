/**
 * One request within a session: what its era asks of it, and what its era makes of the answer.
 */
import { err } from "../failure.ts";
import type { Failure, Result } from "../failure.ts";
import type { JsonObject } from "../json.ts";
import { standardHeaders } from "../protocol/envelope.ts";
import type { RpcOptions, WireOptions } from "../transport/transport.ts";
import { sendModern } from "./modern.ts";
import type { CallOptions } from "./records.ts";
import { renewSession } from "./renew.ts";
import type { Session } from "./session.ts";
import { withoutSecrets } from "./without-secrets.ts";

/** How a request within a session is sent. */
export type SendOptions = CallOptions & Pick<RpcOptions, "id" | "onNotification">;

/** Sends a request within a session: its version, its era and its budget apply. */
export function sessionRpc(
  session: Session,
  method: string,
  params: JsonObject | undefined,
  options: SendOptions = {},
): Promise<Result<JsonObject>> {
  return session.agreement.era === "modern"
    ? inOwnWords(session, sendModern(session, method, params, options))
    : sendLegacy(session, method, params, options);
}

/** What the newer era has to say of an answer may quote it. */
async function inOwnWords<T>(session: Session, answer: Promise<Result<T>>): Promise<Result<T>> {
  const settled = await answer;
  return settled.ok ? settled : err(withoutSecrets(settled.failure, session.inbox.redact));
}

/** Sends a notification within a session. */
export function sessionNotify(
  session: Session,
  method: string,
  params: JsonObject | undefined,
  options: Pick<WireOptions, "signal"> = {},
): Promise<Result<void>> {
  const { era, protocolVersion } = session.agreement;
  const headers = era === "modern" ? { headers: standardHeaders(method, params) } : {};
  return session.transport.notify(method, params, { ...options, ...headers, era, protocolVersion });
}

/** An expired session is renewed once, and the request, which the server refused unread, sent again. */
async function sendLegacy(
  session: Session,
  method: string,
  params: JsonObject | undefined,
  options: SendOptions,
): Promise<Result<JsonObject>> {
  const sessionId = session.transport.session?.().sessionId ?? null;
  const answer = await legacyRpc(session, method, params, options);
  if (answer.ok || sessionId === null || !isExpired(answer.failure)) return answer;
  if (session.options.onExpired === "fail") {
    return err({ tag: "closed", by: "session-expired", maybeExecuted: false });
  }
  const isRenewed = await renewSession(session, sessionId, options);
  return isRenewed ? legacyRpc(session, method, params, options) : answer;
}

/** One request of the initialize era, on whatever session there is. */
export function legacyRpc(
  session: Session,
  method: string,
  params: JsonObject | undefined,
  options: SendOptions = {},
): Promise<Result<JsonObject>> {
  return session.transport.rpc(method, params, {
    ...options,
    timeoutMs: options.timeoutMs ?? session.callTimeoutMs,
    era: "legacy",
    protocolVersion: session.agreement.protocolVersion,
  });
}

function isExpired(failure: Failure): boolean {
  if (failure.tag === "http-status") return failure.status === 404;
  return false;
}

/** The answer of a function called with something that is no live connection. */
export function notConnected(): Result<never> {
  return err({ tag: "invalid-argument", detail: "the first argument is no live connection" });
}
