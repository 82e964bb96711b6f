/**
 * Opens the programs of test/fixtures/stdio as peers, and looks at processes from outside.
 */
import { execFileSync } from "node:child_process";
import { resolve } from "node:path";
import { afterEach, expect } from "vitest";
import type { Failure, Result } from "../../../src/failure.ts";
import { isObject } from "../../../src/json.ts";
import type { JsonObject } from "../../../src/json.ts";
import { childEnv } from "../../../src/transport/stdio/child-env.ts";
import { stdioTransport } from "../../../src/transport/stdio/stdio-transport.ts";
import type { StdioSpec } from "../../../src/transport/stdio/stdio-transport.ts";
import type { CloseDetails, Inbound, Note, Transport } from "../../../src/transport/transport.ts";

/** A peer, and everything it started by itself. */
export interface Peer {
  readonly transport: Transport;
  readonly closed: Promise<CloseDetails>;
  readonly notes: Note[];
  readonly notifications: JsonObject[];
  /** The result of a request that must succeed. */
  call(method: string, params?: JsonObject): Promise<JsonObject>;
  /** The failure of a request that must fail. */
  fail(method: string, params?: JsonObject): Promise<Failure>;
  /** The process id, or another number that its `pid` answer holds; the peer is ready then. */
  fact(name?: string): Promise<number>;
}

/** Long enough for a busy machine; no test waits for it to pass. */
export const LONG: { readonly timeoutMs: number } = { timeoutMs: 20_000 };

const ENV = childEnv({}, "safe", process.env, process.platform);
const opened: Transport[] = [];

afterEach(async () => {
  await Promise.all(opened.splice(0).map((transport) => transport.close({ hurry: true })));
});

/** Where a fixture program stands. */
export function fixture(name: string): string {
  return resolve(import.meta.dirname, "../../fixtures/stdio", `${name}.mjs`);
}

/** How to start a fixture program. */
export function specOf(name: string, args: readonly string[] = []): StdioSpec {
  return { command: process.execPath, args: [fixture(name), ...args], env: ENV };
}

/** Opens a fixture program; it is closed when the test is over. */
export async function openPeer(
  spec: StdioSpec | string,
  answer: Inbound["request"] = () => Promise.resolve(null),
): Promise<Peer> {
  const notes: Note[] = [];
  const notifications: JsonObject[] = [];
  const inbound: Inbound = {
    request: answer,
    notification: (message) => void notifications.push(message),
    note: (note) => void notes.push(note),
  };
  const open = stdioTransport(typeof spec === "string" ? specOf(spec) : spec);
  const transport = valueOf(await open(inbound, {}));
  opened.push(transport);
  const call = async (method: string, params: JsonObject = {}): Promise<JsonObject> =>
    valueOf(await transport.rpc(method, params, LONG));
  return {
    transport,
    closed: transport.closed!,
    notes,
    notifications,
    call,
    fail: async (method, params = {}) => failureOf(await transport.rpc(method, params, LONG)),
    fact: async (name = "pid") => numberOf((await call("pid"))[name]),
  };
}

/** The value of a result that must hold one. */
export function valueOf<T>(result: Result<T>): T {
  if (!result.ok) expect.fail(`failed: ${JSON.stringify(result.failure)}`);
  return result.value;
}

/** The failure of a result that must hold one. */
export function failureOf(result: Result<unknown>): Failure {
  if (result.ok) expect.fail(`succeeded: ${JSON.stringify(result.value)}`);
  return result.failure;
}

function numberOf(value: unknown): number {
  return typeof value === "number" ? value : expect.fail(`no number: ${JSON.stringify(value)}`);
}

/** The member of an object, as an object. */
export function memberOf(value: JsonObject, name: string): JsonObject {
  const member = value[name];
  return isObject(member) ? member : expect.fail(`no object: ${JSON.stringify(member)}`);
}

/** Whether a process runs; a dead one that nobody has reaped does not. */
export function isRunning(pid: number): boolean {
  try {
    const state = execFileSync("ps", ["-o", "stat=", "-p", String(pid)], { encoding: "utf8" });
    return !state.startsWith("Z");
  } catch {
    return false;
  }
}

/** Waits until something that happens outside of this process is so. */
export async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 10));
}
