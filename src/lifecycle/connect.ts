/**
 * One server, from its config to its tools: spawn or reach it, agree on a version, list.
 */
import { describeFailure, err, ok } from "../failure.ts";
import type { Failure, Result } from "../failure.ts";
import type { JsonObject } from "../json.ts";
import { filterTools } from "../naming/filter.ts";
import { resolveCollisions } from "../naming/collisions.ts";
import type { Note, OpenTransport, Transport } from "../transport/transport.ts";
import { toolOf } from "./call-tool.ts";
import { connectedRecord } from "./connected.ts";
import { startDeadline } from "./deadline.ts";
import type { Deadline } from "./deadline.ts";
import { createInbox, emit } from "./inbox.ts";
import type { Inbox } from "./inbox.ts";
import { initialize } from "./initialize.ts";
import type { Agreement } from "./initialize.ts";
import { openServer } from "./open-server.ts";
import { walkPages } from "./paging.ts";
import { optionsProblem, readTarget } from "./read-arguments.ts";
import type { Target } from "./read-arguments.ts";
import { readTools } from "./read-tools.ts";
import type { ListedTool } from "./read-tools.ts";
import type { Connection, ConnectOptions, OwnTransport, Phase, Unconnected } from "./records.ts";
import type { ServerConfig } from "../config/server.ts";
import { rememberSession } from "./session.ts";
import type { Session } from "./session.ts";

/**
 * Connects one server of a config, or a transport of the caller's own, and lists its tools.
 *
 * Never rejects: the record says `connected`, `disabled` or `failed`, and of a failed one nothing is
 * left behind. The server's `timeoutMs` is one budget for everything; the signal aborts.
 *
 * @see https://modelcontextprotocol.io/specification/2025-11-25/basic/lifecycle
 *
 * @example
 * ```ts
 * import { connect, disconnect, parseConfig } from "mcp-source";
 * const { servers } = parseConfig({ mcpServers: { files: { command: "files-server" } } });
 * for (const server of servers) {
 *   const connection = await connect(server);
 *   if (connection.status === "failed") connection.failure.tag; // "transport"
 *   await disconnect(connection);
 * }
 * ```
 */
export async function connect(
  server: ServerConfig | OwnTransport,
  options: ConnectOptions = {},
): Promise<Connection> {
  const target = readTarget(server);
  const problem = optionsProblem(options);
  if (problem !== null) return connectTarget({ ...target, problem, enabled: true }, {});
  return connectTarget(target, options);
}

/** `connect` for arguments that were read already. */
export async function connectTarget(target: Target, options: ConnectOptions): Promise<Connection> {
  const connection = await attemptConnection(target, options);
  announce(connection, options);
  return connection;
}

function announce(connection: Connection, options: ConnectOptions): void {
  const { name: server } = connection;
  if (connection.status === "connected") {
    emit(options, { kind: "connected", server, tools: connection.tools.length });
  } else if (connection.status === "disabled") {
    emit(options, { kind: "disabled", server });
  } else {
    const { phase, failure } = connection;
    emit(options, { kind: "failed", server, phase, failure });
  }
}

/** What is known of a connection on its way. */
interface Attempt {
  readonly target: Target;
  readonly options: ConnectOptions;
  readonly inbox: Inbox;
  readonly deadline: Deadline;
}

async function attemptConnection(target: Target, options: ConnectOptions): Promise<Connection> {
  const inbox = createInbox(target.name, options);
  if (!target.enabled) return { status: "disabled", name: target.name, notes: inbox.notes };
  const attempt = { target, options, inbox, deadline: startDeadline(target.timeoutMs) };
  if (target.problem !== null) return unconnected(attempt, "config", target.problem);
  const open = openServer(target, options);
  if (!open.ok) return unconnected(attempt, "config", open.failure);
  if (options.signal?.aborted === true)
    return unconnected(attempt, "connect", { tag: "cancelled" });
  emit(options, { kind: "connecting", server: target.name });
  const transport = await opened(open.value, attempt);
  if (!transport.ok) return unconnected(attempt, "connect", transport.failure);
  return converse(transport.value, attempt);
}

