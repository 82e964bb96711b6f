/**
 * Tasks: a call whose result comes later. What a server says of one, read in either era.
 *
 * Lives in this folder: starting, following and ending tasks of 2025-11-25 (part of the core) and of
 * the `io.modelcontextprotocol/tasks` extension of 2026-07-28; the two differ on the wire only.
 *
 * @see https://modelcontextprotocol.io/specification/2025-11-25/basic/utilities/tasks
 */
import { err, ok } from "../../failure.ts";
import type { Result, RpcErrorFailure } from "../../failure.ts";
import { isObject } from "../../json.ts";
import type { Json, JsonObject } from "../../json.ts";
import { typeName } from "../../protocol/messages.ts";
import type { Era } from "../../protocol/versions.ts";

/** What is the same of every task. */
export interface TaskBase {
  readonly taskId: string;
  readonly statusMessage?: string;
  readonly createdAt?: string;
  readonly lastUpdatedAt?: string;
  /** How long the server keeps the task, in milliseconds from its creation; null = no limit known. */
  readonly ttlMs: number | null;
  /** How long to wait between two looks, in milliseconds. */
  readonly pollIntervalMs?: number;
}

/** A task that goes on. */
export interface WorkingTask extends TaskBase {
  readonly status: "working";
}

/** A task that waits for answers. */
export interface InputRequiredTask extends TaskBase {
  readonly status: "input_required";
  /** The questions by key; null where they are not in the task. */
  readonly inputRequests: JsonObject | null;
}

/** A task that is done; its result is null where it is not in the task. */
export interface CompletedTask extends TaskBase {
  readonly status: "completed";
  readonly result: JsonObject | null;
}

/** A task that ended without a result; the error is null where it is not in the task. */
export interface FailedTask extends TaskBase {
  readonly status: "failed";
  readonly error: RpcErrorFailure | null;
}

/** A task that was ended on request. */
export interface CancelledTask extends TaskBase {
  readonly status: "cancelled";
}

/** A task as its server describes it; match on `status`. */
export type TaskState =
  | WorkingTask
  | InputRequiredTask
  | CompletedTask
  | FailedTask
  | CancelledTask;

/**
 * A task from its JSON; `malformed-body` for a status that is not known.
 *
 * @param isWhole - Whether what its status needs (questions, result, error) must be in it. In the
 * older era, and when a task is created, it is asked for apart.
 */
export function readTask(task: JsonObject, isWhole: boolean): Result<TaskState> {
  const { taskId, status, inputRequests, result } = task;
  if (typeof taskId !== "string") return malformed(`taskId is ${typeName(taskId)}, not a string`);
  const base = taskBase(taskId, task);
  switch (status) {
    case "working":
    case "cancelled":
      return ok({ ...base, status });
    case "input_required":
      return isWhole && !isObject(inputRequests)
        ? malformed(`inputRequests is ${typeName(inputRequests)}, not an object`)
        : ok({ ...base, status, inputRequests: isObject(inputRequests) ? inputRequests : null });
    case "completed":
      return isWhole && !isObject(result)
        ? malformed(`a completed task whose result is ${typeName(result)}`)
        : ok({ ...base, status, result: isObject(result) ? result : null });
    case "failed": {
      const error = taskError(task["error"]);
      return isWhole && error === null
        ? malformed("a failed task without an error code")
        : ok({ ...base, status, error });
    }
    default:
      return malformed(`the task's status ${JSON.stringify(status)} is not known`);
  }
}

function taskBase(taskId: string, task: JsonObject): TaskBase {
  const { statusMessage, createdAt, lastUpdatedAt } = task;
  const ttl = task["ttlMs"] ?? task["ttl"];
  const interval = task["pollIntervalMs"] ?? task["pollInterval"];
  return {
    taskId,
    ...(typeof statusMessage === "string" ? { statusMessage } : {}),
    ...(typeof createdAt === "string" ? { createdAt } : {}),
    ...(typeof lastUpdatedAt === "string" ? { lastUpdatedAt } : {}),
    ttlMs: isMilliseconds(ttl) ? ttl : null,
    ...(isMilliseconds(interval) ? { pollIntervalMs: interval } : {}),
  };
}

function isMilliseconds(value: Json | undefined): value is number {
  return typeof value === "number" && Number.isFinite(value);
}

function taskError(error: Json | undefined): RpcErrorFailure | null {
  if (!isObject(error) || typeof error["code"] !== "number") return null;
  const { code, message, data } = error;
  const text = typeof message === "string" ? message : "";
  return { tag: "rpc-error", code, message: text, ...(data === undefined ? {} : { data }) };
}

function malformed(detail: string): Result<never> {
  return err({ tag: "malformed-body", detail, maybeExecuted: true });
}

/** The task a `tools/call` result starts, or null when it is the result itself. */
export function startedTask(result: JsonObject, era: Era): JsonObject | null {
  if (era === "modern") return result["resultType"] === "task" ? result : null;
  return isObject(result["task"]) && !("content" in result) ? result["task"] : null;
}
