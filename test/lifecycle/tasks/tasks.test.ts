import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { JsonObject } from "../../../src/json.ts";
import { connect } from "../../../src/lifecycle/connect.ts";
import { makeAnswer } from "../../../src/lifecycle/elicitation.ts";
import type { Connected, ConnectOptions } from "../../../src/lifecycle/records.ts";
import { FOLLOWING_START, afterLook } from "../../../src/lifecycle/tasks/follow-task.ts";
import { readTask } from "../../../src/lifecycle/tasks/task-state.ts";
import {
  callToolAsTask,
  callToolWithPolling,
  cancelTask,
  getTask,
  updateTask,
} from "../../../src/operations/tasks.ts";
import { memoryTransport } from "../../../src/transport/memory.ts";
import { scripted } from "../../support/memory-server.ts";
import type { Script } from "../../support/memory-server.ts";
import { connected, failureOf, objectIn, valueOf } from "../../support/results.ts";

const TASKS = "io.modelcontextprotocol/tasks";
const CAPABILITIES_KEY = "io.modelcontextprotocol/clientCapabilities";
const RESULT: JsonObject = { content: [{ type: "text", text: "done" }] };
const REPORT = { name: "report", inputSchema: { type: "object" } };

/** What a server saw, by method. */
type Log = { readonly method: string; readonly params: JsonObject }[];

function logging(script: Script, log: Log): Script {
  return Object.fromEntries(
    Object.entries(script).map(([method, respond]) => [
      method,
      (params: JsonObject) => {
        log.push({ method, params });
        return respond(params);
      },
    ]),
  );
}

/** A server of the 2026-07-28 era whose one task shows these states, look by look. */
async function modernServer(
  states: readonly JsonObject[],
  log: Log,
  options: ConnectOptions = {},
): Promise<Connected> {
  const looks = [...states];
  const script: Script = {
    "server/discover": () => ({
      supportedVersions: ["2026-07-28"],
      capabilities: { tools: {}, extensions: { [TASKS]: {} } },
      resultType: "complete",
    }),
    "tools/list": () => ({ tools: [REPORT], resultType: "complete" }),
    "tools/call": () => ({ resultType: "task", taskId: "t1", status: "working", ttlMs: null }),
    "tasks/get": () => {
      const state = (looks.length > 1 ? looks.shift() : looks[0]) ?? {};
      return { resultType: "complete", taskId: "t1", ttlMs: null, ...state };
    },
    "tasks/update": () => ({ resultType: "complete" }),
    "tasks/cancel": () => ({ resultType: "complete" }),
  };
  const open = memoryTransport(scripted(logging(script, log)));
  return connected(await connect({ name: "jobs", open }, options));
}

/** A server of 2025-11-25 whose task shows these statuses, and whose result is asked for apart. */
async function legacyServer(statuses: readonly string[], log: Log): Promise<Connected> {
  const looks = [...statuses];
  const stamp = { createdAt: "2026-01-01T00:00:00Z", lastUpdatedAt: "2026-01-01T00:00:00Z" };
  const task = (status: string): JsonObject => ({ taskId: "t1", status, ttl: 1000, ...stamp });
  const script: Script = {
    initialize: () => ({
      protocolVersion: "2025-11-25",
      capabilities: { tools: {}, tasks: { cancel: {}, requests: { tools: { call: {} } } } },
      serverInfo: { name: "jobs", version: "1" },
    }),
    "tools/list": () => ({
      tools: [{ ...REPORT, execution: { taskSupport: "required" } }],
    }),
    "tools/call": () => ({ task: { ...task("working"), pollInterval: 200 } }),
    "tasks/get": () => task((looks.length > 1 ? looks.shift() : looks[0]) ?? "completed"),
    "tasks/result": () => RESULT,
    "tasks/cancel": () => task("cancelled"),
  };
  const open = memoryTransport(scripted(logging(script, log)));
  return connected(await connect({ name: "jobs", open }));
}

const methodsOf = (log: Log): readonly string[] => log.map(({ method }) => method);
const sentTo = (log: Log, method: string): readonly JsonObject[] =>
  log.filter((seen) => seen.method === method).map(({ params }) => params);

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** The outcome of a promise that waits for timers. */
async function settled<T>(promise: Promise<T>): Promise<T> {
  const state = { isOver: false };
  void promise.then(() => {
    state.isOver = true;
  });
  while (!state.isOver) await vi.advanceTimersByTimeAsync(50);
  return promise;
}

