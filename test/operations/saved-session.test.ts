import fc from "fast-check";
import type { ServerResponse } from "node:http";
import { describe, expect, it, onTestFinished } from "vitest";
import type { JsonObject } from "../../src/json.ts";
import { connect } from "../../src/lifecycle/connect.ts";
import { disconnect } from "../../src/lifecycle/disconnect.ts";
import type { Connection, ConnectOptions } from "../../src/lifecycle/records.ts";
import { addKnownTools } from "../../src/operations/known-tools.ts";
import { setLogLevel } from "../../src/operations/log-level.ts";
import { onNotification } from "../../src/operations/notifications.ts";
import { resumeSession } from "../../src/operations/resume-session.ts";
import { saveSession } from "../../src/operations/saved-session.ts";
import type { SavedSession } from "../../src/operations/saved-session.ts";
import { subscribeResource } from "../../src/operations/subscribe-resource.ts";
import { callTool } from "../../src/operations/tools.ts";
import { httpTransport } from "../../src/transport/http/http-transport.ts";
import { anyJson } from "../support/arbitraries.ts";
import { httpServerForTest, sendJson } from "../support/http-server.ts";
import type { HttpServer, Seen } from "../support/http-server.ts";
import { connected, failureOf, unconnected, valueOf } from "../support/results.ts";
import { until } from "../support/until.ts";
import { connectedTo, peerOf } from "./peer.ts";

const CAPABILITIES = { tools: {}, logging: {}, resources: { subscribe: true } };
const TOOLS = [{ name: "say hi", inputSchema: { type: "object" } }];

interface SessionServer extends HttpServer {
  /** Makes it forget every session, as a restart would. */
  forget(): void;
  /** The methods it saw since, and `GET` or `DELETE`. */
  methodsSince(mark: number): readonly string[];
}

/** A server of the initialize era that knows one session at a time. */
async function sessionServer(): Promise<SessionServer> {
  let issued = 0;
  let isForgotten = false;
  const answer = ({ method, headers, message }: Seen, response: ServerResponse): unknown => {
    const id = `session-${issued}`;
    const isKnown = !isForgotten && headers["mcp-session-id"] === id;
    if (message["method"] === "initialize") {
      isForgotten = false;
      const result = {
        protocolVersion: "2025-11-25",
        capabilities: CAPABILITIES,
        serverInfo: { name: "s", version: "1" },
        instructions: "be kind",
      };
      const head = { headers: { "mcp-session-id": `session-${++issued}` } };
      return sendJson(response, { jsonrpc: "2.0", id: message["id"], result }, head);
    }
    if (message["method"] === "server/discover") {
      const error = { code: -32601, message: "Method not found" };
      return sendJson(response, { jsonrpc: "2.0", id: message["id"], error });
    }
    if (!isKnown) return response.writeHead(404).end();
    if (method === "DELETE") return response.writeHead(200).end();
    if (method === "GET")
      return response.writeHead(200, { "content-type": "text/event-stream" }).flushHeaders();
    if (message["id"] === undefined) return response.writeHead(202).end();
    return sendJson(response, { jsonrpc: "2.0", id: message["id"], result: resultOf(message) });
  };
  const server = await httpServerForTest(answer);
  return {
    ...server,
    seen: server.seen,
    forget: () => {
      isForgotten = true;
    },
    methodsSince: (mark) =>
      server.seen
        .slice(mark)
        .map(({ method, message }) =>
          typeof message["method"] === "string" ? message["method"] : method,
        ),
  };
}

function resultOf({ method }: JsonObject): JsonObject {
  if (method === "tools/list") return { tools: TOOLS };
  return method === "tools/call" ? { content: [] } : {};
}

async function connectTo(server: SessionServer, options: ConnectOptions = {}) {
  const connection = connected(await connect(serverOf(server), options));
  onTestFinished(() => disconnect(connection));
  return connection;
}

const serverOf = ({ url }: { readonly url: string }) =>
  ({ name: "s", url, era: "legacy" }) as never;

function forTest(connection: Connection): Connection {
  onTestFinished(() => disconnect(connection));
  return connection;
}

const asJson = (saved: SavedSession): SavedSession => JSON.parse(JSON.stringify(saved));

