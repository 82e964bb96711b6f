/**
 * Servers over HTTP as they are found: how they answer, what they demand, what they get wrong.
 */
import type { ServerResponse } from "node:http";
import { describe, expect, it, onTestFinished } from "vitest";
import { disconnectAll, execute, fromConfig, makeAnswer } from "../../src/index.ts";
import type { Load, LoadOptions, Request } from "../../src/index.ts";
import { createPeer } from "../fixtures/peers/peer.mjs";
import { httpServerForTest, sendJson, speaking } from "../support/http-server.ts";
import type { HttpServer, Seen } from "../support/http-server.ts";
import { AGREED, scripted } from "../support/memory-server.ts";
import { connected, objectIn, unconnected } from "../support/results.ts";
import { fact } from "../support/until.ts";

async function load(server: object, options: LoadOptions = {}): Promise<Load> {
  const loaded = await fromConfig({ mcpServers: { x: server } }, options);
  onTestFinished(() => disconnectAll(loaded));
  return loaded;
}

/** Speaks like the peer, but for requests of one method. */
function except(
  method: string,
  answer: (seen: Seen, response: ServerResponse) => unknown,
  manner: Parameters<typeof speaking>[1] = {},
): (seen: Seen, response: ServerResponse) => unknown {
  const speak = speaking(createPeer(), manner);
  return (seen, response) =>
    seen.message["method"] === method ? answer(seen, response) : speak(seen, response);
}

const posts = (server: HttpServer): readonly Seen[] =>
  server.seen.filter(({ method }) => method === "POST");

describe("an answer", () => {
  it.each([
    ["text/event-stream", ": a comment\n\nevent: message\ndata: $\n\n"],
    ["Text/Event-Stream; Charset=UTF-8", "data: $\n\n"],
    ["text/event-stream", "\ufeffdata: $\r\n\r\n"],
    ["text/event-stream", ":\n\nid: 1\ndata:\n\nid: 2\nretry: 10\ndata: $\n\n"],
    ["application/json", "$"],
    ["Application/JSON; charset=utf-8", "\ufeff $ \n"],
    ["application/json", "[$]"],
  ])("of type %s may look like %j (C133, C134, C185, B39)", async (type, frame) => {
    const peer = createPeer();
    const server = await httpServerForTest(async ({ method, message }, response) => {
      if (method !== "POST") return response.writeHead(405).end();
      const answer = await peer(message, () => undefined);
      if (answer === undefined) return response.writeHead(202).end();
      return response
        .writeHead(200, { "CONTENT-TYPE": type })
        .end(frame.replace("$", JSON.stringify(answer)));
    });
    const loaded = await load({ url: server.url });
    expect(loaded.errors).toEqual({});
    expect(loaded.tools).toHaveLength(16);
    expect(await execute(loaded, "x_echo", { message: "hi" })).toMatchObject({
      output: "Echo: hi",
    });
  });

  it("is the message with our id, wherever it stands among others (C203)", async () => {
    const server = await httpServerForTest(
      except("tools/call", ({ message }, response) => {
        const result = { content: [{ type: "text", text: "mine" }] };
        const foreign = { content: [{ type: "text", text: "foreign" }] };
        const messages = [
          { jsonrpc: "2.0", method: "notifications/unheard-of" },
          { jsonrpc: "2.0", id: 4711, result: foreign },
          { jsonrpc: "2.0", id: message["id"], method: "ping" },
          { jsonrpc: "2.0", id: message["id"], result },
          { jsonrpc: "2.0", id: 4712, result: foreign },
        ];
        const events = messages.map((one) => `data: ${JSON.stringify(one)}\n\n`).join("");
        response.writeHead(200, { "content-type": "text/event-stream" }).end(events);
      }),
    );
    const loaded = await load({ url: server.url });
    expect(await execute(loaded, "x_echo")).toMatchObject({ output: "mine" });
  });

  it("is read as it arrives: progress is heard while the stream is still open (C218)", async () => {
    const heard = fact<void>();
    const server = await httpServerForTest(
      except("tools/call", async ({ message }, response) => {
        const meta = objectIn(objectIn(message["params"])["_meta"]);
        const params = { progressToken: meta["progressToken"], progress: 1 };
        const progress = { jsonrpc: "2.0", method: "notifications/progress", params };
        response.writeHead(200, { "content-type": "text/event-stream" });
        response.write(`data: ${JSON.stringify(progress)}\n\n`);
        await heard.promise;
        const answer = { jsonrpc: "2.0", id: message["id"], result: { content: [] } };
        response.end(`data: ${JSON.stringify(answer)}\n\n`);
      }),
    );
    const loaded = await load({ url: server.url });
    const onProgress = (): void => heard.resolve();
    expect(await execute(loaded, "x_echo", {}, { onProgress })).toMatchObject({ isError: false });
  });

  it("whose stream is opened and then says nothing is bounded by the call's time (C218)", async () => {
    const server = await httpServerForTest(
      except("tools/call", (_, response) => {
        response.writeHead(200, { "content-type": "text/event-stream" }).write(":\n\n");
      }),
    );
    const loaded = await load({ url: server.url });
    expect(await execute(loaded, "x_echo", {}, { timeoutMs: 100 })).toMatchObject({
      failure: { tag: "timeout", timeoutMs: 100 },
    });
  });
});

