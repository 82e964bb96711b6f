/**
 * One scripted server behind the same faults, over each way to reach it.
 */
import { resolve } from "node:path";
import { onTestFinished } from "vitest";
import type { JsonObject } from "../../src/json.ts";
import { faultyTransport, scriptedPeer } from "../../src/testing/index.ts";
import type { FaultPlan, PeerScript } from "../../src/testing/index.ts";
import type { Entry } from "./legs.ts";

/** What such a server is told. */
export interface Told {
  readonly plan?: FaultPlan;
  readonly script?: PeerScript;
  /** Variables of its environment that a process writes to stderr. */
  readonly tells?: readonly string[];
}

/** A way to reach it; the server ends with the test. */
export interface FaultyWay {
  readonly kind: "memory" | "stdio" | "http";
  start(told: Told): Promise<Entry>;
}

const SERVER = resolve(import.meta.dirname, "../fixtures/faults/server.mjs");

/** Two tools on two pages; a call tells of progress and asks before it answers. */
export const SCRIPT: PeerScript = {
  tools: [
    { name: "echo", inputSchema: { type: "object" } },
    { name: "ask", description: "Asks.", inputSchema: { type: "object" } },
  ],
  pageSize: 1,
  replies: {
    "tools/call ask": {
      notifications: [
        { method: "notifications/progress", params: { progress: 1 } },
        { method: "notifications/message", params: { level: "info", data: "half way" } },
      ],
      questions: [{ method: "roots/list" }],
      result: { content: [{ type: "text", text: "asked" }] },
    },
  },
};

/** The same faults in memory, in a process and behind a socket. */
export const FAULTY_WAYS: readonly FaultyWay[] = [
  {
    kind: "memory",
    start: ({ plan = [], script = SCRIPT }) =>
      Promise.resolve({ open: faultyTransport(scriptedPeer(script).open, plan) }),
  },
  {
    kind: "stdio",
    start: ({ plan = [], script = SCRIPT, tells = [] }) => {
      const spec = JSON.stringify({ plan, script, env: tells });
      return Promise.resolve<JsonObject>({ command: process.execPath, args: [SERVER, spec] });
    },
  },
  {
    kind: "http",
    start: async ({ plan = [], script = SCRIPT }) => {
      // The fixture runs on the built package; whoever only needs memory does not.
      const { serveHttp } = await import("../fixtures/faults/server.mjs");
      const server = await serveHttp({ plan, script });
      onTestFinished(() => server.close());
      return { url: server.url };
    },
  },
];

/** How often a property over a real wire runs: a few times, unless more is asked for. */
export function fewRuns(few: number): { readonly numRuns: number } {
  const wanted = process.env["FC_RUNS"];
  return { numRuns: wanted === undefined ? few : Number(wanted) };
}
