/**
 * One peer behind each way to reach it, so that a test says once what holds for all of them.
 */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type { JsonObject } from "../../src/json.ts";
import type { OpenTransport } from "../../src/transport/transport.ts";
import { memoryTransport } from "../../src/transport/memory.ts";
import { createPeer } from "../fixtures/peers/peer.mjs";
import { httpServer, speaking } from "./http-server.ts";

/** What a server map may hold for one server. */
export type Entry = JsonObject | { readonly open: OpenTransport };

/** A peer that can be reached. */
export interface Leg {
  readonly entry: Entry;
  /** The messages the peer has received so far, each as it came over the wire. */
  wire(): readonly string[];
  stop(): Promise<void>;
}

/** A way to reach a peer. */
export interface Way {
  readonly kind: "stdio" | "http" | "memory";
  start(): Promise<Leg>;
}

/** Every way to reach the same peer. */
export const LEGS: readonly Way[] = [
  { kind: "stdio", start: stdioLeg },
  { kind: "http", start: httpLeg },
  { kind: "memory", start: memoryLeg },
];

/** The ways that cross a real wire. */
export const REAL_LEGS: readonly Way[] = LEGS.filter((leg) => leg.kind !== "memory");

const PEER = resolve(import.meta.dirname, "../fixtures/peers/over-stdio.mjs");

/** A file that a peer logs to, in a folder of its own. */
export interface PeerLog {
  readonly path: string;
  entries(): readonly { readonly at: number; readonly pid?: number; readonly text?: string }[];
  remove(): void;
}

/** A place for the log of one peer. */
export function peerLog(): PeerLog {
  const folder = mkdtempSync(join(tmpdir(), "mcp-source-"));
  const path = join(folder, "peer.log");
  return {
    path,
    entries: () =>
      linesOf(path).map((line) => {
        const entry: { at: number; pid?: number; text?: string } = JSON.parse(line);
        return entry;
      }),
    remove: () => rmSync(folder, { recursive: true }),
  };
}

function linesOf(path: string): readonly string[] {
  try {
    return readFileSync(path, "utf8")
      .split("\n")
      .filter((line) => line !== "");
  } catch {
    return [];
  }
}

/** How a config starts a process. */
export interface StdioEntry extends JsonObject {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** The entry of a peer over stdio. */
export function stdioEntry(env: Readonly<Record<string, string>> = {}): StdioEntry {
  return { command: process.execPath, args: [PEER], env };
}

function stdioLeg(): Promise<Leg> {
  const log = peerLog();
  return Promise.resolve({
    entry: stdioEntry({ PEER_LOG: log.path }),
    wire: () => log.entries().flatMap(({ text }) => (text === undefined ? [] : [text])),
    stop: () => Promise.resolve(log.remove()),
  });
}

async function httpLeg(): Promise<Leg> {
  const server = await httpServer(speaking(createPeer(), { sessionId: "sess-MiXeD-1" }));
  return {
    entry: { url: server.url },
    wire: () => server.seen.flatMap(({ method, body }) => (method === "POST" ? [body] : [])),
    stop: () => server.close(),
  };
}

function memoryLeg(): Promise<Leg> {
  const wire: string[] = [];
  const peer = createPeer();
  const open = memoryTransport((message, send) => {
    wire.push(JSON.stringify(message));
    return peer(message, send);
  });
  return Promise.resolve({ entry: { open }, wire: () => wire, stop: () => Promise.resolve() });
}
