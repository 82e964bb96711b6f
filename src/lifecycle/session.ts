/**
 * What a connection remembers beside its public record: one entry for each transport.
 *
 * Kept beside the record, so that a copy of a `Connected` still works and nothing of this is printed.
 */
import type { Result } from "../failure.ts";
import { isObject } from "../json.ts";
import type { JsonObject } from "../json.ts";
import type { NameFilter } from "../naming/filter.ts";
import type { ParamHeader } from "../protocol/param-headers.ts";
import type { Transport } from "../transport/transport.ts";
import type { Inbox } from "./inbox.ts";
import type { Agreement } from "./initialize.ts";
import type { ConnectOptions } from "./records.ts";
import type { ServerStream } from "./server-stream.ts";

/** The private side of a connection. */
export interface Session {
  readonly name: string;
  readonly transport: Transport;
  readonly inbox: Inbox;
  readonly options: ConnectOptions;
  readonly callTimeoutMs: number;
  /** Which of the server's tools are wanted. */
  readonly filter: NameFilter | undefined;
  readonly agreement: Agreement;
  readonly state: SessionState;
}

/** What changes while a connection lives. */
export interface SessionState {
  /** The least severe log message wanted, in an era that says so with each request. */
  logLevel: string | undefined;
  /** The parameter headers of listed tools, by remote name. */
  listedParamHeaders: ReadonlyMap<string, readonly ParamHeader[]>;
  /** The listed tools of the older era that may be called as a task, by remote name. */
  taskTools: ReadonlySet<string>;
  /** The tools the caller knows without listing them, by remote name. */
  readonly knownTools: Map<string, KnownTool>;
  /** The stream on which the server speaks by itself; null while nobody wants to hear it. */
  stream: ServerStream | null;
  /** What is said again to a server that had forgotten the session, by what it is about. */
  readonly restorations: Map<string, Restoration>;
  /** How many subscriptions were asked for; each has an id of its own. */
  subscriptions: number;
  /** The new handshake that is under way after a session expired. */
  renewing: Promise<boolean> | null;
}

/** A tool the caller knows without listing it. */
export interface KnownTool {
  readonly definition: JsonObject;
  readonly headers: readonly ParamHeader[];
}

/** Says something again; a failure is noted. */
export type Restoration = () => Promise<Result<unknown>>;

/** A session over a transport on which both sides have agreed. */
export function createSession(parts: Omit<Session, "state">): Session {
  return {
    ...parts,
    state: {
      logLevel: undefined,
      listedParamHeaders: new Map(),
      taskTools: new Set(),
      knownTools: new Map(),
      stream: null,
      restorations: new Map(),
      subscriptions: 0,
      renewing: null,
    },
  };
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

/** The parameter headers known for a tool; the server's own definition comes first. */
export function paramHeadersOf(session: Session, remoteName: string): readonly ParamHeader[] {
  const { listedParamHeaders, knownTools } = session.state;
  return listedParamHeaders.get(remoteName) ?? knownTools.get(remoteName)?.headers ?? [];
}

/** Whether headers carry parameters on this connection: HTTP in the modern era. */
export function usesParamHeaders(session: Session): boolean {
  return session.agreement.era === "modern" && session.transport.kind !== "stdio";
}

/** The `_meta` a caller gave with the parameters and with the options, as one. */
export function callerMeta(
  params: JsonObject | undefined,
  meta: JsonObject | undefined,
): JsonObject {
  const own = params?.["_meta"];
  return { ...(isObject(own) ? own : {}), ...meta };
}
