import { createServer } from "node:http";
import type { IncomingMessage, ServerResponse } from "node:http";
import { describe, expect, it, onTestFinished } from "vitest";
import { isObject } from "../../../src/json.ts";
import type { Json, JsonObject } from "../../../src/json.ts";
import { connect } from "../../../src/lifecycle/connect.ts";
import { disconnect } from "../../../src/lifecycle/disconnect.ts";
import { makeAnswer } from "../../../src/lifecycle/elicitation.ts";
import { fromConfig } from "../../../src/lifecycle/from-config.ts";
import type { MemoryAnswer } from "../../../src/transport/memory.ts";
import { scripted } from "../../support/memory-server.ts";
import { connected, connectionOf, unconnected } from "../../support/results.ts";

/** How an old server behaves where servers differ. */
interface Manner {
  /** What the endpoint event says; the default is a path on the server itself. */
  readonly endpoint?: string;
  /** The status of a POST to the address of the stream. */
  readonly postStatus?: number;
  /** Breaks the stream when this method is called. */
  readonly breaksOn?: string;
}

interface OldServer {
  readonly url: string;
  /** Method, path and JSON-RPC method of every request, in order. */
  readonly log: readonly string[];
  readonly authorizations: readonly (string | undefined)[];
  /** Resolves when the stream was closed by the client. */
  readonly streamClosed: Promise<void>;
}

/** A server that speaks HTTP+SSE on this machine, with a peer behind it. */
async function oldServer(peer: MemoryAnswer, manner: Manner = {}): Promise<OldServer> {
  const log: string[] = [];
  const authorizations: (string | undefined)[] = [];
  let stream: ServerResponse | undefined;
  let closed: () => void = () => undefined;
  const streamClosed = new Promise<void>((resolve) => {
    closed = resolve;
  });
  const send = (message: Json): void =>
    void stream?.write(`event: message\ndata: ${JSON.stringify(message)}\n\n`);
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks).toString("utf8");
    const message: unknown = body === "" ? {} : JSON.parse(body);
    const said: JsonObject = isObject(message) ? message : {};
    const { method } = said;
    log.push(`${request.method} ${request.url} ${typeof method === "string" ? method : ""}`.trim());
    authorizations.push(request.headers.authorization);
    if (request.method === "GET") {
      stream = response.writeHead(200, { "content-type": "text/event-stream" });
      response.on("close", closed);
      return void response.write(
        `event: endpoint\ndata: ${manner.endpoint ?? "/messages?s=1"}\n\n`,
      );
    }
    if (request.url === "/sse") return void response.writeHead(manner.postStatus ?? 405).end("no");
    response.writeHead(202).end("Accepted");
    if (manner.breaksOn !== undefined && method === manner.breaksOn) return void stream?.destroy();
    const answer = await peer(said, send);
    if (answer !== undefined) send(answer);
  };
  const server = createServer((request, response) => void serve(request, response));
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  onTestFinished(
    () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  );
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return { url: `http://127.0.0.1:${port}/sse`, log, authorizations, streamClosed };
}

const ECHO = scripted({
  initialize: () => ({
    protocolVersion: "2024-11-05",
    capabilities: { tools: {} },
    serverInfo: { name: "old", version: "1" },
  }),
  "tools/list": () => ({ tools: [{ name: "echo", inputSchema: { type: "object" } }] }),
  "tools/call": () => ({ content: [{ type: "text", text: "said" }] }),
});

