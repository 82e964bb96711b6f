/**
 * Real servers to run operations against: the official everything server and the garden of both eras.
 */
import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { createServer } from "node:net";
import { resolve } from "node:path";
import { expect, onTestFinished } from "vitest";
import { connect } from "../../src/lifecycle/connect.ts";
import { disconnect } from "../../src/lifecycle/disconnect.ts";
import type { Connected, ConnectOptions } from "../../src/lifecycle/records.ts";
import { httpTransport } from "../../src/transport/http/http-transport.ts";
import { childEnv } from "../../src/transport/stdio/child-env.ts";
import { stdioTransport } from "../../src/transport/stdio/stdio-transport.ts";
import type { OpenTransport } from "../../src/transport/transport.ts";
import { connected } from "../support/results.ts";
import { until } from "../support/until.ts";
import { recorded } from "../support/wire-schema.ts";
import type { Sent } from "../support/wire-schema.ts";

const GARDEN = resolve(import.meta.dirname, "../fixtures/dual-era");
const EVERYTHING = resolve(
  import.meta.dirname,
  "../../node_modules/@modelcontextprotocol/server-everything/dist/index.js",
);

/** A server that runs for as long as the tests of a file. */
export interface RunningServer {
  /** How to reach it; each opening over stdio is a process of its own. */
  readonly open: OpenTransport;
  readonly url?: string;
  stop(): Promise<void>;
}

/** The ways to reach a server. */
export const WAYS = ["stdio", "http"] as const;
export type Way = (typeof WAYS)[number];

/** The garden: one server of both eras. */
export async function startGarden(way: Way): Promise<RunningServer> {
  if (way === "stdio") return overStdio([resolve(GARDEN, "stdio.mjs")]);
  const child = start([resolve(GARDEN, "http.mjs")], {});
  const url = await firstLine(child);
  return { open: httpTransport({ url }), url, stop: () => end(child) };
}

/** The official everything server, of the initialize era. */
export async function startEverything(way: Way): Promise<RunningServer> {
  if (way === "stdio") return overStdio([EVERYTHING, "stdio"]);
  const port = await freePort();
  const child = start([EVERYTHING, "streamableHttp"], { PORT: String(port) });
  const said: string[] = [];
  child.stderr?.on("data", (chunk: Buffer) => said.push(chunk.toString()));
  child.stdout?.resume();
  await until("it listens", () => said.join("").includes("listening on port"));
  const url = `http://127.0.0.1:${port}/mcp`;
  return { open: httpTransport({ url }), url, stop: () => end(child) };
}

function overStdio(args: readonly string[]): RunningServer {
  const env = childEnv({}, "safe", process.env, process.platform);
  const open = stdioTransport({ command: process.execPath, args, env });
  return { open, stop: () => Promise.resolve() };
}

function start(args: readonly string[], env: Readonly<Record<string, string>>): ChildProcess {
  return spawn(process.execPath, args, {
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
}

function firstLine(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    child.stdout?.once("data", (chunk: Buffer) => resolve(chunk.toString().trim()));
  });
}

function end(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    child.once("exit", () => resolve());
    child.kill("SIGKILL");
  });
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer();
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      const port = typeof address === "object" && address !== null ? address.port : 0;
      server.close(() => resolve(port));
    });
  });
}

/** Connects for one test, and holds every message sent against the schema when it is over. */
export async function connectFor(
  server: RunningServer,
  options: ConnectOptions & { readonly era?: "legacy" | "modern" } = {},
): Promise<Connected> {
  const sent: Sent[] = [];
  const { era, ...rest } = options;
  const target = {
    name: "real",
    open: recorded(server.open, sent),
    ...(era === undefined ? {} : { era }),
  };
  const connection = connected(await connect(target, rest));
  onTestFinished(async () => {
    await disconnect(connection);
    expect(sent.flatMap(({ problem }) => problem ?? [])).toEqual([]);
  });
  return connection;
}
