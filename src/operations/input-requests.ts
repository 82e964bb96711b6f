/**
 * Answering a server's questions by hand, where they come as data.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/mrtr
 */
import { err } from "../failure.ts";
import type { Result } from "../failure.ts";
import { isObject } from "../json.ts";
import type { JsonObject } from "../json.ts";
import { resolveInputRequests as resolve } from "../lifecycle/input-requests.ts";
import type { Connected } from "../lifecycle/records.ts";
import { invalid } from "./arguments.ts";
import { inSession } from "./operation.ts";
import type { NotifyOptions } from "./request.ts";

/**
 * The answers to a map of input requests, under the same keys, from the handlers given at connect.
 *
 * All are asked at once; the first that cannot be answered fails the whole, and the signals of the
 * others fire. Calls do this by themselves: this is for whoever drives tasks or rounds by hand. Fails
 * with `unsupported` for a question without a handler, `malformed-body` for a request without a
 * method, `cancelled` when the signal fires, `invalid-argument` for anything but a map.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/mrtr
 *
 * @example
 * ```ts
 * import type { Connected } from "mcp-source";
 * import { resolveInputRequests } from "mcp-source";
 * const answers = (connection: Connected) =>
 *   resolveInputRequests(connection, {
 *     sure: { method: "elicitation/create", params: { message: "Sure?" } },
 *   });
 * ```
 */
export function resolveInputRequests(
  connection: Connected,
  requests: JsonObject,
  options: NotifyOptions = {},
): Promise<Result<JsonObject>> {
  return inSession(connection, options, async (session, { signal }) =>
    isObject(requests)
      ? resolve(session, requests, signal === undefined ? {} : { signal })
      : err(invalid("the input requests are no map")),
  );
}
