/**
 * Opens the HTTP transport on servers of this machine, and keeps what came over it.
 */
import { createServer } from "node:http";
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { createServer as createNetServer } from "node:net";
import type { Server as NetServer, Socket } from "node:net";
import { expect, onTestFinished } from "vitest";
import type { Failure } from "../../../src/failure.ts";
import type { Json, JsonObject } from "../../../src/json.ts";
import { httpTransport } from "../../../src/transport/http/http-transport.ts";
import type { HttpSpec } from "../../../src/transport/http/http-transport.ts";
import type { Inbound, Note, RpcOptions, Transport } from "../../../src/transport/transport.ts";
import type { Seen } from "../../support/http-server.ts";
import { failureOf, valueOf } from "../../support/results.ts";

/** A client, and everything that came to it by itself. */
export interface Client {
  readonly transport: Transport;
  readonly notes: Note[];
  readonly notifications: JsonObject[];
  /** The result of a request that must succeed. */
  call(method: string, options?: Partial<RpcOptions>, params?: JsonObject): Promise<JsonObject>;
  /** The failure of a request that must fail. */
  fail(method: string, options?: Partial<RpcOptions>, params?: JsonObject): Promise<Failure>;
}

/** Long enough for a busy machine; no test waits for it to pass. */
export const LONG: RpcOptions = { timeoutMs: 20_000, protocolVersion: "2025-11-25" };

/** Opens a client; it is closed when the test is over. */
export async function openClient(
  spec: HttpSpec | string,
  request: Inbound["request"] = () => Promise.resolve(null),
): Promise<Client> {
  const notes: Note[] = [];
  const notifications: JsonObject[] = [];
  const open = httpTransport(typeof spec === "string" ? { url: spec } : spec);
  const inbound: Inbound = {
    request,
    notification: (message) => void notifications.push(message),
    note: (note) => void notes.push(note),
  };
  const transport = valueOf(await open(inbound, {}));
  onTestFinished(() => transport.close({ hurry: true }));
  return {
    transport,
    notes,
    notifications,
    call: async (method, options, params) =>
      valueOf(await transport.rpc(method, params, { ...LONG, ...options })),
    fail: async (method, options, params) =>
      failureOf(await transport.rpc(method, params, { ...LONG, ...options })),
  };
}

/** Waits for a fact, however busy the machine is. */
export function expectSoon<T>(read: () => T): ReturnType<typeof expect.poll<T>> {
  return expect.poll(read, { timeout: 20_000, interval: 5 });
}

/** The codes of what was noted, each once. */
export function codesOf(client: Client): readonly string[] {
  return [...new Set(client.notes.map(({ code }) => code))];
}

/** One event of a stream. */
export function event(message: Json, fields = ""): string {
  return `${fields}data: ${JSON.stringify(message)}\n\n`;
}

/** Begins an event stream. */
export function beginEvents(response: ServerResponse): ServerResponse {
  response.writeHead(200, { "content-type": "text/event-stream" });
  response.flushHeaders();
  return response;
}

/** The answer to a request. */
export function answerTo(seen: Seen, result: JsonObject = { ok: true }): JsonObject {
  return { jsonrpc: "2.0", id: seen.message["id"] ?? null, result };
}

/** A server whose connections are counted, for one test. */
export interface Counted {
  readonly url: string;
  /** How many connections were ever made. */
  made(): number;
  /** How many are open now. */
  open(): Promise<number>;
}

/** Serves until the test is over. */
export async function countingServer(
  answer: (seen: Seen, response: ServerResponse) => void,
): Promise<Counted> {
  let made = 0;
  const server = createServer((request, response) => void serve(request, response, answer));
  server.on("connection", () => made++);
  const url = await listenOn(server);
  return {
    url,
    made: () => made,
    open: () => new Promise((resolve) => server.getConnections((_, count) => resolve(count))),
  };
}

async function serve(
  request: IncomingMessage,
  response: ServerResponse,
  answer: (seen: Seen, response: ServerResponse) => void,
): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const body = Buffer.concat(chunks).toString();
  const message = (body === "" ? {} : JSON.parse(body)) as JsonObject;
  const { method = "", url = "", headers } = request;
  answer({ method, url, headers, body, message }, response);
}

/** A server below HTTP; gives each socket once its first bytes are there. */
export async function rawServer(
  answer: (socket: Socket, request: string) => void,
): Promise<string> {
  const sockets = new Set<Socket>();
  const server = createNetServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined);
    socket.on("data", (bytes) => answer(socket, bytes.toString()));
  });
  const url = await listenOn(server);
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
  });
  return url;
}

async function listenOn(server: Server | NetServer): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.close();
    if ("closeAllConnections" in server) server.closeAllConnections();
  });
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return `http://127.0.0.1:${port}/mcp`;
}