describe("a refusal", () => {
  it.each<[string, (response: ServerResponse) => void, string]>([
    ["503 (C137)", (response) => response.writeHead(503).end("busy"), "http-status (HTTP 503)"],
    [
      "HTML instead of JSON (C138)",
      (response) => response.writeHead(200, { "content-type": "text/html" }).end("<html>"),
      "malformed-body: content type text/html instead of JSON or events",
    ],
    [
      "JSON that is none (C138)",
      (response) => response.writeHead(200, { "content-type": "application/json" }).end("<html>"),
      "malformed-body: not JSON",
    ],
    ["401", (response) => response.writeHead(401).end(), "http-status (HTTP 401)"],
    [
      "a redirect to another place",
      (response) => response.writeHead(308, { location: "https://other.example/mcp" }).end(),
      "http-status (HTTP 308): redirects to https://other.example/mcp; put that into the config",
    ],
    ["a broken link", (response) => void response.destroy(), "transport (reset)"],
  ])("of the whole server: %s", async (_, refuse, text) => {
    const server = await httpServerForTest((_seen, response) => refuse(response));
    const loaded = await load({ url: server.url });
    expect(loaded.errors).toEqual({ x: `mcp server "x" failed at initialize: ${text}` });
    expect(unconnected(loaded.connections[0]).phase).toBe("initialize");
  });

  it("of the handshake is its RPC error (C189)", async () => {
    const server = await httpServerForTest(({ message: { id } }, response) =>
      sendJson(response, { jsonrpc: "2.0", id, error: { code: -32600, message: "not today" } }),
    );
    const { errors } = await load({ url: server.url });
    expect(errors).toEqual({
      x: 'mcp server "x" failed at initialize: rpc-error (code -32600): not today',
    });
  });

  it("of the notification that the handshake is done is only a note (C207)", async () => {
    const server = await httpServerForTest(
      except("notifications/initialized", (_, response) => response.writeHead(500).end()),
    );
    const loaded = await load({ url: server.url });
    expect(connected(loaded.connections[0]).notes.map(({ code }) => code)).toEqual([
      "initialized-refused",
    ]);
  });

  it.each([
    [{ tools: {} }, "tools is an object, not an array"],
    [{}, "tools is absent, not an array"],
  ])("of the list's shape: %j (C184)", async (result, detail) => {
    const server = await httpServerForTest(
      except("tools/list", ({ message: { id } }, response) => sendJson(response, { id, result })),
    );
    const { errors } = await load({ url: server.url });
    expect(errors).toEqual({ x: `mcp server "x" failed at tools/list: malformed-body: ${detail}` });
  });

  it.each(["2", "x", "2.5", "-1", "٣"])(
    "says when to come again in plain digits only: %s (C218)",
    async (value) => {
      const server = await httpServerForTest((_, response) => {
        response.setHeader("retry-after", Buffer.from(value).toString("latin1"));
        response.writeHead(503).end();
      });
      const { failure } = unconnected((await load({ url: server.url })).connections[0]);
      expect(failure).toMatchObject({ tag: "http-status", status: 503 });
      if (value === "2") expect(failure).toMatchObject({ retryAfterMs: 2000 });
      else expect(failure).not.toHaveProperty("retryAfterMs");
    },
  );

  it.each(["http://", "not a url", "ftp://x.example/mcp", "http://[::bad"])(
    "of the address itself: %s (C186)",
    async (url) => {
      const loaded = await load({ url });
      expect(loaded.statuses).toEqual({ x: "failed" });
      expect(unconnected(loaded.connections[0])).toMatchObject({
        phase: "config",
        failure: { tag: "config" },
      });
    },
  );
});

