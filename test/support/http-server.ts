import { createServer } from "node:http";
import type { IncomingHttpHeaders, IncomingMessage, Server, ServerResponse } from "node:http";
import { onTestFinished } from "vitest";
import { isObject } from "../../src/json.ts";
import type { JsonObject } from "../../src/json.ts";
import type { MemoryAnswer } from "../../src/transport/memory.ts";

/** A request as a server saw it. */
export interface Seen {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  /** The body as JSON; empty when it is none. */
  readonly message: JsonObject;
}

/** A raw server on this machine, and every request it saw. */
export interface HttpServer {
  readonly url: string;
  readonly seen: readonly Seen[];
  close(): Promise<void>;
}

/** Serves until it is closed. */
export async function httpServer(
  answer: (seen: Seen, response: ServerResponse) => unknown,
): Promise<HttpServer> {
  const seen: Seen[] = [];
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const one = await readSeen(request);
    seen.push(one);
    await answer(one, response);
  };
  const server = createServer((request, response) => {
    response.on("error", () => undefined);
    void serve(request, response);
  });
  const port = await listen(server);
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    seen,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** The same, for one test. */
export async function httpServerForTest(
  answer: (seen: Seen, response: ServerResponse) => unknown,
): Promise<HttpServer> {
  const server = await httpServer(answer);
  onTestFinished(() => server.close());
  return server;
}

function listen(server: Server): Promise<number> {
  return new Promise((resolve) => {
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      resolve(typeof address === "object" && address !== null ? address.port : 0);
    });
  });
}

async function readSeen(request: IncomingMessage): Promise<Seen> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const body = Buffer.concat(chunks).toString("utf8");
  const { method = "", url = "", headers } = request;
  return { method, url, headers, body, message: body === "" ? {} : objectOrEmpty(body) };
}

function objectOrEmpty(body: string): JsonObject {
  const parsed: unknown = JSON.parse(body);
  return isObject(parsed) ? parsed : {};
}

/** Sends one JSON document. */
export function sendJson(
  response: ServerResponse,
  value: unknown,
  head: { readonly status?: number; readonly headers?: Record<string, string> } = {},
): void {
  const headers = { "content-type": "application/json", ...head.headers };
  response.writeHead(head.status ?? 200, headers).end(JSON.stringify(value));
}

/** How a server speaks the protocol of a peer. */
export interface Manner {
  /** Whether answers are event streams; else JSON. */
  readonly events?: boolean;
  readonly sessionId?: string;
}

/** An answering function for `httpServer` that lets a peer speak Streamable HTTP. */
export function speaking(
  peer: MemoryAnswer,
  manner: Manner = {},
): (seen: Seen, response: ServerResponse) => Promise<void> {
  const { events = true, sessionId } = manner;
  const session = sessionId === undefined ? {} : { "mcp-session-id": sessionId };
  return async ({ method, message }, response) => {
    if (method !== "POST") return void response.writeHead(method === "DELETE" ? 200 : 405).end();
    const isRequest = typeof message["method"] === "string" && message["id"] !== undefined;
    const headers = message["method"] === "initialize" ? session : {};
    if (!isRequest) {
      await peer(message, () => undefined);
      return void response.writeHead(202).end();
    }
    if (!events) return sendJson(response, await peer(message, () => undefined), { headers });
    response.writeHead(200, { "content-type": "text/event-stream", ...headers });
    const send = (event: unknown): void =>
      void response.write(`event: message\ndata: ${JSON.stringify(event)}\n\n`);
    const answer = await peer(message, send);
    if (answer !== undefined) send(answer);
    response.end();
  };
}
