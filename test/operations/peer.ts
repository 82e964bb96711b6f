/**
 * A server of either era as a script, reached without a wire; every message it gets is checked
 * against the schema of its revision when the test is over.
 */
import { expect, onTestFinished } from "vitest";
import { isObject } from "../../src/json.ts";
import type { Json, JsonObject } from "../../src/json.ts";
import { connect } from "../../src/lifecycle/connect.ts";
import { disconnect } from "../../src/lifecycle/disconnect.ts";
import type { Connected, ConnectOptions } from "../../src/lifecycle/records.ts";
import { META } from "../../src/protocol/envelope.ts";
import { memoryTransport } from "../../src/transport/memory.ts";
import type { OpenTransport } from "../../src/transport/transport.ts";
import { connected } from "../support/results.ts";
import { recorded, schemaProblem } from "../support/wire-schema.ts";
import type { Sent } from "../support/wire-schema.ts";

/** The eras, each by a revision. */
export const ERAS = [
  { era: "legacy", version: "2025-11-25" },
  { era: "modern", version: "2026-07-28" },
] as const;

/** What a script is told beside the parameters. */
export interface Asked {
  readonly id: Json;
  readonly params: JsonObject;
  send(message: Json): void;
}

/** What a server says to each method: a result, an `error`, or undefined for nothing at all. */
export type PeerScript = Readonly<
  Record<string, (asked: Asked) => Json | undefined | Promise<Json | undefined>>
>;

/** A server, and what it has seen. */
export interface Peer {
  readonly open: OpenTransport;
  /** Every message it got after the connection stood. */
  wire(): readonly JsonObject[];
  /** The methods of those. */
  methods(): readonly Json[];
  /** What was sent, with its headers. */
  readonly sent: readonly Sent[];
  /** Says something by itself. */
  send(message: Json): void;
}

/** What a server can do in these tests unless told otherwise. */
export const EVERYTHING: JsonObject = {
  tools: { listChanged: true },
  prompts: { listChanged: true },
  resources: { subscribe: true, listChanged: true },
  completions: {},
  logging: {},
};

export interface PeerOptions {
  readonly version?: string;
  readonly capabilities?: JsonObject;
  /** False for a test that sends what no schema allows on purpose. */
  readonly isHonest?: boolean;
}

/** A server after a script; methods it does not name it does not have. */
export function peerOf(script: PeerScript, options: PeerOptions = {}): Peer {
  const { version = "2025-11-25", capabilities = EVERYTHING, isHonest = true } = options;
  const all: JsonObject[] = [];
  const sent: Sent[] = [];
  let speak: (message: Json) => void = () => undefined;
  const open = memoryTransport(async (message, send) => {
    speak = send;
    all.push(structuredClone(message));
    const { id, method, params } = message;
    if (id === undefined || typeof method !== "string") return undefined;
    const asked = { id, params: isObject(params) ? params : {}, send };
    const respond = Object.hasOwn(script, method) ? script[method] : undefined;
    const said =
      respond === undefined ? standardAnswer(method, version, capabilities) : await respond(asked);
    if (said === undefined) return undefined;
    return isObject(said) && isObject(said["error"])
      ? { jsonrpc: "2.0", id, ...said }
      : { jsonrpc: "2.0", id, result: said };
  });
  onTestFinished(() => {
    if (!isHonest) return;
    const problems = all.map((message) => schemaProblem(revisionOf(message, version), message));
    expect(problems.filter((problem) => problem !== null)).toEqual([]);
  });
  // A connection begins with its handshake and one list of the tools.
  const wire = (): readonly JsonObject[] =>
    all.slice(all.findIndex(({ method }) => method === "tools/list") + 1);
  return {
    open: recorded(open, sent),
    wire,
    methods: () => wire().map(({ method }) => method ?? null),
    sent,
    send: (message) => speak(message),
  };
}

function revisionOf({ method, params }: JsonObject, version: string): string {
  if (method === "server/discover") return "2026-07-28";
  const offered = isObject(params) ? params["protocolVersion"] : undefined;
  return method === "initialize" && typeof offered === "string" ? offered : version;
}

function standardAnswer(method: string, version: string, capabilities: JsonObject): Json {
  const isModern = version === "2026-07-28";
  if (method === "server/discover" && isModern) {
    return { supportedVersions: [version], capabilities, ttlMs: 0, cacheScope: "private" };
  }
  if (method === "initialize" && !isModern) {
    return { protocolVersion: version, capabilities, serverInfo: { name: "peer", version: "1" } };
  }
  if (method === "tools/list") return { tools: [] };
  return { error: { code: -32601, message: "Method not found" } };
}

/** Connects to a peer and closes the connection when the test is over. */
export async function connectedTo(
  peer: Peer,
  options: ConnectOptions = {},
  more: { readonly callTimeoutMs?: number } = {},
): Promise<Connected> {
  const connection = connected(await connect({ name: "peer", open: peer.open, ...more }, options));
  onTestFinished(() => disconnect(connection));
  return connection;
}

/** A notification with the id of its subscription. */
export function subscribed(id: Json, method: string, params: JsonObject = {}): JsonObject {
  const meta = { [META.subscriptionId]: id };
  return { jsonrpc: "2.0", method, params: { ...params, _meta: meta } };
}
