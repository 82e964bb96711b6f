/**
 * Following a task to its end: what to do after each look, as a pure function, and the loop around it.
 */
import { err, ok } from "../../failure.ts";
import type { Failure, Result } from "../../failure.ts";
import type { JsonObject } from "../../json.ts";
import { callBack } from "../../transport/call-back.ts";
import { resolveInputRequests } from "../input-requests.ts";
import type { CallOptions } from "../records.ts";
import type { Session } from "../session.ts";
import { answerTask, endTask, lookAtTask, resultOfTask, startTask } from "./task-requests.ts";
import type { TaskState } from "./task-state.ts";

/** How a task is followed. */
export interface FollowOptions extends CallOptions {
  /** After so many looks in a row at a task that waits for answers it already has, give up; 60. */
  readonly maxStuckPolls?: number;
  /** The shortest wait between two looks, in milliseconds, whatever the server says; 100. */
  readonly minPollMs?: number;
  /** The longest; 60 000. */
  readonly maxPollMs?: number;
  /** Whether an abort or a timeout also ends the task at the server; true. */
  readonly cancelOnAbort?: boolean;
  /** Takes the task as it was started, and as each look finds it; what it throws is dropped. */
  readonly onTask?: (task: TaskState) => void;
}

/** What has been seen of a task so far. */
export interface Following {
  /** Keys of input requests that have been answered. */
  readonly answered: ReadonlySet<string>;
  /** Looks in a row that found nothing new to answer. */
  readonly stuck: number;
}

/** What to do after a look. */
export type FollowStep =
  | { readonly kind: "done"; readonly result: Result<JsonObject> }
  /** Ask for what is not in the task: in the older era by `tasks/result`, else by another look. */
  | { readonly kind: "fetch" }
  | { readonly kind: "answer"; readonly requests: JsonObject }
  | { readonly kind: "wait"; readonly ms: number; readonly isStuck: boolean }
  | { readonly kind: "give-up" };

/** A task that was only just started. */
export const FOLLOWING_START: Following = { answered: new Set(), stuck: 0 };

const DEFAULT_POLL_MS = 1000;
const CANCEL_TIMEOUT_MS = 2000;
/** Looks in a row that may fail before the task counts as lost. */
const MAX_LOST_LOOKS = 3;

/** What to do after a look at a task. */
export function afterLook(
  following: Following,
  task: TaskState,
  options: FollowOptions,
): FollowStep {
  switch (task.status) {
    case "completed":
      return task.result === null ? { kind: "fetch" } : { kind: "done", result: ok(task.result) };
    case "failed":
      if (task.error === null) return { kind: "fetch" };
      return { kind: "done", result: err({ ...task.error, maybeExecuted: true }) };
    case "cancelled":
      return { kind: "done", result: err({ tag: "closed", by: "server", maybeExecuted: true }) };
    case "working":
      return { kind: "wait", ms: pollMs(task, options), isStuck: false };
    case "input_required":
      return afterQuestions(following, task, options);
  }
}

function afterQuestions(
  following: Following,
  task: TaskState & { readonly status: "input_required" },
  options: FollowOptions,
): FollowStep {
  if (task.inputRequests === null) return { kind: "fetch" };
  const fresh = Object.entries(task.inputRequests).filter(([key]) => !following.answered.has(key));
  if (fresh.length > 0) return { kind: "answer", requests: Object.fromEntries(fresh) };
  if (following.stuck + 1 >= (options.maxStuckPolls ?? 60)) return { kind: "give-up" };
  return { kind: "wait", ms: pollMs(task, options), isStuck: true };
}

function pollMs(task: TaskState, options: FollowOptions): number {
  const { minPollMs = 100, maxPollMs = 60_000 } = options;
  return Math.min(maxPollMs, Math.max(minPollMs, task.pollIntervalMs ?? DEFAULT_POLL_MS));
}

/** Calls a tool and follows the task it may start; gives the tool's own result. */
export async function callAndFollow(
  session: Session,
  name: string,
  args: JsonObject | undefined,
  options: FollowOptions,
): Promise<Result<JsonObject>> {
  const started = await startTask(session, name, args, options);
  if (!started.ok) return started;
  if (started.value.kind === "result") return ok(started.value.result);
  const { taskId } = started.value.task;
  const result = await follow(session, started.value.task, options);
  if (!result.ok && endsTask(result.failure, options)) {
    // The caller's signal has fired or time is up; this one request is sent all the same.
    await endTask(session, taskId, { timeoutMs: CANCEL_TIMEOUT_MS });
  }
  return result;
}

/** Our own reasons to stop; what the server said of the task needs no telling. */
function endsTask(failure: Failure, options: FollowOptions): boolean {
  if (options.cancelOnAbort === false) return false;
  return ["cancelled", "timeout", "unsupported", "limit"].includes(failure.tag);
}

async function follow(
  session: Session,
  first: TaskState,
  options: FollowOptions,
): Promise<Result<JsonObject>> {
  const endsAt = performance.now() + (options.maxTotalMs ?? Infinity);
  let following = FOLLOWING_START;
  let task: TaskState = first;
  for (;;) {
    tell(task, options);
    const step = afterLook(following, task, options);
    switch (step.kind) {
      case "done":
        return step.result;
      case "fetch":
        if (session.agreement.era === "legacy") return resultOfTask(session, task.taskId, options);
        break;
      case "give-up":
        return err({
          tag: "limit",
          limit: "stuck-polls",
          value: options.maxStuckPolls ?? 60,
          maybeExecuted: true,
        });
      case "answer": {
        const answered = await answerAll(session, task.taskId, step.requests, options);
        if (!answered.ok) return answered;
        following = {
          answered: new Set([...following.answered, ...Object.keys(step.requests)]),
          stuck: 0,
        };
        break;
      }
      case "wait":
        following = { ...following, stuck: step.isStuck ? following.stuck + 1 : 0 };
        await pause(Math.min(step.ms, endsAt - performance.now()), options.signal);
    }
    if (options.signal?.aborted === true) return err({ tag: "cancelled", maybeExecuted: true });
    if (performance.now() >= endsAt) {
      return err({ tag: "timeout", timeoutMs: options.maxTotalMs ?? 0, maybeExecuted: true });
    }
    const look = await lookUntilFound(session, task.taskId, options);
    if (!look.ok) return look;
    task = look.value;
  }
}

function tell(task: TaskState, { onTask }: FollowOptions): void {
  callBack(
    () => onTask?.(task),
    () => undefined,
  );
}

async function answerAll(
  session: Session,
  taskId: string,
  requests: JsonObject,
  options: FollowOptions,
): Promise<Result<void>> {
  const { signal } = options;
  const responses = await resolveInputRequests(
    session,
    requests,
    signal === undefined ? {} : { signal },
  );
  return responses.ok ? answerTask(session, taskId, responses.value, options) : responses;
}

/** One look may be lost on the way without the task being lost. */
async function lookUntilFound(
  session: Session,
  taskId: string,
  options: FollowOptions,
): Promise<Result<TaskState>> {
  for (let lost = 1; ; lost++) {
    const look = await lookAtTask(session, taskId, options);
    if (look.ok || lost >= MAX_LOST_LOOKS || !isPassing(look.failure)) return look;
    await pause(options.minPollMs ?? 100, options.signal);
  }
}

function isPassing(failure: Failure): boolean {
  if (failure.tag === "http-status") return failure.status === 429 || failure.status >= 500;
  return failure.tag === "timeout" || failure.tag === "transport";
}

function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, Math.max(0, ms));
    signal?.addEventListener("abort", end, { once: true });
    if (signal?.aborted === true) end();
  });
}
