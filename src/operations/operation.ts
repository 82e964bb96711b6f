/**
 * What every operation begins and ends with: a live session or a failure, one request, one decoding.
 *
 * Lives in this folder: plain functions over a `Connected`, in both eras. Not here: how a request
 * travels (transport), and what an era asks of each request (lifecycle).
 */
import { err, ok } from "../failure.ts";
import type { Failure, Result } from "../failure.ts";
import { isObject } from "../json.ts";
import type { Json, JsonObject } from "../json.ts";
import type { CallOptions } from "../lifecycle/records.ts";
import { notConnected, sessionRpc } from "../lifecycle/send.ts";
import type { SendOptions } from "../lifecycle/send.ts";
import { sessionOf } from "../lifecycle/session.ts";
import type { Session } from "../lifecycle/session.ts";
import { typeName } from "../protocol/messages.ts";
import { invalid, readCallOptions } from "./arguments.ts";
import { unsupported } from "./support.ts";

/**
 * Runs an operation within the session of a connection.
 *
 * Whatever the arguments are, the outcome is a value: an argument may be a proxy or have a getter
 * that throws, which is the caller's code and none of ours.
 */
export async function inSession<T>(
  connection: unknown,
  options: unknown,
  run: (session: Session, options: CallOptions) => Promise<Result<T>>,
): Promise<Result<T>> {
  try {
    const session = sessionOf(connection);
    if (session === undefined) return notConnected();
    const read = readCallOptions(options);
    return read.ok ? await run(session, read.value) : read;
  } catch {
    return err(UNREADABLE);
  }
}

/** The same for what is decided without sending anything. */
export function inSessionNow<T>(
  connection: unknown,
  run: (session: Session) => Result<T>,
): Result<T> {
  try {
    const session = sessionOf(connection);
    return session === undefined ? notConnected() : run(session);
  } catch {
    return err(UNREADABLE);
  }
}

const UNREADABLE: Failure = invalid("an argument threw while it was read");

/** Sends a request that the session has; what it does not have is `unsupported`, and nothing is sent. */
export async function ask(
  session: Session,
  method: string,
  params: JsonObject | undefined,
  options: SendOptions,
): Promise<Result<JsonObject>> {
  const lack = unsupported(session.agreement, method);
  return lack === null ? sessionRpc(session, method, params, options) : err(lack);
}

/** The objects in a list that a result must have. */
export function objectsOf(result: JsonObject, key: string): Result<readonly JsonObject[]> {
  const { [key]: list } = result;
  return Array.isArray(list)
    ? ok((list as readonly Json[]).filter(isObject))
    : err(wrongShape(`${key} is ${typeName(list)}, not an array`));
}

/** The failure for a result of the wrong shape. */
export function wrongShape(detail: string): Failure {
  return { tag: "malformed-body", detail, maybeExecuted: true };
}
