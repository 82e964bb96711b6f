import { describe, expect, it } from "vitest";
import { httpServerForTest, sendJson } from "../../support/http-server.ts";
import type { HttpServer, Seen } from "../../support/http-server.ts";
import { resultMessage } from "../../../src/protocol/messages.ts";
import { LONG, answerTo, beginEvents, codesOf, event, openClient } from "./peer.ts";

const LEGACY = { timeoutMs: 20_000 };

/** A server that gives a session to who initializes, under the header's given spelling. */
function serving(
  id: string | (() => string | undefined),
  name = "Mcp-Session-Id",
): Promise<HttpServer> {
  return httpServerForTest((seen, response) => {
    if (seen.method === "DELETE") return response.writeHead(200).end();
    const isFirst = seen.message["method"] === "initialize";
    const given = isFirst ? (typeof id === "string" ? id : id()) : undefined;
    const headers = given === undefined ? {} : { [name]: given };
    return sendJson(response, answerTo(seen), { headers });
  });
}

const idsOf = (seen: readonly Seen[]): unknown[] =>
  seen.map(({ headers }) => headers["mcp-session-id"] ?? null);

describe("a session id", () => {
  it.each(["Mcp-Session-Id", "mcp-session-id", "MCP-SESSION-ID"])(
    "given as %s is sent with all that follows, as it is",
    async (name) => {
      const server = await serving("sess-MiXeD-1", name);
      const client = await openClient(server.url);
      await client.call("initialize", LEGACY);
      await client.transport.notify("notifications/initialized", undefined, LONG);
      await client.call("tools/list");
      await client.transport.close();
      expect(idsOf(server.seen)).toEqual([null, ...Array<string>(3).fill("sess-MiXeD-1")]);
      expect(server.seen.map(({ method }) => method)).toEqual(["POST", "POST", "POST", "DELETE"]);
      expect(client.transport.session?.()).toEqual({
        sessionId: "sess-MiXeD-1",
        lastEventId: null,
      });
    },
  );

  it("is never sent with initialize, and a new one takes its place", async () => {
    const ids = ["s-1", "s-2", undefined];
    const server = await serving(() => ids.shift());
    const client = await openClient(server.url);
    for (let round = 0; round < 3; round++) {
      await client.call("initialize", LEGACY);
      await client.call("ping");
    }
    expect(idsOf(server.seen)).toEqual([null, "s-1", null, "s-2", null, null]);
  });

  it.each([
    ["an HTTP refusal", 400, { error: "x" }],
    ["a JSON-RPC error", 200, { jsonrpc: "2.0", id: 1, error: { code: 0, message: "no" } }],
  ])("that comes with %s is not taken", async (_, status, body) => {
    const headers = { "mcp-session-id": "poison" };
    const server = await httpServerForTest((_seen, response) =>
      sendJson(response, body, { status, headers }),
    );
    const client = await openClient(server.url);
    await client.fail("initialize", LEGACY);
    expect(client.transport.session?.().sessionId).toBeNull();
    await client.fail("ping");
    expect(idsOf(server.seen)).toEqual([null, null]);
  });

  it("that comes with anything but initialize is not taken", async () => {
    const server = await httpServerForTest((seen, response) =>
      sendJson(response, answerTo(seen), { headers: { "mcp-session-id": "late" } }),
    );
    const client = await openClient(server.url);
    await client.call("tools/list");
    await client.call("tools/list");
    expect(idsOf(server.seen)).toEqual([null, null]);
  });

  it("that no header can carry back is a note", async () => {
    const server = await serving("caf\u00e9");
    const client = await openClient(server.url);
    await client.call("initialize", LEGACY);
    expect(client.transport.session?.().sessionId).toBeNull();
    expect(codesOf(client)).toEqual(["session-id-unusable"]);
  });

  it("is a secret: it is not shown in what the server says", async () => {
    const server = await httpServerForTest((seen, response) => {
      if (seen.message["method"] !== "initialize") {
        return response.writeHead(500).end("unknown sess-secret-9");
      }
      return sendJson(response, answerTo(seen), { headers: { "mcp-session-id": "sess-secret-9" } });
    });
    const client = await openClient(server.url);
    await client.call("initialize", LEGACY);
    const failure = await client.fail("tools/list");
    expect(failure).toMatchObject({ body: "unknown «mcp-session-id»" });
  });

  it("known from before is sent from the first message on", async () => {
    const server = await serving("unused");
    const client = await openClient({ url: server.url, sessionId: "old-1", ownsSession: false });
    await client.call("tools/list");
    await client.transport.close();
    expect(idsOf(server.seen)).toEqual(["old-1"]);
  });
});

