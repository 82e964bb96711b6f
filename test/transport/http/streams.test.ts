import { describe, expect, it } from "vitest";
import { isObject } from "../../../src/json.ts";
import type { JsonObject } from "../../../src/json.ts";
import { errorMessage, resultMessage } from "../../../src/protocol/messages.ts";
import { httpServerForTest, sendJson } from "../../support/http-server.ts";
import { fact } from "../../support/until.ts";
import {
  answerTo,
  beginEvents,
  codesOf,
  countingServer,
  event,
  expectSoon,
  LONG,
  openClient,
} from "./peer.ts";

const NOTICE = { jsonrpc: "2.0", method: "notifications/message", params: { data: 1 } };

describe("an event stream that answers a request", () => {
  it("delivers what came before the answer, in order, while the call waits", async () => {
    const heard = fact<void>();
    const server = await httpServerForTest(async (seen, response) => {
      beginEvents(response);
      const params = { progressToken: seen.message["id"] ?? 0, progress: 1 };
      response.write(event({ jsonrpc: "2.0", method: "notifications/progress", params }));
      response.write(event(NOTICE));
      // The answer waits until the client has heard both: no buffered reading would get here.
      await heard.promise;
      response.end(event(answerTo(seen)));
    });
    const client = await openClient(server.url);
    const order: string[] = [];
    const answer = await client.call("tools/call", {
      onProgress: ({ progress }) => order.push(`progress ${progress}`),
      onNotification: ({ method }) => {
        order.push(typeof method === "string" ? method : "");
        if (method === "notifications/message") heard.resolve();
      },
    });
    expect(answer).toEqual({ ok: true });
    expect(order).toEqual(["progress 1", "notifications/progress", "notifications/message"]);
  });

  it("may ask in the middle of the call, and waits for our answer on a POST of its own", async () => {
    const answered = fact<JsonObject>();
    const server = await httpServerForTest(async (seen, response) => {
      if (seen.message["method"] === undefined) {
        answered.resolve(seen.message);
        return response.writeHead(202).end();
      }
      if (seen.message["method"] === "initialize") {
        return sendJson(response, answerTo(seen), { headers: { "Mcp-Session-Id": "sess-MiXeD" } });
      }
      beginEvents(response);
      const ask = { jsonrpc: "2.0", id: "srv-77", method: "elicitation/create", params: {} };
      response.write(event(ask));
      const { result } = await answered.promise;
      const action = isObject(result) ? (result["action"] ?? null) : null;
      return response.end(event(answerTo(seen, { action })));
    });
    const client = await openClient(server.url, () =>
      Promise.resolve(resultMessage("srv-77", { action: "accept" })),
    );
    await client.call("initialize");
    expect(await client.call("tools/call")).toEqual({ action: "accept" });
    const reply = server.seen.find(({ message }) => message["id"] === "srv-77");
    expect(reply?.message).toEqual(resultMessage("srv-77", { action: "accept" }));
    expect(reply?.headers).toMatchObject({
      "mcp-session-id": "sess-MiXeD",
      "mcp-protocol-version": "2025-11-25",
      "content-type": "application/json",
    });
    expect(server.seen.filter(({ message }) => message["method"] === "tools/call")).toHaveLength(1);
  });

  it("that refuses our reply is a note, and the call goes on", async () => {
    const replied = fact<void>();
    const server = await httpServerForTest(async (seen, response) => {
      if (seen.message["method"] === undefined) {
        response.writeHead(400).end("no");
        return replied.resolve();
      }
      beginEvents(response).write(event({ jsonrpc: "2.0", id: 0, method: "ping" }));
      await replied.promise;
      response.end(event(answerTo(seen)));
    });
    const client = await openClient(server.url, () => Promise.resolve(errorMessage(0, -1, "x")));
    expect(await client.call("m")).toEqual({ ok: true });
    await expectSoon(() => codesOf(client)).toEqual(["reply-refused"]);
  });

  it("need not end: the answer is enough, and its socket is given up", async () => {
    const server = await countingServer((seen, response) => {
      beginEvents(response).write(event(answerTo(seen)));
    });
    const client = await openClient(server.url);
    for (let call = 0; call < 5; call++) {
      expect(await client.call("m")).toEqual({ ok: true });
      expect(await server.open()).toBeLessThanOrEqual(3);
    }
    await expectSoon(() => server.open()).toBe(0);
  });

  it("is not read beyond the answer", async () => {
    const server = await httpServerForTest((seen, response) => {
      beginEvents(response).end(event(answerTo(seen)) + event(NOTICE));
    });
    const client = await openClient(server.url);
    await client.call("m");
    await client.transport.close();
    expect(client.notifications).toEqual([]);
  });

  it("skips what is no message: comments, other events, empty data, junk", async () => {
    const server = await httpServerForTest((seen, response) => {
      beginEvents(response).end(
        `: hello\n\nevent: ping\ndata: 2026-01-01\n\nid: 1\ndata:\n\ndata: not json\n\nevent: message\n${event(answerTo(seen))}`,
      );
    });
    const client = await openClient(server.url);
    expect(await client.call("m")).toEqual({ ok: true });
    expect(codesOf(client)).toEqual(["junk-event"]);
  });

  it("that ends without the answer is peer-eof at once", async () => {
    const server = await httpServerForTest((_, response) => beginEvents(response).end(": bye\n\n"));
    expect(await (await openClient(server.url)).fail("m")).toEqual({
      tag: "peer-eof",
      exitCode: null,
      signal: null,
      maybeExecuted: true,
    });
  });

  it("that breaks without the answer is a transport failure at once", async () => {
    const server = await httpServerForTest((_, response) => {
      beginEvents(response).write(": hi\n\n", () => response.destroy());
    });
    const failure = await (await openClient(server.url)).fail("m");
    expect(failure).toMatchObject({ tag: "transport", reason: "stream-failed" });
  });

  it("never answers with the id of another request", async () => {
    const server = await httpServerForTest((_, response) => {
      beginEvents(response).end(event(resultMessage(424242, {})));
    });
    const client = await openClient(server.url);
    expect(await client.fail("m")).toMatchObject({ tag: "peer-eof" });
    expect(codesOf(client)).toEqual(["unmatched-answer"]);
  });

  it("holds one message of at most the largest size, and any number of them", async () => {
    const server = await httpServerForTest((seen, response) => {
      beginEvents(response);
      for (let note = 0; note < 50; note++) response.write(event(NOTICE));
      const size = seen.message["method"] === "large" ? 400 : 10;
      response.end(event(answerTo(seen, { text: "x".repeat(size) })));
    });
    const client = await openClient({ url: server.url, maxMessageBytes: 300 });
    expect(await client.call("small")).toEqual({ text: "x".repeat(10) });
    expect(await client.fail("large")).toMatchObject({ tag: "limit", value: 300 });
  });

  it("says in a timeout what could not be read", async () => {
    const server = await httpServerForTest((_, response) => {
      beginEvents(response).write("data: junk\n\ndata: more\n\n");
    });
    const client = await openClient(server.url);
    expect(await client.fail("m", { ...LONG, timeoutMs: 1500 })).toMatchObject({
      tag: "timeout",
      timeoutMs: 1500,
      detail: "2 event(s) without JSON",
    });
  });

  it("carries many calls at once, each with its own answer", async () => {
    const server = await httpServerForTest((seen, response) => {
      const params = seen.message["params"];
      beginEvents(response).end(event(answerTo(seen, isObject(params) ? params : {})));
    });
    const client = await openClient(server.url);
    const calls = Array.from({ length: 100 }, (_, n) => client.call("m", LONG, { n }));
    expect(await Promise.all(calls)).toEqual(Array.from({ length: 100 }, (_, n) => ({ n })));
  });
});
