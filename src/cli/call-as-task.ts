/**
 * `call --task`: the server may answer with a task, which is followed to its end.
 */
import { callToolWithPolling, isObject, toolResult } from "../index.ts";
import type {
  Connected,
  FollowOptions,
  JsonObject,
  Load,
  TaskState,
  Tool,
  ToolResult,
} from "../index.ts";
import { connectedOf } from "./listings.ts";

/** Calls a tool of a load as a task; where that is not offered it is simply called. */
export async function callAsTask(
  tool: Tool,
  args: JsonObject,
  load: Load,
  options: FollowOptions,
): Promise<ToolResult> {
  const { server, remoteName } = tool;
  const connection = connectedOf(load).find(({ name }) => name === server);
  if (connection === undefined || isForbidden(tool, connection)) return tool.execute(args, options);
  return toolResult(await callToolWithPolling(connection, remoteName, args, options), server);
}

/** In the older era a tool says whether it may be called so; in the newer one the server decides. */
function isForbidden({ definition }: Tool, { era }: Connected): boolean {
  const { execution } = definition;
  const support = isObject(execution) ? execution["taskSupport"] : undefined;
  return era === "legacy" && support !== "optional" && support !== "required";
}

const STATUSES: Readonly<Record<TaskState["status"], string>> = {
  working: "working",
  input_required: "waiting for an answer",
  completed: "completed",
  failed: "failed",
  cancelled: "cancelled",
};

/** What a task is at, in a few words. */
export function taskText({ status, statusMessage }: TaskState): string {
  return statusMessage === undefined ? STATUSES[status] : `${STATUSES[status]}, ${statusMessage}`;
}
