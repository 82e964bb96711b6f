/**
 * The requests about tasks, each in the words of its session's era.
 */
import { err, ok } from "../../failure.ts";
import type { Result } from "../../failure.ts";
import { isObject } from "../../json.ts";
import type { JsonObject } from "../../json.ts";
import { META } from "../../protocol/envelope.ts";
import { TASKS_EXTENSION } from "../modern.ts";
import type { CallOptions } from "../records.ts";
import { sessionRpc } from "../send.ts";
import type { Session } from "../session.ts";
import { readTask, startedTask } from "./task-state.ts";
import type { TaskState } from "./task-state.ts";

/** A call that gave its result at once, or a task that will. */
export type TaskOrResult =
  | { readonly kind: "result"; readonly result: JsonObject }
  | { readonly kind: "task"; readonly task: TaskState };

/** Whether a server names a capability, by its path. */
function hasCapability(session: Session, ...path: readonly string[]): boolean {
  let at: JsonObject[string] = session.agreement.capabilities;
  for (const key of path) at = isObject(at) ? at[key] : undefined;
  return at !== undefined;
}

/** Whether a server has tasks, for calls of tools. */
export function servesTasks(session: Session): boolean {
  return session.agreement.era === "modern"
    ? hasCapability(session, "extensions", TASKS_EXTENSION)
    : hasCapability(session, "tasks", "requests", "tools", "call");
}

/** The options with the extension declared, which every request about tasks needs. */
function declaring(session: Session, options: CallOptions): CallOptions {
  if (session.agreement.era === "legacy") return options;
  const own = options.meta?.[META.clientCapabilities];
  const capabilities = isObject(own) ? own : {};
  const extensions = isObject(capabilities["extensions"]) ? capabilities["extensions"] : {};
  const declared = { ...capabilities, extensions: { ...extensions, [TASKS_EXTENSION]: {} } };
  return { ...options, meta: { ...options.meta, [META.clientCapabilities]: declared } };
}

/**
 * Calls a tool so that it may be answered by a task.
 *
 * A server without tasks is simply called, and in the older era so is a tool that does not say that
 * it may be one: asking for a task would be refused.
 */
export async function startTask(
  session: Session,
  name: string,
  args: JsonObject | undefined,
  options: CallOptions,
): Promise<Result<TaskOrResult>> {
  const { era } = session.agreement;
  const params = { name, arguments: isObject(args) ? args : {} };
  const mayBeTask = era === "legacy" && servesTasks(session) && session.state.taskTools.has(name);
  const asked = mayBeTask ? { ...params, task: {} } : params;
  const answer = await sessionRpc(session, "tools/call", asked, declaring(session, options));
  if (!answer.ok) return answer;
  const started = startedTask(answer.value, era);
  if (started === null) return ok({ kind: "result", result: answer.value });
  const task = readTask(started, false);
  return task.ok ? ok({ kind: "task", task: task.value }) : task;
}

/** Looks at a task. */
export async function lookAtTask(
  session: Session,
  taskId: string,
  options: CallOptions,
): Promise<Result<TaskState>> {
  if (!servesTasks(session)) return noTasks();
  const answer = await sessionRpc(session, "tasks/get", { taskId }, declaring(session, options));
  return answer.ok ? readTask(answer.value, session.agreement.era === "modern") : answer;
}

/** Hands in the answers to what a task asks; the older era asks through requests instead. */
export async function answerTask(
  session: Session,
  taskId: string,
  responses: JsonObject,
  options: CallOptions,
): Promise<Result<void>> {
  if (!servesTasks(session)) return noTasks();
  if (session.agreement.era === "legacy") {
    const detail = "tasks of this version ask through requests of the server";
    return err({ tag: "unsupported", detail, use: "waitFor", maybeExecuted: false });
  }
  const answers = Object.keys(responses).length === 0 ? {} : { inputResponses: responses };
  const params = { taskId, ...answers };
  const answer = await sessionRpc(session, "tasks/update", params, declaring(session, options));
  return answer.ok ? ok(undefined) : answer;
}

/** Asks for the end of a task; the server may still complete it. */
export async function endTask(
  session: Session,
  taskId: string,
  options: CallOptions,
): Promise<Result<void>> {
  if (!servesTasks(session)) return noTasks();
  const answer = await sessionRpc(session, "tasks/cancel", { taskId }, declaring(session, options));
  return answer.ok ? ok(undefined) : answer;
}

/** The result of a task of the older era; waits until there is one. */
export function resultOfTask(
  session: Session,
  taskId: string,
  options: CallOptions,
): Promise<Result<JsonObject>> {
  return sessionRpc(session, "tasks/result", { taskId }, options);
}

function noTasks(): Result<never> {
  const detail = "this server has no tasks";
  return err({ tag: "unsupported", detail, use: "callTool", maybeExecuted: false });
}
