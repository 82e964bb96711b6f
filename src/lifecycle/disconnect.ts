/**
 * Ending connections: idempotent, bounded, and whatever the argument is, nothing is thrown.
 */
import type { CloseOptions } from "../transport/transport.ts";
import type { Connection, Load } from "./records.ts";

/**
 * Ends one connection and waits until nothing of it is left; others are untouched.
 *
 * A connection that failed, is disabled or was ended before takes no time.
 *
 * @example
 * ```ts
 * import { connect, disconnect } from "mcp-source";
 * const connection = await connect({ name: "m", open: async () => ({ ok: false, failure: { tag: "cancelled" } }) });
 * await disconnect(connection);
 * ```
 */
export async function disconnect(connection: Connection): Promise<void> {
  await closeTransport(connection, {});
}

/**
 * Ends every connection of a load at once and waits until nothing of them is left.
 *
 * @example
 * ```ts
 * import { disconnectAll, fromConfig } from "mcp-source";
 * const load = await fromConfig({ mcpServers: {} });
 * try { load.tools.length; } finally { await disconnectAll(load); }
 * ```
 */
export async function disconnectAll(load: Pick<Load, "connections">): Promise<void> {
  const connections: unknown = isRecord(load) ? load["connections"] : undefined;
  if (Array.isArray(connections)) await closeAll(connections, {});
}

/** Ends connections at once. */
export async function closeAll(
  connections: readonly unknown[],
  options: CloseOptions,
): Promise<void> {
  await Promise.all(connections.map((connection) => closeTransport(connection, options)));
}

async function closeTransport(connection: unknown, options: CloseOptions): Promise<void> {
  const transport = isRecord(connection) ? connection["transport"] : undefined;
  const close = isRecord(transport) ? transport["close"] : undefined;
  if (typeof close !== "function") return;
  try {
    await close.call(transport, options);
  } catch {
    // A transport of the caller's own may break its promise; ending it is all that was asked.
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
