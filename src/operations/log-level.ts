/**
 * Which log messages a server sends.
 *
 * @see https://modelcontextprotocol.io/specification/2025-11-25/server/utilities/logging
 */
import { err, ok } from "../failure.ts";
import type { Result } from "../failure.ts";
import type { CallOptions, Connected } from "../lifecycle/records.ts";
import { legacyRpc } from "../lifecycle/send.ts";
import { LOG_LEVELS, invalid, isLogLevel } from "./arguments.ts";
import type { LogLevel } from "./arguments.ts";
import { ask, inSession } from "./operation.ts";
import { lackOf } from "./support.ts";

/**
 * Asks for log messages of a level and of everything more severe.
 *
 * In the initialize era the server is told, once. Since 2026-07-28 nothing is sent now: every later
 * request carries the level, unless it brings one of its own in `meta`, and the server logs for those
 * requests. Fails with `invalid-argument` for a level the protocol does not have and `unsupported`
 * where the server does not log.
 *
 * @see https://modelcontextprotocol.io/specification/2025-11-25/server/utilities/logging
 *
 * @example
 * ```ts
 * import type { Connected } from "mcp-source";
 * import { setLogLevel } from "mcp-source";
 * const quiet = (connection: Connected) => setLogLevel(connection, "error");
 * ```
 */
export function setLogLevel(
  connection: Connected,
  level: LogLevel,
  options: CallOptions = {},
): Promise<Result<void>> {
  return inSession(connection, options, async (session, call) => {
    if (!isLogLevel(level)) return err(invalid(`level is none of ${LOG_LEVELS.join(", ")}`));
    if (session.agreement.era === "modern") {
      const lack = lackOf(session.agreement, ["logging"]);
      if (lack !== null) return err(lack);
      session.state.logLevel = level;
      return ok(undefined);
    }
    const answer = await ask(session, "logging/setLevel", { level }, call);
    if (!answer.ok) return answer;
    session.state.restorations.set("the log level", () =>
      legacyRpc(session, "logging/setLevel", { level }),
    );
    return ok(undefined);
  });
}