describe("tasks of the 2026-07-28 era", () => {
  it("follows a task to the tool's own result, at the pace the server asks for (A41)", async () => {
    const log: Log = [];
    const connection = await modernServer(
      [
        { status: "working", pollIntervalMs: 5000 },
        { status: "working", pollIntervalMs: 1 },
        { status: "completed", result: RESULT },
      ],
      log,
    );
    const startedAt = performance.now();
    const result = await settled(callToolWithPolling(connection, "report"));
    expect(valueOf(result)).toEqual(RESULT);
    // 1000 by default, 5000 as asked, and 100 where 1 was asked for.
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(6100);
    expect(performance.now() - startedAt).toBeLessThan(6400);
  });

  it("declares the extension with every request about tasks, and the caller's own keys survive (A40)", async () => {
    const log: Log = [];
    const connection = await modernServer([{ status: "completed", result: RESULT }], log);
    const own = { [CAPABILITIES_KEY]: { extensions: { "x/y": { a: 1 } } } };
    const started = await callToolAsTask(connection, "report", {}, { meta: own });
    expect(valueOf(started)).toMatchObject({ kind: "task", task: { taskId: "t1" } });
    valueOf(await getTask(connection, "t1"));
    const declared = (params: JsonObject): JsonObject =>
      objectIn(objectIn(objectIn(params["_meta"])[CAPABILITIES_KEY])["extensions"]);
    expect(sentTo(log, "tools/call").map(declared)).toEqual([{ "x/y": { a: 1 }, [TASKS]: {} }]);
    expect(sentTo(log, "tasks/get").map(declared)).toEqual([{ [TASKS]: {} }]);
  });

  it("asks each question of a task once, however often the task shows it", async () => {
    const log: Log = [];
    const asked: string[] = [];
    const question = { method: "elicitation/create", params: { message: "sure?" } };
    const connection = await modernServer(
      [
        { status: "input_required", inputRequests: { a: question } },
        { status: "input_required", inputRequests: { a: question } },
        { status: "input_required", inputRequests: { a: question, b: question } },
        { status: "completed", result: RESULT },
      ],
      log,
      {
        waitFor: (request) => {
          asked.push(request.prompt);
          return makeAnswer(request.id, true);
        },
      },
    );
    expect(valueOf(await settled(callToolWithPolling(connection, "report")))).toEqual(RESULT);
    const accepted = { action: "accept", content: {} };
    const responses = sentTo(log, "tasks/update").map((params) => params["inputResponses"]);
    expect(responses).toEqual([{ a: accepted }, { b: accepted }]);
    expect(asked).toHaveLength(2);
  });

  it("tells of the task as each look finds it, and drops what the listener throws", async () => {
    const states = [
      { status: "working", statusMessage: "reading" },
      { status: "completed", result: RESULT },
    ];
    const connection = await modernServer(states, []);
    const told: unknown[] = [];
    const onTask = (task: { readonly status: string; readonly statusMessage?: string }) => {
      told.push([task.status, task.statusMessage]);
      JSON.parse("{");
    };
    const result = await settled(callToolWithPolling(connection, "report", {}, { onTask }));
    expect(valueOf(result)).toEqual(RESULT);
    expect(told).toEqual([
      ["working", undefined],
      ["working", "reading"],
      ["completed", undefined],
    ]);
  });

  it("gives up on a task that keeps waiting for what it has, and ends it", async () => {
    const log: Log = [];
    const question = { method: "elicitation/create", params: { message: "sure?" } };
    const connection = await modernServer(
      [{ status: "input_required", inputRequests: { a: question } }],
      log,
      { waitFor: (request) => makeAnswer(request.id, true) },
    );
    const result = await settled(
      callToolWithPolling(connection, "report", {}, { maxStuckPolls: 4 }),
    );
    expect(failureOf(result)).toMatchObject({ tag: "limit", limit: "stuck-polls", value: 4 });
    expect(sentTo(log, "tasks/cancel")).toHaveLength(1);
  });

  it("ends a task whose question nobody here answers", async () => {
    const log: Log = [];
    const question = { method: "sampling/createMessage", params: {} };
    const connection = await modernServer(
      [{ status: "input_required", inputRequests: { a: question } }],
      log,
    );
    const result = await settled(callToolWithPolling(connection, "report"));
    expect(failureOf(result).tag).toBe("unsupported");
    expect(methodsOf(log)).toContain("tasks/cancel");
  });

  it("tells a task cancelled at the server from one given up here", async () => {
    const connection = await modernServer([{ status: "cancelled" }], []);
    const result = await settled(callToolWithPolling(connection, "report"));
    expect(failureOf(result)).toMatchObject({ tag: "closed", by: "server" });
  });

  it("gives a failed task's error as an rpc-error", async () => {
    const error = { code: -32603, message: "out of ink", data: { left: 0 } };
    const connection = await modernServer([{ status: "failed", error }], []);
    const result = await settled(callToolWithPolling(connection, "report"));
    expect(failureOf(result)).toMatchObject({ tag: "rpc-error", ...error });
  });

  it("an abort ends the task at the server, once, unless the caller wants it to go on", async () => {
    for (const cancelOnAbort of [true, false]) {
      const log: Log = [];
      const connection = await modernServer([{ status: "working" }], log);
      const abort = new AbortController();
      const { signal } = abort;
      const running = callToolWithPolling(connection, "report", {}, { signal, cancelOnAbort });
      await vi.advanceTimersByTimeAsync(1500);
      abort.abort();
      expect(failureOf(await settled(running)).tag).toBe("cancelled");
      expect(sentTo(log, "tasks/cancel")).toHaveLength(cancelOnAbort ? 1 : 0);
    }
  });

  it("a cap on the whole ends a task that never does", async () => {
    const log: Log = [];
    const connection = await modernServer([{ status: "working" }], log);
    const result = await settled(
      callToolWithPolling(connection, "report", {}, { maxTotalMs: 3500 }),
    );
    expect(failureOf(result)).toMatchObject({ tag: "timeout", timeoutMs: 3500 });
    expect(methodsOf(log).at(-1)).toBe("tasks/cancel");
  });

  it("an answer with no responses has no such member (A43), and cancelling twice is fine (A44)", async () => {
    const log: Log = [];
    const connection = await modernServer([{ status: "working" }], log);
    valueOf(await updateTask(connection, "t1", {}));
    valueOf(await cancelTask(connection, "t1"));
    valueOf(await cancelTask(connection, "t1"));
    expect(Object.keys(sentTo(log, "tasks/update")[0] ?? {})).not.toContain("inputResponses");
    expect(sentTo(log, "tasks/cancel")).toHaveLength(2);
  });
});