describe("a session", () => {
  it.each(["mcp-session-id", "Mcp-Session-Id", "MCP-SESSION-ID"])(
    "is read from %s, sent verbatim from then on, and ended (C135, C167, C168, C169, C180, C204, C208)",
    async (header) => {
      const speak = speaking(createPeer());
      const server = await httpServerForTest((seen, response) => {
        if (seen.message["method"] === "initialize") response.setHeader(header, "sess-MiXeD-1");
        return speak(seen, response);
      });
      const loaded = await load({ url: server.url });
      await execute(loaded, "x_echo", { message: "hi" });
      expect(connected(loaded.connections[0]).sessionId).toBe("sess-MiXeD-1");
      await disconnectAll(loaded);
      const sent = server.seen.map(({ method, message, headers }) => [
        message["method"] ?? method,
        headers["mcp-session-id"],
        headers["mcp-protocol-version"],
      ]);
      expect(sent).toEqual([
        ["server/discover", undefined, "2026-07-28"],
        ["initialize", undefined, undefined],
        ["notifications/initialized", "sess-MiXeD-1", "2025-11-25"],
        ["tools/list", "sess-MiXeD-1", "2025-11-25"],
        ["tools/list", "sess-MiXeD-1", "2025-11-25"],
        ["tools/call", "sess-MiXeD-1", "2025-11-25"],
        ["DELETE", "sess-MiXeD-1", "2025-11-25"],
      ]);
    },
  );

  it("is not ended at a server that never gave one, nor a second time (C198)", async () => {
    for (const manner of [{}, { sessionId: "s-1" }]) {
      const server = await httpServerForTest(speaking(createPeer(), manner));
      const loaded = await load({ url: server.url });
      await disconnectAll(loaded);
      await disconnectAll(loaded);
      const ends = server.seen.filter(({ method }) => method === "DELETE");
      expect(ends).toHaveLength("sessionId" in manner ? 1 : 0);
    }
  });

  it("of a load that fails at the list is ended too", async () => {
    const server = await httpServerForTest(
      except("tools/list", (_, response) => response.writeHead(500).end(), { sessionId: "s-1" }),
    );
    await load({ url: server.url });
    expect(server.seen.at(-1)).toMatchObject({ method: "DELETE" });
  });
});

describe("a header of the config", () => {
  it("is expanded when it is sent, beside those of the protocol (C127, C180, C205)", async () => {
    const server = await httpServerForTest(speaking(createPeer()));
    const headers = { Authorization: "Bearer ${TOKEN}", "X-Plain": "as is", Accept: "text/plain" };
    await load({ url: server.url, headers }, { env: { TOKEN: "t-123456" } });
    expect(posts(server).length).toBeGreaterThan(3);
    for (const seen of posts(server)) {
      expect(seen.headers).toMatchObject({
        authorization: "Bearer t-123456",
        "x-plain": "as is",
        accept: "application/json, text/event-stream",
        "content-type": "application/json",
      });
    }
  });
});

