/**
 * A session that the server has forgotten: one new handshake on the same connection.
 *
 * @see https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#session-management
 */
import type { CallOptions } from "./records.ts";
import { initialize } from "./initialize.ts";
import type { Session } from "./session.ts";

/**
 * Whether there is a live session again; requests that find the same session expired share one
 * handshake.
 *
 * @param expiredId - The session the refused request carried.
 */
export function renewSession(
  session: Session,
  expiredId: string,
  options: CallOptions,
): Promise<boolean> {
  const { state, transport } = session;
  const currentId = transport.session?.().sessionId ?? null;
  if (currentId !== null && currentId !== expiredId) return Promise.resolve(true);
  state.renewing ??= shakeHandsAgain(session, options).finally(() => {
    state.renewing = null;
  });
  return state.renewing;
}

async function shakeHandsAgain(session: Session, options: CallOptions): Promise<boolean> {
  const timeoutMs = options.timeoutMs ?? session.callTimeoutMs;
  const renewed = await initialize(session.transport, session.options, {
    version: session.agreement.protocolVersion,
    remainingMs: () => timeoutMs,
    note: (note) => session.inbox.inbound.note?.(note),
  });
  if (!renewed.ok) return false;
  const note = (code: string, detail: string): void =>
    session.inbox.inbound.note?.({ code, detail });
  note("session-renewed", "the server had forgotten the session");
  for (const [about, restore] of session.state.restorations) {
    const restored = await restore();
    if (!restored.ok) note("not-restored", `${about}: ${restored.failure.tag}`);
  }
  return true;
}