describe("tasks of 2025-11-25", () => {
  it("calls a tool that must be a task as one, and gives its own result", async () => {
    const log: Log = [];
    const connection = await legacyServer(["working", "completed"], log);
    const [tool] = connection.tools;
    const result = await settled(tool?.execute() ?? Promise.reject(new Error("no tool")));
    expect(result).toMatchObject({ output: "done", isError: false });
    expect(sentTo(log, "tools/call")[0]).toMatchObject({ name: "report", task: {} });
    expect(methodsOf(log).slice(-3)).toEqual(["tasks/get", "tasks/get", "tasks/result"]);
  });

  it("asks for a task only where the tool says that it may be one", async () => {
    const log: Log = [];
    const script: Script = {
      initialize: () => ({
        protocolVersion: "2025-11-25",
        capabilities: { tools: {}, tasks: { requests: { tools: { call: {} } } } },
        serverInfo: { name: "jobs", version: "1" },
      }),
      "tools/list": () => ({
        tools: [undefined, "forbidden", "optional", "required"].map((taskSupport) => ({
          name: taskSupport ?? "silent",
          inputSchema: { type: "object" },
          ...(taskSupport === undefined ? {} : { execution: { taskSupport } }),
        })),
      }),
      "tools/call": () => RESULT,
    };
    const open = memoryTransport(scripted(logging(script, log)));
    const connection = connected(await connect({ name: "jobs", open }));
    for (const name of ["silent", "forbidden", "optional", "required", "unlisted"]) {
      valueOf(await callToolAsTask(connection, name));
    }
    const asTask = sentTo(log, "tools/call").filter((params) => "task" in params);
    expect(asTask.map(({ name }) => name)).toEqual(["optional", "required"]);
  });

  it("asks for the result at once when the task waits for input, since questions come with it", async () => {
    const log: Log = [];
    const connection = await legacyServer(["input_required"], log);
    expect(valueOf(await settled(callToolWithPolling(connection, "report")))).toEqual(RESULT);
    expect(methodsOf(log).slice(-2)).toEqual(["tasks/get", "tasks/result"]);
  });

  it("has no way to hand in answers, and says what to use", async () => {
    const connection = await legacyServer(["working"], []);
    const failure = failureOf(await updateTask(connection, "t1", { a: { action: "accept" } }));
    expect(failure).toMatchObject({ tag: "unsupported", use: "waitFor", maybeExecuted: false });
  });

  it("a server without tasks is simply called, and is asked nothing about tasks", async () => {
    const log: Log = [];
    const script: Script = {
      "tools/list": () => ({ tools: [REPORT] }),
      "tools/call": () => RESULT,
    };
    const open = memoryTransport(scripted(logging(script, log)));
    const connection = connected(await connect({ name: "plain", open }));
    expect(valueOf(await callToolAsTask(connection, "report"))).toEqual({
      kind: "result",
      result: RESULT,
    });
    expect(Object.keys(sentTo(log, "tools/call")[0] ?? {})).not.toContain("task");
    expect(failureOf(await getTask(connection, "t1"))).toMatchObject({
      tag: "unsupported",
      use: "callTool",
    });
  });
});

