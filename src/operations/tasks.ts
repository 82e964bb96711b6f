/**
 * Calls whose result comes later, as tasks.
 *
 * @see https://modelcontextprotocol.io/specification/2025-11-25/basic/utilities/tasks
 */
import { err } from "../failure.ts";
import type { Result } from "../failure.ts";
import type { JsonObject } from "../json.ts";
import type { CallOptions, Connected } from "../lifecycle/records.ts";
import { callAndFollow } from "../lifecycle/tasks/follow-task.ts";
import type { FollowOptions } from "../lifecycle/tasks/follow-task.ts";
import { answerTask, endTask, lookAtTask, startTask } from "../lifecycle/tasks/task-requests.ts";
import type { TaskOrResult } from "../lifecycle/tasks/task-requests.ts";
import type { TaskState } from "../lifecycle/tasks/task-state.ts";
import { blankProblem, objectProblem } from "./arguments.ts";
import { inSession } from "./operation.ts";

/**
 * Calls a tool so that the server may answer with a task; gives the task, or the result.
 *
 * A server without tasks is simply called. Fails as a call does.
 *
 * @example
 * ```ts
 * import type { Connected } from "mcp-source";
 * import { callToolAsTask } from "mcp-source";
 * async function start(connection: Connected): Promise<string | undefined> {
 *   const started = await callToolAsTask(connection, "research", { topic: "tides" });
 *   return started.ok && started.value.kind === "task" ? started.value.task.taskId : undefined;
 * }
 * ```
 */
export function callToolAsTask(
  connection: Connected,
  name: string,
  args: JsonObject = {},
  options: CallOptions = {},
): Promise<Result<TaskOrResult>> {
  return inSession(connection, options, async (session, call) => {
    const problem = blankProblem("name", name) ?? objectProblem("args", args);
    return problem === null ? startTask(session, name, args, call) : err(problem);
  });
}

/**
 * Calls a tool, follows the task it may start, and gives the tool's own result.
 *
 * Looks as often as the server asks for, within `minPollMs` and `maxPollMs`. Questions of the task
 * are answered once each, as with a plain call. An abort or a timeout ends the task at the server,
 * unless `cancelOnAbort` is false. Fails as a call does; with `closed` (by server) when the task was
 * cancelled there, and `limit` (stuck-polls) when it keeps waiting for answers it has.
 *
 * @example
 * ```ts
 * import type { Connected } from "mcp-source";
 * import { callToolWithPolling } from "mcp-source";
 * async function research(connection: Connected) {
 *   return callToolWithPolling(connection, "research", { topic: "tides" }, { maxTotalMs: 60_000 });
 * }
 * ```
 */
export function callToolWithPolling(
  connection: Connected,
  name: string,
  args: JsonObject = {},
  options: FollowOptions = {},
): Promise<Result<JsonObject>> {
  return inSession(connection, options, async (session, call) => {
    const problem = blankProblem("name", name) ?? objectProblem("args", args);
    if (problem !== null) return err(problem);
    return callAndFollow(session, name, args, { ...options, ...call });
  });
}

/**
 * Looks at a task.
 *
 * Fails with `unsupported` where the server has no tasks, `rpc-error` (-32602) for one it does not
 * know, `malformed-body` for one that lacks what its status needs.
 *
 * @example
 * ```ts
 * import type { Connected } from "mcp-source";
 * import { getTask } from "mcp-source";
 * async function isDone(connection: Connected, taskId: string): Promise<boolean> {
 *   const task = await getTask(connection, taskId);
 *   return task.ok && task.value.status === "completed";
 * }
 * ```
 */
export function getTask(
  connection: Connected,
  taskId: string,
  options: CallOptions = {},
): Promise<Result<TaskState>> {
  return inSession(connection, options, async (session, call) => {
    const problem = blankProblem("taskId", taskId);
    return problem === null ? lookAtTask(session, taskId, call) : err(problem);
  });
}

/**
 * Hands in answers to what a task asks, by the keys of its `inputRequests`.
 *
 * Only in the 2026-07-28 era: older servers ask through requests, which go to `waitFor`.
 *
 * @example
 * ```ts
 * import type { Connected } from "mcp-source";
 * import { updateTask } from "mcp-source";
 * async function confirm(connection: Connected, taskId: string) {
 *   return updateTask(connection, taskId, { sure: { action: "accept", content: { ok: true } } });
 * }
 * ```
 */
export function updateTask(
  connection: Connected,
  taskId: string,
  responses: JsonObject,
  options: CallOptions = {},
): Promise<Result<void>> {
  return inSession(connection, options, async (session, call) => {
    const problem = blankProblem("taskId", taskId) ?? objectProblem("responses", responses);
    return problem === null ? answerTask(session, taskId, responses, call) : err(problem);
  });
}

/**
 * Asks the server to end a task; it may complete all the same.
 *
 * @example
 * ```ts
 * import type { Connected } from "mcp-source";
 * import { cancelTask } from "mcp-source";
 * async function forget(connection: Connected, taskId: string) {
 *   return cancelTask(connection, taskId);
 * }
 * ```
 */
export function cancelTask(
  connection: Connected,
  taskId: string,
  options: CallOptions = {},
): Promise<Result<void>> {
  return inSession(connection, options, async (session, call) => {
    const problem = blankProblem("taskId", taskId);
    return problem === null ? endTask(session, taskId, call) : err(problem);
  });
}
