/**
 * The public record of a live connection.
 */
import { sortedByName } from "../order.ts";
import type { CloseDetails } from "../transport/transport.ts";
import { disconnect } from "./disconnect.ts";
import type { Connected, Tool } from "./records.ts";
import { sessionOf } from "./session.ts";
import type { Session } from "./session.ts";

/** A `Connected` for a session: its session id is readable and never printed. */
export function connectedRecord(session: Session, tools: readonly Tool[]): Connected {
  const { transport, agreement } = session;
  const record = {
    status: "connected" as const,
    name: session.name,
    era: agreement.era,
    protocolVersion: agreement.protocolVersion,
    sessionId: null,
    serverInfo: agreement.serverInfo,
    capabilities: agreement.capabilities,
    instructions: agreement.instructions,
    transport,
    tools: sortedByName(tools, (tool) => tool.name),
    closed: transport.closed ?? neverReported,
    notes: session.inbox.notes,
    [Symbol.asyncDispose]: (): Promise<void> => disconnect(record),
  };
  return Object.defineProperty(record, "sessionId", {
    get: () => transport.session?.().sessionId ?? null,
    enumerable: false,
  });
}

const neverReported: Promise<CloseDetails> = new Promise(() => undefined);

/** The same connection with its tools under other names. */
export function renamedConnection(connected: Connected, tools: readonly Tool[]): Connected {
  const session = sessionOf(connected);
  return session === undefined ? connected : connectedRecord(session, tools);
}