describe("readTask", () => {
  it("reads the five statuses, and misses what a whole task must hold (A42)", () => {
    const whole: readonly JsonObject[] = [
      { status: "working" },
      { status: "cancelled" },
      { status: "input_required", inputRequests: {} },
      { status: "completed", result: {} },
      { status: "failed", error: { code: 1, message: "" } },
    ];
    for (const task of whole) expect(readTask({ taskId: "t", ...task }, true).ok).toBe(true);
    for (const status of ["input_required", "completed", "failed"]) {
      expect(failureOf(readTask({ taskId: "t", status }, true)).tag).toBe("malformed-body");
      expect(readTask({ taskId: "t", status }, false).ok).toBe(true);
    }
  });

  it("gives a value, for any JSON object", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.boolean(), (task, isWhole) => {
        const read = readTask({ taskId: "t", ...task }, isWhole);
        expect(typeof read.ok).toBe("boolean");
      }),
    );
  });
});

describe("afterLook", () => {
  const anyPoll = (): fc.Arbitrary<number> =>
    fc.oneof(fc.double(), fc.constantFrom(0, -1, Infinity, Number.NaN, 2 ** 40));

  it("waits between the two limits, for any interval a server asks for", () => {
    fc.assert(
      fc.property(anyPoll(), (pollIntervalMs) => {
        const task = valueOf(readTask({ taskId: "t", status: "working", pollIntervalMs }, true));
        const step = afterLook(FOLLOWING_START, task, { minPollMs: 100, maxPollMs: 5000 });
        if (step.kind !== "wait") return expect.fail(step.kind);
        expect(step.ms).toBeGreaterThanOrEqual(100);
        expect(step.ms).toBeLessThanOrEqual(5000);
      }),
    );
  });

  it("asks only for keys that have no answer yet, for any keys", () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.string()), fc.uniqueArray(fc.string()), (shown, known) => {
        const inputRequests = Object.fromEntries(shown.map((key) => [key, {}]));
        const task = valueOf(
          readTask({ taskId: "t", status: "input_required", inputRequests }, true),
        );
        const step = afterLook({ answered: new Set(known), stuck: 0 }, task, {});
        const fresh = Object.keys(inputRequests).filter((key) => !known.includes(key));
        const requests = Object.fromEntries(fresh.map((key) => [key, {}]));
        expect(step).toMatchObject(
          fresh.length === 0 ? { kind: "wait", isStuck: true } : { kind: "answer", requests },
        );
      }),
    );
  });
});
