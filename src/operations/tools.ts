/**
 * Tools: listing them anew, calling one by its own name, and records of them under other names.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/server/tools
 */
import { err, ok } from "../failure.ts";
import type { Result } from "../failure.ts";
import { isObject } from "../json.ts";
import type { JsonObject } from "../json.ts";
import { requestToolCall } from "../lifecycle/call-tool.ts";
import { connectedRecord } from "../lifecycle/connected.ts";
import type { CallOptions, Connected, Tool } from "../lifecycle/records.ts";
import { listSessionTools } from "../lifecycle/session-tools.ts";
import type { SessionTools } from "../lifecycle/session-tools.ts";
import { failedResult } from "../lifecycle/shape-result.ts";
import { invalid, objectProblem } from "./arguments.ts";
import { inSession, objectsOf } from "./operation.ts";
import { onePage } from "./paged.ts";
import type { PageParams } from "./paged.ts";

/**
 * Calls a tool by the server's own name for it and gives the result as it came, `isError` or not.
 *
 * Nothing is shaped or checked against a schema; a tool's own `execute` does that. An answer without
 * content is `malformed-body`. Fails with `invalid-argument` for a name that is no text and arguments
 * that are no object, `rpc-error` for a name the server does not know.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/server/tools#calling-tools
 *
 * @example
 * ```ts
 * import type { Connected } from "mcp-source";
 * import { callTool } from "mcp-source";
 * async function sum(connection: Connected) {
 *   const called = await callTool(connection, "add", { a: 2, b: 3 }, { timeoutMs: 5000 });
 *   return called.ok ? called.value["structuredContent"] : called.failure;
 * }
 * ```
 */
export function callTool(
  connection: Connected,
  name: string,
  args?: JsonObject,
  options: CallOptions = {},
): Promise<Result<JsonObject>> {
  return inSession(connection, options, async (session, call) => {
    if (typeof name !== "string") return err(invalid("name is no string"));
    const problem = objectProblem("args", args);
    if (problem !== null) return err(problem);
    const answer = await requestToolCall(session, name, args, call);
    if (!answer.ok || isWithoutContent(answer.value)) return answer;
    const content = objectsOf(answer.value, "content");
    return content.ok ? answer : content;
  });
}

/** A structured result alone will do, and a task has its content later. */
function isWithoutContent({ content, structuredContent, resultType }: JsonObject): boolean {
  if (content !== undefined) return false;
  return structuredContent !== undefined || resultType === "task";
}

/**
 * Lists the server's tools as they are now, page by page, in the server's order.
 *
 * The tool filter of the config applies. Tools the connection knows keep their names there, new ones
 * get names of their own. `rejected` names the tools that cannot be called over HTTP, since their
 * parameter headers are broken, and why. A list that fails half-way changes nothing.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/server/tools#listing-tools
 *
 * @example
 * ```ts
 * import type { Connected } from "mcp-source";
 * import { listTools } from "mcp-source";
 * async function remoteNames(connection: Connected): Promise<readonly string[]> {
 *   const listed = await listTools(connection);
 *   return listed.ok ? listed.value.tools.map((tool) => tool.remoteName) : [];
 * }
 * ```
 */
export function listTools(
  connection: Connected,
  options: CallOptions = {},
): Promise<Result<SessionTools>> {
  return inSession(connection, options, (session, call) =>
    listSessionTools(session, connection.tools, call),
  );
}

/**
 * One page of the tools, exactly as the server sent it, `nextCursor` included; it changes nothing.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/server/utilities/pagination
 *
 * @example
 * ```ts
 * import type { Connected } from "mcp-source";
 * import { listToolsPage } from "mcp-source";
 * const firstPage = (connection: Connected) => listToolsPage(connection);
 * ```
 */
export function listToolsPage(
  connection: Connected,
  params: PageParams = {},
  options: CallOptions = {},
): Promise<Result<JsonObject>> {
  return onePage(connection, { method: "tools/list", key: "tools" }, params, options);
}

/**
 * The same connection with its tools as they are now; the record given stays as usable as it was.
 *
 * Names are those of `listTools`: a tool that was there keeps its own. Both records share one
 * transport, so closing one closes the other.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/server/tools#list-changed-notification
 *
 * @example
 * ```ts
 * import type { Connected } from "mcp-source";
 * import { refresh } from "mcp-source";
 * async function upToDate(connection: Connected): Promise<Connected> {
 *   const refreshed = await refresh(connection);
 *   return refreshed.ok ? refreshed.value : connection;
 * }
 * ```
 */
export function refresh(
  connection: Connected,
  options: CallOptions = {},
): Promise<Result<Connected>> {
  return inSession(connection, options, async (session, call) => {
    const listed = await listSessionTools(session, connection.tools, call);
    return listed.ok ? ok(connectedRecord(session, listed.value.tools)) : listed;
  });
}

/**
 * The same tool under another name; calls still go out with the server's own.
 *
 * @example
 * ```ts
 * import type { Tool } from "mcp-source";
 * import { rename } from "mcp-source";
 * const short = (tool: Tool): Tool => rename(tool, tool.remoteName);
 * ```
 */
export function rename(tool: Tool, name: string): Tool {
  return { ...tool, name };
}

/**
 * The same tool, whose calls carry members in `_meta`; what a call brings itself wins.
 *
 * @example
 * ```ts
 * import type { Tool } from "mcp-source";
 * import { withMeta } from "mcp-source";
 * const traced = (tool: Tool): Tool => withMeta(tool, { traceparent: "00-0af7-b7ad-01" });
 * ```
 */
export function withMeta(tool: Tool, meta: JsonObject): Tool {
  return {
    ...tool,
    execute: async (args, options) => {
      const own = isObject(options?.meta) ? options.meta : {};
      if (typeof tool?.execute !== "function") return failedResult(invalid("this is no tool"), "");
      return tool.execute(args, { ...options, meta: { ...meta, ...own } });
    },
  };
}
