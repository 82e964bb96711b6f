/**
 * Going on with a session without a handshake.
 */
import type { Failure } from "../failure.ts";
import { announce, unconnected, wantsToBeAsked } from "../lifecycle/connect.ts";
import type { Attempt } from "../lifecycle/connect.ts";
import { connectedRecord } from "../lifecycle/connected.ts";
import { toolOf } from "../lifecycle/call-tool.ts";
import { startDeadline } from "../lifecycle/deadline.ts";
import { createInbox } from "../lifecycle/inbox.ts";
import { adoptTools } from "../lifecycle/list-tools.ts";
import { openServer } from "../lifecycle/open-server.ts";
import { optionsProblem, readTarget } from "../lifecycle/read-arguments.ts";
import type { Target } from "../lifecycle/read-arguments.ts";
import { readTools } from "../lifecycle/read-tools.ts";
import type {
  Connected,
  Connection,
  ConnectOptions,
  OwnTransport,
  Tool,
} from "../lifecycle/records.ts";
import { holdServerStream } from "../lifecycle/server-stream.ts";
import { createSession, rememberSession } from "../lifecycle/session.ts";
import type { Session } from "../lifecycle/session.ts";
import type { ServerConfig } from "../config/server.ts";
import type { Transport } from "../transport/transport.ts";
import { invalid } from "./arguments.ts";
import { readKnownTools } from "./known-tools.ts";
import { readSavedSession } from "./saved-session.ts";
import type { SavedSession } from "./saved-session.ts";
import { lacking } from "./support.ts";

/**
 * Connects to a server in a session that `saveSession` wrote down; nothing is sent for it.
 *
 * The first request carries the old session id and the protocol version. Whether the session still
 * lives shows only then: a server that has forgotten it makes that request fail with `closed` by
 * session-expired, at once, and `connect` is the way on. Tools are the saved ones until `refresh`.
 * A transport of the caller's own has to be given the session id by the caller. `failed` with
 * `invalid-argument` for what is no saved session, and with `unsupported` for the session of a
 * process, which ended with it, and of the older HTTP+SSE.
 *
 * @see https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#session-management
 *
 * @example
 * ```ts
 * import type { SavedSession } from "mcp-source";
 * import { parseConfig, resumeSession } from "mcp-source";
 * async function goOn(saved: SavedSession) {
 *   const { servers } = parseConfig({ mcpServers: { docs: { url: "http://127.0.0.1:8931/mcp" } } });
 *   return Promise.all(servers.map((server) => resumeSession(server, saved)));
 * }
 * ```
 */
export async function resumeSession(
  server: ServerConfig | OwnTransport,
  saved: SavedSession,
  options: ConnectOptions = {},
): Promise<Connection> {
  try {
    const problem = optionsProblem(options);
    return await resume(readTarget(server), saved, problem === null ? options : {}, problem);
  } catch {
    const target = readTarget(null);
    return unconnected(attemptOf(target, {}), "config", invalid("an argument threw"));
  }
}

function attemptOf(target: Target, options: ConnectOptions): Attempt {
  const inbox = createInbox(target.name, options);
  return { target, options, inbox, deadline: startDeadline(target.timeoutMs) };
}

async function resume(
  target: Target,
  given: unknown,
  callers: ConnectOptions,
  problem: Failure | null,
): Promise<Connection> {
  const options: ConnectOptions = { ...callers, onExpired: "fail" };
  const attempt = attemptOf(target, options);
  if (!target.enabled) return { status: "disabled", name: target.name, notes: attempt.inbox.notes };
  const saved = readSavedSession(given);
  const cause =
    problem ?? target.problem ?? (saved.ok ? whyNever(target, saved.value) : saved.failure);
  if (cause !== null || !saved.ok) {
    return unconnected(attempt, "config", cause ?? invalid("there is no session"));
  }
  const connection = await goOn(attempt, saved.value);
  announce(connection, options);
  return connection;
}

/** Why a kind of server can never be resumed, or null. */
function whyNever({ server }: Target, { era }: SavedSession): Failure | null {
  if (era === "modern" || server === null) return null;
  if (server.kind === "local") return lacking("a session ends with its process", "connect");
  return server.transport === "sse" ? lacking(SSE_ENDED, "connect") : null;
}

const SSE_ENDED = "a session over HTTP+SSE ends with its stream";

async function goOn(attempt: Attempt, saved: SavedSession): Promise<Connection> {
  const { options, inbox } = attempt;
  const ways = openServer(attempt, saved.sessionId);
  if (!ways.ok) return unconnected(attempt, "config", ways.failure);
  const { signal } = options;
  const opened = await ways.value.open(inbox.inbound, signal === undefined ? {} : { signal });
  if (!opened.ok) return unconnected(attempt, "connect", opened.failure);
  const transport = opened.value;
  const cause = whyNot(transport, saved);
  if (cause !== null) {
    const refusal = unconnected(attempt, "connect", cause, { transport });
    await transport.close({ hurry: true });
    return refusal;
  }
  return resumed(attempt, saved, transport);
}

/** Why an open transport cannot go on with a session, or null. */
function whyNot(transport: Transport, { era, sessionId }: SavedSession): Failure | null {
  if (era === "modern") return null;
  if (transport.kind === "stdio") return lacking("a session ends with its process", "connect");
  if (transport.kind === "sse") return lacking(SSE_ENDED, "connect");
  const own = transport.session?.().sessionId ?? null;
  return own === sessionId ? null : invalid("the transport does not carry the saved session id");
}

function resumed(attempt: Attempt, saved: SavedSession, transport: Transport): Connected {
  const { target, options, inbox } = attempt;
  const { era, protocolVersion, serverInfo, capabilities, instructions } = saved;
  inbox.enter(era);
  const session = createSession({
    name: target.name,
    transport,
    inbox,
    options,
    callTimeoutMs: target.callTimeoutMs,
    filter: target.tools,
    agreement: { era, protocolVersion, serverInfo, capabilities, instructions },
  });
  const known = readKnownTools(saved.knownTools);
  for (const [name, tool] of known.ok ? known.value : []) {
    session.state.knownTools.set(name, tool);
  }
  rememberSession(session);
  if (wantsToBeAsked(options)) holdServerStream(session);
  return connectedRecord(session, savedTools(session, saved));
}

/** The saved tools as records of this session, each under its saved name. */
function savedTools(session: Session, { tools }: SavedSession): readonly Tool[] {
  const read = readTools(tools.map(({ definition }) => definition));
  const names = new Map(tools.map(({ name, definition }) => [definition["name"], name]));
  return adoptTools(session, read.tools).kept.map((tool) =>
    toolOf(session, tool, names.get(tool.remoteName) ?? tool.remoteName),
  );
}
