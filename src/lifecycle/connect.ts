/**
 * One server, from its config to its tools: spawn or reach it, agree on a version, list.
 */
import type { ServerConfig } from "../config/server.ts";
import { describeFailure, ok } from "../failure.ts";
import type { Failure, Result } from "../failure.ts";
import { filterTools } from "../naming/filter.ts";
import type { Transport, OpenTransport } from "../transport/transport.ts";
import { connectedRecord } from "./connected.ts";
import { startDeadline } from "./deadline.ts";
import type { Deadline } from "./deadline.ts";
import { createInbox, emit } from "./inbox.ts";
import type { Inbox } from "./inbox.ts";
import type { Agreement } from "./initialize.ts";
import { listEveryTool } from "./list-tools.ts";
import { negotiate } from "./negotiate.ts";
import type { Negotiated } from "./negotiate.ts";
import type { Verdict } from "./negotiation.ts";
import { openServer } from "./open-server.ts";
import type { Ways } from "./open-server.ts";
import { optionsProblem, readTarget } from "./read-arguments.ts";
import type { Target } from "./read-arguments.ts";
import type { ListedTool } from "./read-tools.ts";
import type { Connection, ConnectOptions, OwnTransport, Phase, Unconnected } from "./records.ts";
import { holdServerStream } from "./server-stream.ts";
import { nameTools } from "./session-tools.ts";
import { createSession, rememberSession } from "./session.ts";
import type { Session } from "./session.ts";
import { withoutSecrets } from "./without-secrets.ts";

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
  const inbox = createInbox(target.name, options);
  const attempt = { target, options, inbox, deadline: startDeadline(target.timeoutMs) };
  const connection = await attemptConnection(attempt);
  announce(connection, options);
  return connection;
}

/** Tells the caller what became of a server. */
export function announce(connection: Connection, options: ConnectOptions): void {
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

/** One connect on its way. */
export interface Attempt {
  readonly target: Target;
  readonly options: ConnectOptions;
  readonly inbox: Inbox;
  readonly deadline: Deadline;
}

async function attemptConnection(attempt: Attempt): Promise<Connection> {
  const { target, options, inbox } = attempt;
  if (!target.enabled) return { status: "disabled", name: target.name, notes: inbox.notes };
  if (target.problem !== null) return unconnected(attempt, "config", target.problem);
  const ways = openServer(attempt);
  if (!ways.ok) return unconnected(attempt, "config", ways.failure);
  if (options.signal?.aborted === true)
    return unconnected(attempt, "connect", { tag: "cancelled" });
  emit(options, { kind: "connecting", server: target.name });
  enterPhase(attempt, "connect");
  return converse(announced(ways.value, attempt), attempt, options.verdicts?.[target.name]);
}

function enterPhase({ target, options }: Attempt, phase: Exclude<Phase, "config">): void {
  emit(options, { kind: "phase", server: target.name, phase });
}

/** The same ways, which say when they are open. */
function announced(ways: Ways, attempt: Attempt): Ways {
  const saying =
    (open: OpenTransport): OpenTransport =>
    async (inbound, options) => {
      const opened = await open(inbound, options);
      if (opened.ok) enterPhase(attempt, "initialize");
      return opened;
    };
  const { open, fallback } = ways;
  return { ...ways, open: saying(open), fallback: fallback === null ? null : saying(fallback) };
}

/** Everything that needs a transport; one that does not end in a connection is closed. */
async function converse(
  ways: Ways,
  attempt: Attempt,
  verdict: Verdict | undefined,
): Promise<Connection> {
  const { target, options, inbox, deadline } = attempt;
  const negotiated = await negotiate({ ways, inbox, options, deadline, era: target.era, verdict });
  if (negotiated.kind === "refused") {
    const { transport, phase, failure } = negotiated;
    const refusal = unconnected(attempt, phase, failure, transport === null ? {} : { transport });
    await transport?.close({ hurry: true });
    return refusal;
  }
  const { transport, agreement, probe } = negotiated;
  inbox.enter(agreement.era);
  const { name, callTimeoutMs } = target;
  const { tools: filter } = target;
  const session = createSession({
    name,
    transport,
    inbox,
    options,
    callTimeoutMs,
    filter,
    agreement,
  });
  if (wantsToBeAsked(options)) holdServerStream(session);
  enterPhase(attempt, "tools/list");
  const listed = await listServerTools(session, attempt);
  probe?.abandon();
  if (hasLateOffer(negotiated)) return startOver(ways, attempt, transport);
  if (!listed.ok) {
    const refusal = unconnected(attempt, "tools/list", listed.failure, { transport, agreement });
    await transport.close({ hurry: options.signal?.aborted === true });
    return refusal;
  }
  rememberSession(session);
  return connectedRecord(session, nameTools(session, listed.value));
}

/** Whether a server may start something by itself, outside of any request of ours. */
export function wantsToBeAsked(options: ConnectOptions): boolean {
  return options.waitFor !== undefined || (options.onNotification ?? []).length > 0;
}

function hasLateOffer(negotiated: Negotiated & { readonly kind: "agreed" }): boolean {
  return negotiated.agreement.era === "legacy" && negotiated.probe?.objection()?.kind === "modern";
}

/** The server offered the modern era after all; how fast it started must not decide. */
async function startOver(ways: Ways, attempt: Attempt, transport: Transport): Promise<Connection> {
  await transport.close({ hurry: true });
  const target = { ...attempt.target, era: "modern" as const };
  return converse(ways, { ...attempt, target }, undefined);
}

async function listServerTools(
  session: Session,
  attempt: Attempt,
): Promise<Result<readonly ListedTool[]>> {
  const { target, options, inbox, deadline } = attempt;
  const listed = await listEveryTool(session, () => ({
    timeoutMs: deadline.remainingMs(),
    ...(options.signal === undefined ? {} : { signal: options.signal }),
  }));
  if (!listed.ok) return listed;
  const { kept, unmatched } = filterTools(listed.value.tools, target.tools);
  for (const name of unmatched) {
    const detail = `the tool filter names "${name}", which is not listed`;
    inbox.inbound.note?.({ code: "unmatched-filter", detail });
  }
  return ok(kept);
}

/** The record of a server that could not be used. */
export function unconnected(
  attempt: Attempt,
  phase: Phase,
  cause: Failure,
  learned: { readonly transport?: Transport; readonly agreement?: Agreement } = {},
): Unconnected {
  const { name } = attempt.target;
  const own = withoutSecrets(cause, attempt.inbox.redact);
  const failure = ofWholeConnect(own, attempt.deadline);
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
function ofWholeConnect(failure: Failure, deadline: Deadline): Failure {
  const { maybeExecuted: _, ...rest } = failure;
  return rest.tag === "timeout" ? { ...rest, timeoutMs: deadline.totalMs } : rest;
}