describe("a session that the server forgot", () => {
  const gone = { status: 404, text: "gone" };
  const errorFor = (id: unknown, code: number): string =>
    JSON.stringify({ jsonrpc: "2.0", id, error: { code, message: "Session not found" } });

  it.each([
    ["a bare 404", gone.text, {}],
    ["an error without an id", errorFor(null, -32001), {}],
    ["an error with an id of its own", errorFor("server-error", -32600), {}],
    ["an error with our id", errorFor(2, -32001), {}],
  ])("answers with %s: the failure says so", async (_, body) => {
    const server = await httpServerForTest((seen, response) => {
      if (seen.message["method"] !== "initialize") return response.writeHead(404).end(body);
      return sendJson(response, answerTo(seen), { headers: { "mcp-session-id": "s-1" } });
    });
    const client = await openClient(server.url);
    await client.call("initialize", LEGACY);
    const failure = await client.fail("tools/list");
    expect(failure).toMatchObject({ tag: "http-status", status: 404, sessionExpired: true, body });
    const told = await client.transport.notify("notifications/x", undefined, LONG);
    expect(told).toMatchObject({ ok: false, failure: { sessionExpired: true } });
  });

  it("is not meant by a 404 for an unknown method", async () => {
    const server = await httpServerForTest((seen, response) => {
      if (seen.message["method"] === "initialize") {
        return sendJson(response, answerTo(seen), { headers: { "mcp-session-id": "s-1" } });
      }
      return response.writeHead(404).end(errorFor(seen.message["id"], -32601));
    });
    const client = await openClient(server.url);
    await client.call("initialize", LEGACY);
    expect(await client.fail("x")).toMatchObject({ tag: "rpc-error", code: -32601, status: 404 });
  });

  it("is not meant by a 404 where there was no session", async () => {
    const server = await httpServerForTest((_, response) => response.writeHead(404).end("nothing"));
    const failure = await (await openClient(server.url)).fail("tools/list");
    expect(failure).toEqual({
      tag: "http-status",
      status: 404,
      body: "nothing",
      maybeExecuted: true,
    });
  });
});

describe("in the modern era", () => {
  it("a server may not ask, and gets no answer", async () => {
    const ask = { jsonrpc: "2.0", id: "s-1", method: "elicitation/create" };
    const server = await httpServerForTest((seen, response) => {
      beginEvents(response).write(event(ask));
      setImmediate(() => response.end(event(answerTo(seen))));
    });
    const client = await openClient(server.url, () => Promise.resolve(resultMessage("s-1", {})));
    expect(await client.call("m", { era: "modern" })).toEqual({ ok: true });
    await client.transport.close();
    expect(server.seen).toHaveLength(1);
    expect(codesOf(client)).toEqual(["reply-not-sent"]);
  });

  it("no session is taken or sent, nothing is deleted, the era's headers are", async () => {
    const server = await httpServerForTest((seen, response) =>
      sendJson(response, answerTo(seen), { headers: { "mcp-session-id": "none-of-it" } }),
    );
    const client = await openClient(server.url);
    const headers = { "Mcp-Method": "tools/call", "Mcp-Name": "add", "Mcp-Param-Region": "" };
    const modern = { era: "modern", protocolVersion: "2026-07-28", headers } as const;
    await client.call("tools/call", modern);
    await client.call("tools/call", modern);
    const stop = client.transport.listen?.(modern);
    stop?.();
    await client.transport.close();
    expect(server.seen.map(({ method }) => method)).toEqual(["POST", "POST"]);
    expect(idsOf(server.seen)).toEqual([null, null]);
    expect(server.seen[1]?.headers).toMatchObject({
      "mcp-protocol-version": "2026-07-28",
      "mcp-method": "tools/call",
      "mcp-name": "add",
      "mcp-param-region": "",
    });
  });
});
