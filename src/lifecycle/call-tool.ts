/**
 * Calling a tool: one request, and its result shaped.
 */
import type { Result } from "../failure.ts";
import { isObject } from "../json.ts";
import type { JsonObject } from "../json.ts";
import { outputFindings } from "./output-schema.ts";
import { taskSupport } from "./read-tools.ts";
import type { ListedTool } from "./read-tools.ts";
import type { CallOptions, Tool, ToolResult } from "./records.ts";
import { listEveryTool } from "./list-tools.ts";
import { sessionRpc } from "./send.ts";
import type { Session } from "./session.ts";
import { failedResult, shapeResult } from "./shape-result.ts";
import { callAndFollow } from "./tasks/follow-task.ts";

/** The server says that headers and body of a request differ. */
const HEADER_MISMATCH = -32020;

/**
 * Sends `tools/call` and gives the result as it came.
 *
 * When the server says that the headers do not fit, this client's copy of the tool is old: the tools
 * are listed anew and the call is sent once more, as long as the tool is still there.
 */
export async function requestToolCall(
  session: Session,
  remoteName: string,
  args: JsonObject | undefined,
  options: CallOptions = {},
): Promise<Result<JsonObject>> {
  const params = { name: remoteName, arguments: isObject(args) ? args : {} };
  const call = (): Promise<Result<JsonObject>> =>
    sessionRpc(session, "tools/call", params, options);
  const answer = await call();
  if (answer.ok || answer.failure.tag !== "rpc-error" || answer.failure.code !== HEADER_MISMATCH) {
    return answer;
  }
  const listed = await listEveryTool(session, () => options);
  const isThere = listed.ok && listed.value.tools.some((tool) => tool.remoteName === remoteName);
  return isThere ? call() : answer;
}

/** A listed tool as a record that calls itself over the session. */
export function toolOf(session: Session, listed: ListedTool, name: string): Tool {
  return {
    name,
    ...listed,
    source: "mcp",
    server: session.name,
    execute: (args, options) => execute(session, listed, args, options),
  };
}

async function execute(
  session: Session,
  listed: ListedTool,
  args: JsonObject | undefined,
  options: CallOptions | undefined,
): Promise<ToolResult> {
  const mustBeTask = session.agreement.era === "legacy" && taskSupport(listed) === "required";
  const answer = mustBeTask
    ? await callAndFollow(session, listed.remoteName, args, options ?? {})
    : await requestToolCall(session, listed.remoteName, args, options);
  if (!answer.ok) return failedResult(answer.failure, session.name);
  const shaped = shapeResult(answer.value, session.name);
  const { outputSchema } = listed;
  if (outputSchema === undefined || shaped.isError) return shaped;
  const findings = await outputFindings(outputSchema, shaped.structuredContent);
  if (findings.length === 0) return shaped;
  const shown = findings.map(({ code, detail }) => ({
    code,
    detail: session.inbox.redact(detail),
  }));
  return { ...shaped, findings: shown };
}