describe("a question in the middle of a call", () => {
  const FORM = { message: "Your name?", requestedSchema: { type: "object", properties: {} } };

  /** A server that asks on the stream of the call, and ends it only when it has the answer. */
  async function asking(params: object): Promise<{ server: HttpServer; question: object }> {
    const question = { jsonrpc: "2.0", id: "srv-77", method: "elicitation/create", params };
    const answered = fact<void>();
    const speak = speaking(createPeer(), { sessionId: "sess-MiXeD-1" });
    const server = await httpServerForTest(async (seen, response) => {
      const { message } = seen;
      if (message["id"] === "srv-77") {
        response.writeHead(202, { "content-type": "application/json" }).end('{"ignored":true}');
        return answered.resolve();
      }
      if (message["method"] !== "tools/call") return speak(seen, response);
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write(`data: ${JSON.stringify(question)}\n\n`);
      await answered.promise;
      const result = { content: [{ type: "text", text: "asked and answered" }] };
      response.end(`data: ${JSON.stringify({ jsonrpc: "2.0", id: message["id"], result })}\n\n`);
    });
    return { server, question };
  }

  it.each<[string, object, LoadOptions["waitFor"], object]>([
    [
      "accepted (C170)",
      FORM,
      ({ id }) => makeAnswer(id, true, { name: "Ada" }),
      { result: { action: "accept", content: { name: "Ada" } } },
    ],
    [
      "a URL, declined (C171)",
      { mode: "url", message: "Go", url: "https://x.example" },
      ({ id }) => ({ id, ok: false, reason: "declined" }),
      { result: { action: "decline" } },
    ],
    [
      "that nobody promised to answer (C173)",
      FORM,
      undefined,
      { error: { code: -32601, message: "Method not found" } },
    ],
  ])(
    "%s is answered on a POST of its own while the stream waits (C101, C174)",
    async (_, params, waitFor, reply) => {
      const { server } = await asking(params);
      const asked: Request[] = [];
      const options: LoadOptions =
        waitFor === undefined
          ? {}
          : {
              waitFor: (request, context) => {
                asked.push(request);
                return waitFor(request, context);
              },
            };
      const loaded = await load({ url: server.url }, options);
      const result = await execute(loaded, "x_echo");
      expect(result).toMatchObject({ output: "asked and answered", isError: false });
      const replies = posts(server).filter(({ message }) => message["id"] === "srv-77");
      expect(replies.map(({ message }) => message)).toEqual([
        { jsonrpc: "2.0", id: "srv-77", ...reply },
      ]);
      expect(replies[0]?.headers).toMatchObject({
        "mcp-session-id": "sess-MiXeD-1",
        "mcp-protocol-version": "2025-11-25",
      });
      const calls = posts(server).filter(({ message }) => message["method"] === "tools/call");
      expect(calls).toHaveLength(1);
      expect(asked).toHaveLength(waitFor === undefined ? 0 : 1);
    },
  );

  it("may wait longer for a person than the call has time (C026, C174)", async () => {
    const { server } = await asking(FORM);
    const waitFor = async ({ id }: Request): Promise<ReturnType<typeof makeAnswer>> => {
      await new Promise((resolve) => setTimeout(resolve, 1200));
      return makeAnswer(id, true);
    };
    const loaded = await load({ url: server.url }, { waitFor });
    const result = await execute(loaded, "x_echo", {}, { timeoutMs: 1000 });
    expect(result).toMatchObject({ output: "asked and answered", isError: false });
  });

  it("comes from a server whose other answers are plain JSON: each answer is judged by itself (C102, C202)", async () => {
    const events = speaking(createPeer());
    const json = speaking(createPeer(), { events: false });
    const server = await httpServerForTest((seen, response) =>
      seen.message["method"] === "tools/call" || seen.message["method"] === undefined
        ? events(seen, response)
        : json(seen, response),
    );
    const waitFor = ({ id }: Request): ReturnType<typeof makeAnswer> => makeAnswer(id, true, {});
    const loaded = await load({ url: server.url }, { waitFor });
    const args = { method: "elicitation/create", params: FORM };
    expect(await execute(loaded, "x_ask", args)).toMatchObject({ isError: false });
  });
});

it("finds the server under each of the three wrappers, and bare (C032, C121)", async () => {
  const server = await httpServerForTest(
    speaking(scripted({ initialize: () => AGREED, "tools/list": () => ({ tools: [] }) })),
  );
  const servers = { one: { url: server.url } };
  for (const config of [{ mcpServers: servers }, { servers }, { mcp: servers }, servers]) {
    const loaded = await fromConfig(config);
    onTestFinished(() => disconnectAll(loaded));
    expect(loaded.statuses).toEqual({ one: "connected" });
  }
});