describe("an old HTTP+SSE server", () => {
  it("is reached over its stream and the endpoint it names, and its call gives the result (C183)", async () => {
    const server = await oldServer(ECHO);
    const load = await fromConfig({ mcpServers: { old: { type: "sse", url: server.url } } });
    const connection = connected(connectionOf(load, "old"));
    expect(connection).toMatchObject({ era: "legacy", protocolVersion: "2024-11-05" });
    expect(connection.transport.kind).toBe("sse");
    expect((await connection.tools[0]?.execute())?.output).toBe("said");
    await disconnect(connection);
    await server.streamClosed;
    expect(server.log).toEqual([
      "GET /sse",
      "POST /messages?s=1 initialize",
      "POST /messages?s=1 notifications/initialized",
      "POST /messages?s=1 tools/list",
      "POST /messages?s=1 tools/call",
    ]);
  });

  it.each([400, 404, 405, 415])(
    "is found after Streamable HTTP was refused with %i, without the config saying so (B27)",
    async (postStatus) => {
      const server = await oldServer(ECHO, { postStatus });
      const load = await fromConfig({ mcpServers: { old: { url: server.url } } });
      const connection = connected(connectionOf(load, "old"));
      expect(connection.transport.kind).toBe("sse");
      await disconnect(connection);
    },
  );

  it.each([401, 403, 429, 500])(
    "is not looked for after a %i, which says nothing about it",
    async (postStatus) => {
      const server = await oldServer(ECHO, { postStatus });
      const load = await fromConfig({ mcpServers: { old: { url: server.url } } });
      expect(unconnected(connectionOf(load, "old")).failure).toMatchObject({
        tag: "http-status",
        status: postStatus,
      });
      expect(server.log.filter((line) => line.startsWith("GET"))).toEqual([]);
    },
  );

  it("is not looked for where the config says type http, and the refusal is the failure", async () => {
    const server = await oldServer(ECHO, { postStatus: 404 });
    const load = await fromConfig({ mcpServers: { old: { type: "http", url: server.url } } });
    expect(unconnected(connectionOf(load, "old")).failure).toMatchObject({ status: 404 });
    expect(server.log.filter((line) => line.startsWith("GET"))).toEqual([]);
  });

  it("may not name an endpoint on another origin, which would get our credentials (B28)", async () => {
    const foreign = await oldServer(ECHO);
    const server = await oldServer(ECHO, { endpoint: foreign.url });
    const headers = { Authorization: "Bearer something-secret" };
    const load = await fromConfig({
      mcpServers: { old: { type: "sse", url: server.url, headers } },
    });
    const { failure, phase } = unconnected(connectionOf(load, "old"));
    expect({ phase, tag: failure.tag }).toEqual({ phase: "initialize", tag: "malformed-body" });
    expect(foreign.log).toEqual([]);
    await server.streamClosed;
  });

  it("that refuses both ways is reported by the first refusal, and a note tells of the other", async () => {
    const server = createServer((_request, response) =>
      response.writeHead(404).end("nothing here"),
    );
    await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void server.close());
    const address = server.address();
    const port = typeof address === "object" && address !== null ? address.port : 0;
    const load = await fromConfig({ mcpServers: { old: { url: `http://127.0.0.1:${port}/mcp` } } });
    const refused = unconnected(connectionOf(load, "old"));
    expect(refused.failure).toMatchObject({
      tag: "http-status",
      status: 404,
      body: "nothing here",
    });
    expect(refused.notes.map(({ code }) => code)).toContain("no-older-transport");
  });

  it("whose stream never names an endpoint runs into the server's own timeout (B29)", async () => {
    const server = createServer((request, response) => {
      if (request.method === "GET")
        response.writeHead(200, { "content-type": "text/event-stream" }).write(": hi\n\n");
      else response.writeHead(405).end();
    });
    await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => {
      server.closeAllConnections();
      server.close();
    });
    const address = server.address();
    const port = typeof address === "object" && address !== null ? address.port : 0;
    const entry = { type: "sse", url: `http://127.0.0.1:${port}/sse`, timeout: 300 };
    const load = await fromConfig({ mcpServers: { old: entry } });
    expect(load.errors["old"]).toBe('mcp server "old" failed at initialize: timeout (300 ms)');
  });

  it("that breaks its stream in the middle of a call fails the call at once, and all later ones", async () => {
    const server = await oldServer(ECHO, { breaksOn: "tools/call" });
    const connection = connected(await connect(oldEntry(server.url)));
    const result = await connection.tools[0]?.execute();
    expect(["peer-eof", "transport"]).toContain(result?.failure?.tag);
    expect(result?.failure?.maybeExecuted).toBe(true);
    const later = await connection.tools[0]?.execute();
    expect(later?.failure).toMatchObject({ tag: result?.failure?.tag, maybeExecuted: false });
    const details = await connection.closed;
    expect(details.failure?.tag).toBe(result?.failure?.tag);
  });

  it("may ask in the middle of a call; the answer goes to the endpoint", async () => {
    const asking: MemoryAnswer = async (message, send) => {
      if (message["method"] === "tools/call") {
        asked = message["id"] ?? null;
        send({
          jsonrpc: "2.0",
          id: "q",
          method: "elicitation/create",
          params: { message: "sure?" },
        });
        return undefined;
      }
      if (message["id"] === "q") {
        const result = { content: [{ type: "text", text: JSON.stringify(message["result"]) }] };
        return { jsonrpc: "2.0", id: asked, result };
      }
      return ECHO(message, send);
    };
    let asked: Json = null;
    const server = await oldServer(asking);
    const waitFor = (request: { readonly id: string }) => makeAnswer(request.id, true, { ok: 1 });
    const connection = connected(await connect(oldEntry(server.url), { waitFor }));
    const result = await connection.tools[0]?.execute();
    expect(result?.output).toBe('{"action":"accept","content":{"ok":1}}');
    await disconnect(connection);
  });
});

/** An entry of a config as `connect` takes it. */
function oldEntry(url: string): Parameters<typeof connect>[0] {
  const entry: unknown = { name: "old", type: "sse", url };
  return entry as Parameters<typeof connect>[0];
}
