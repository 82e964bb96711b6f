/**
 * Calling a tool: one request, and its result shaped.
 */
import type { Result } from "../failure.ts";
import { isObject } from "../json.ts";
import type { JsonObject } from "../json.ts";
import { outputFindings } from "./output-schema.ts";
import type { ListedTool } from "./read-tools.ts";
import type { CallOptions, Tool, ToolResult } from "./records.ts";
import { sessionRpc } from "./session.ts";
import type { Session } from "./session.ts";
import { failedResult, shapeResult } from "./shape-result.ts";

/** Sends `tools/call` and gives the result as it came. */
export function requestToolCall(
  session: Session,
  remoteName: string,
  args: JsonObject | undefined,
  options: CallOptions = {},
): Promise<Result<JsonObject>> {
  const params = { name: remoteName, arguments: isObject(args) ? args : {} };
  return sessionRpc(session, "tools/call", params, isObject(options) ? options : {});
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
  const answer = await requestToolCall(session, listed.remoteName, args, options);
  if (!answer.ok) return failedResult(answer.failure, session.name);
  const shaped = shapeResult(answer.value, session.name);
  const { outputSchema } = listed;
  if (outputSchema === undefined || shaped.isError) return shaped;
  const findings = await outputFindings(outputSchema, shaped.structuredContent);
  return findings.length === 0 ? shaped : { ...shaped, findings };
}