function opened(open: OpenTransport, attempt: Attempt): Promise<Result<Transport>> {
  const { signal } = attempt.options;
  return open(attempt.inbox.inbound, signal === undefined ? {} : { signal });
}

/** Everything that needs a transport; one that does not end in a connection is closed. */
async function converse(transport: Transport, attempt: Attempt): Promise<Connection> {
  const { target, options, inbox, deadline } = attempt;
  const note = (found: Note): void => inbox.inbound.note?.(found);
  const agreed = await initialize(transport, options, { remainingMs: deadline.remainingMs, note });
  if (!agreed.ok) {
    const refusal = unconnected(attempt, "initialize", agreed.failure, { transport });
    await transport.close({ hurry: true });
    return refusal;
  }
  const agreement = agreed.value;
  const session: Session = {
    name: target.name,
    transport,
    inbox,
    callTimeoutMs: target.callTimeoutMs,
    era: "legacy",
    protocolVersion: agreement.protocolVersion,
  };
  const listed = await listServerTools(session, agreement, attempt);
  if (!listed.ok) {
    const refusal = unconnected(attempt, "tools/list", listed.failure, { transport, agreement });
    await transport.close({ hurry: options.signal?.aborted === true });
    return refusal;
  }
  rememberSession(session);
  return connectedRecord(session, agreement, nameTools(session, listed.value));
}

function nameTools(session: Session, listed: readonly ListedTool[]): ReturnType<typeof toolOf>[] {
  const wanted = listed.map((tool) => ({ ...tool, server: session.name }));
  return resolveCollisions(wanted).tools.map(({ server: _, name, ...tool }) =>
    toolOf(session, tool, name),
  );
}

async function listServerTools(
  session: Session,
  agreement: Agreement,
  attempt: Attempt,
): Promise<Result<readonly ListedTool[]>> {
  const { target, options, inbox, deadline } = attempt;
  const walked = await walkPages("tools", (cursor) =>
    session.transport.rpc("tools/list", cursor === undefined ? undefined : { cursor }, {
      timeoutMs: deadline.remainingMs(),
      era: session.era,
      protocolVersion: session.protocolVersion,
      ...(options.signal === undefined ? {} : { signal: options.signal }),
    }),
  );
  if (!walked.ok) return toolsOfRefusal(walked.failure, agreement.capabilities, inbox);
  const { tools, notes } = readTools(walked.value.items);
  const { kept, unmatched } = filterTools(tools, target.tools);
  for (const found of [...walked.value.notes, ...notes]) inbox.inbound.note?.(found);
  for (const name of unmatched) {
    inbox.inbound.note?.({
      code: "unmatched-filter",
      detail: `the tool filter names "${name}", which is not listed`,
    });
  }
  return ok(kept);
}

/** A server that never advertised tools and refuses to list them has none. */
function toolsOfRefusal(
  failure: Failure,
  capabilities: JsonObject,
  inbox: Inbox,
): Result<readonly ListedTool[]> {
  if (capabilities["tools"] !== undefined || failure.tag !== "rpc-error") return err(failure);
  inbox.inbound.note?.({
    code: "no-tools",
    detail: "the server has no tools capability and refuses tools/list",
  });
  return ok([]);
}

function unconnected(
  attempt: Attempt,
  phase: Phase,
  cause: Failure,
  learned: { readonly transport?: Transport; readonly agreement?: Agreement } = {},
): Unconnected {
  const { name } = attempt.target;
  const failure = withoutCallDetails(cause, attempt.deadline);
  const stderr = learned.transport?.stderr?.() ?? [];
  return {
    status: "failed",
    name,
    phase,
    failure,
    message: describeFailure(failure, { server: name, phase, stderr }),
    stderr,
    exitCode: failure.tag === "peer-eof" ? failure.exitCode : null,
    serverInfo: learned.agreement?.serverInfo ?? null,
    protocolVersion: learned.agreement?.protocolVersion ?? null,
    notes: attempt.inbox.notes,
  };
}

/** A connect has one budget, whatever was left of it for its last request. */
function withoutCallDetails(failure: Failure, deadline: Deadline): Failure {
  const { maybeExecuted: _, ...rest } = failure;
  return rest.tag === "timeout" ? { ...rest, timeoutMs: deadline.totalMs } : rest;
}
