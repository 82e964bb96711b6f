/**
 * What a connection remembers beside its public record: one entry for each transport.
 *
 * Kept beside the record, so that a copy of a `Connected` still works and nothing of this is printed.
 */
import type { Result } from "../failure.ts";
import type { JsonObject } from "../json.ts";
import type { Era } from "../protocol/versions.ts";
import type { RpcOptions, Transport } from "../transport/transport.ts";
import type { Inbox } from "./inbox.ts";
import type { CallOptions } from "./records.ts";

/** The private side of a connection. */
export interface Session {
  readonly name: string;
  readonly transport: Transport;
  readonly inbox: Inbox;
  readonly callTimeoutMs: number;
  readonly era: Era;
  readonly protocolVersion: string;
}

const sessions = new WeakMap<Transport, Session>();

/** Remembers the session of a transport. */
export function rememberSession(session: Session): void {
  sessions.set(session.transport, session);
}

/** The session of a connection, or undefined for anything else. */
export function sessionOf(connection: unknown): Session | undefined {
  if (typeof connection !== "object" || connection === null) return undefined;
  const transport: unknown = Reflect.get(connection, "transport");
  return isTransport(transport) ? sessions.get(transport) : undefined;
}

function isTransport(value: unknown): value is Transport {
  return typeof value === "object" && value !== null && "rpc" in value;
}

/** Sends a request within a session: its version, its era and its budget apply. */
export function sessionRpc(
  session: Session,
  method: string,
  params: JsonObject | undefined,
  options: CallOptions = {},
): Promise<Result<JsonObject>> {
  return session.transport.rpc(method, params, rpcOptions(session, options));
}

function rpcOptions(session: Session, options: CallOptions): RpcOptions {
  return {
    ...options,
    timeoutMs: options.timeoutMs ?? session.callTimeoutMs,
    era: session.era,
    protocolVersion: session.protocolVersion,
  };
}
