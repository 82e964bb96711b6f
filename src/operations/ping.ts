/**
 * Whether the server is alive.
 */
import { ok } from "../failure.ts";
import type { Result } from "../failure.ts";
import type { CallOptions, Connected } from "../lifecycle/records.ts";
import { ask, inSession } from "./operation.ts";

/** How long an answer took. */
export interface Pong {
  /** Milliseconds between sending and the answer. */
  readonly rttMs: number;
}

/**
 * Asks the server for a sign of life: `ping`, and since 2026-07-28, which has none, `server/discover`.
 *
 * A JSON-RPC error is an answer like any other. Fails as any request does when there is none.
 *
 * @see https://modelcontextprotocol.io/specification/2025-11-25/basic/utilities/ping
 *
 * @example
 * ```ts
 * import type { Connected } from "mcp-source";
 * import { ping } from "mcp-source";
 * const isAlive = async (connection: Connected) => (await ping(connection, { timeoutMs: 500 })).ok;
 * ```
 */
export function ping(connection: Connected, options: CallOptions = {}): Promise<Result<Pong>> {
  return inSession(connection, options, async (session, call) => {
    const method = session.agreement.era === "modern" ? "server/discover" : "ping";
    const sentAt = performance.now();
    const answer = await ask(session, method, undefined, call);
    if (!answer.ok && answer.failure.tag !== "rpc-error") return answer;
    return ok({ rttMs: performance.now() - sentAt });
  });
}