describe("a saved session", () => {
  it("goes on without a handshake: the first request carries its id and the version", async () => {
    const server = await sessionServer();
    const first = await connectTo(server, { ownsSession: false });
    valueOf(addKnownTools(first, [{ name: "known", inputSchema: {} }]));
    const saved = asJson(valueOf(saveSession(first)));
    await disconnect(first);
    const mark = server.seen.length;
    const again = connected(forTest(await resumeSession(serverOf(server), saved)));
    expect(server.seen).toHaveLength(mark);
    expect(again).toMatchObject({
      era: "legacy",
      protocolVersion: "2025-11-25",
      serverInfo: { name: "s" },
      instructions: "be kind",
      capabilities: CAPABILITIES,
      sessionId: "session-1",
    });
    await again.tools[0]?.execute();
    expect(again.tools.map(({ name, remoteName }) => [name, remoteName])).toEqual([
      ["s_say_hi", "say hi"],
    ]);
    expect(server.methodsSince(mark)).toEqual(["tools/call"]);
    expect(server.seen[mark]?.headers).toMatchObject({
      "mcp-session-id": "session-1",
      "mcp-protocol-version": "2025-11-25",
    });
    expect(valueOf(saveSession(again))).toEqual(saved);
  });

  it("that the server has forgotten fails its first request at once, as expired", async () => {
    const server = await sessionServer();
    const saved = valueOf(saveSession(await connectTo(server)));
    server.forget();
    const mark = server.seen.length;
    const again = connected(forTest(await resumeSession(serverOf(server), saved)));
    const failure = failureOf(await callTool(again, "say hi"));
    expect(failure).toEqual({ tag: "closed", by: "session-expired", maybeExecuted: false });
    expect(server.methodsSince(mark)).toEqual(["tools/call"]);
  });

  it("opens the server's stream again when somebody listens", async () => {
    const server = await sessionServer();
    const saved = valueOf(saveSession(await connectTo(server)));
    const mark = server.seen.length;
    forTest(
      await resumeSession(serverOf(server), saved, { onNotification: [["x", () => undefined]] }),
    );
    await until("it listens", () => server.methodsSince(mark).length > 0);
    expect(server.methodsSince(mark)).toEqual(["GET"]);
  });

  it("is left open by a connection that does not own it, and ended by one that does", async () => {
    const server = await sessionServer();
    const owner = await connectTo(server);
    await disconnect(owner);
    expect(server.methodsSince(0)).toContain("DELETE");
    const mark = server.seen.length;
    await disconnect(await connectTo(server, { ownsSession: false }));
    expect(server.methodsSince(mark)).not.toContain("DELETE");
  });

  it("is never printed with its connection", async () => {
    const connection = await connectTo(await sessionServer());
    expect(connection.sessionId).toBe("session-1");
    expect(JSON.stringify(connection)).not.toContain("session-1");
  });

  it("needs a transport that carries it", async () => {
    const server = await sessionServer();
    const saved = valueOf(saveSession(await connectTo(server)));
    const { url } = server;
    const without = await resumeSession({ name: "s", open: httpTransport({ url }) }, saved);
    expect(unconnected(without).failure.tag).toBe("invalid-argument");
    const open = httpTransport({ url, sessionId: "session-1" });
    const again = connected(forTest(await resumeSession({ name: "s", open }, saved)));
    expect((await callTool(again, "say hi")).ok).toBe(true);
  });

  it("ends with its process: a local server is not even started", async () => {
    const saved = valueOf(saveSession(await connectTo(await sessionServer())));
    const server = { name: "s", command: "/no/such/program" } as never;
    const failed = unconnected(await resumeSession(server, saved));
    expect(failed).toMatchObject({
      phase: "config",
      failure: { tag: "unsupported", use: "connect" },
    });
  });

  it("of the modern era is what the server said of itself, asked no more", async () => {
    const peer = peerOf({ "tools/call": () => ({ content: [] }) }, { version: "2026-07-28" });
    const saved = asJson(valueOf(saveSession(await connectedTo(peer))));
    const mark = peer.wire().length;
    const again = connected(forTest(await resumeSession({ name: "peer", open: peer.open }, saved)));
    expect(again).toMatchObject({ era: "modern", protocolVersion: "2026-07-28", sessionId: null });
    expect((await callTool(again, "t")).ok).toBe(true);
    expect(peer.methods().slice(mark)).toEqual(["tools/call"]);
  });

  it("is told from everything else, for any JSON", async () => {
    const saved = valueOf(saveSession(await connectTo(await sessionServer())));
    const server = { name: "s", url: "http://127.0.0.1:9/mcp" } as never;
    const members = Object.keys(saved);
    const anySaved = fc.oneof(
      anyJson(),
      fc
        .record({
          member: fc.constantFrom(...members),
          value: fc.oneof(anyJson(), fc.constant(undefined)),
        })
        .map(({ member, value }) => ({ ...saved, [member]: value })),
    );
    await fc.assert(
      fc.asyncProperty(anySaved, async (given) => {
        const connection = await resumeSession(server, given as never);
        if (connection.status === "connected") await disconnect(connection);
        else
          expect(unconnected(connection)).toMatchObject({
            phase: "config",
            failure: { tag: "invalid-argument" },
          });
      }),
    );
    const odd = { ...saved, era: "modern" } as never;
    expect(unconnected(await resumeSession(server, odd)).failure.tag).toBe("invalid-argument");
  });

  it("can be saved of a connection alone", () => {
    expect(failureOf(saveSession({} as never)).tag).toBe("invalid-argument");
  });
});

describe("a session that the server forgets", () => {
  it("is renewed once, with log level, subscriptions and stream as before", async () => {
    const server = await sessionServer();
    const connection = await connectTo(server);
    valueOf(await setLogLevel(connection, "warning"));
    const heard: string[] = [];
    valueOf(await subscribeResource(connection, "a://1", (uri) => heard.push(uri)));
    onNotification(connection, "x", () => undefined);
    server.forget();
    const mark = server.seen.length;
    expect((await callTool(connection, "say hi")).ok).toBe(true);
    expect(connection.sessionId).toBe("session-2");
    const since = server.methodsSince(mark);
    expect(since.slice(0, 2)).toEqual(["tools/call", "initialize"]);
    expect(since.at(-1)).toBe("tools/call");
    for (const method of ["logging/setLevel", "GET", "resources/subscribe"]) {
      expect(since.filter((seen) => seen === method)).toHaveLength(1);
    }
    const renewed = server.seen.slice(mark + 2).map(({ headers }) => headers["mcp-session-id"]);
    expect(new Set(renewed)).toEqual(new Set(["session-2"]));
    expect(heard).toEqual(["a://1"]);
  });

  it("is not renewed when its caller wants to know", async () => {
    const server = await sessionServer();
    const connection = await connectTo(server, { onExpired: "fail" });
    server.forget();
    const failure = failureOf(await callTool(connection, "say hi"));
    expect(failure).toEqual({ tag: "closed", by: "session-expired", maybeExecuted: false });
  });
});
