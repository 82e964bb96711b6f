import type { ServerResponse } from "node:http";
import { describe, expect, it } from "vitest";
import type { Failure } from "../../../src/failure.ts";
import { errorMessage, resultMessage } from "../../../src/protocol/messages.ts";
import { httpServerForTest, sendJson } from "../../support/http-server.ts";
import type { HttpServer, Seen } from "../../support/http-server.ts";
import { answerTo, codesOf, event, expectSoon, LONG, openClient } from "./peer.ts";

/** A server that answers everything in one way. */
function answering(
  status: number,
  headers: Record<string, string>,
  body: string | ((seen: Seen) => string) = "",
): Promise<HttpServer> {
  return httpServerForTest((seen, response) => {
    response.writeHead(status, headers).end(typeof body === "string" ? body : body(seen));
  });
}

const JSON_TYPE = { "content-type": "application/json" };
const EVENTS = { "content-type": "text/event-stream" };

async function failing(server: HttpServer): Promise<Failure> {
  return (await openClient(server.url)).fail("tools/list");
}

describe("a JSON answer", () => {
  it.each([
    ["with parameters in its type", { "content-type": "Application/JSON; charset=utf-8" }],
    ["without a type", {}],
  ])("%s is read", async (_, headers) => {
    const server = await answering(200, headers, (seen) => JSON.stringify(answerTo(seen)));
    const client = await openClient(server.url);
    expect(await client.call("m")).toEqual({ ok: true });
    expect(codesOf(client)).toEqual("content-type" in headers ? [] : ["no-content-type"]);
  });

  it("may begin with a byte order mark and stand in an array with others", async () => {
    const server = await answering(200, JSON_TYPE, (seen) => {
      const first = { jsonrpc: "2.0", method: "notifications/x" };
      return `\ufeff${JSON.stringify([first, answerTo(seen)])}`;
    });
    const client = await openClient(server.url);
    expect(await client.call("m")).toEqual({ ok: true });
    expect(client.notifications).toHaveLength(1);
  });

  it.each([
    ["nothing", ""],
    ["blanks", " \r\n"],
    ["no JSON", "<html>"],
    ["half of an answer", '{"jsonrpc":"2.0","id":1,"resu'],
    ["the answer to another request", JSON.stringify(resultMessage(99, {}))],
    ["an error for another request", JSON.stringify(errorMessage(99, -1, "x"))],
    ["a result without an id", '{"jsonrpc":"2.0","id":null,"result":{}}'],
    ["a notification alone", '{"jsonrpc":"2.0","method":"notifications/x"}'],
    ["neither result nor error", '{"jsonrpc":"2.0","id":1}'],
    ["a result that is null", '{"jsonrpc":"2.0","id":1,"result":null}'],
    ["a number", "7"],
  ])("that holds %s is malformed at once", async (_, body) => {
    expect(await failing(await answering(200, JSON_TYPE, body))).toMatchObject({
      tag: "malformed-body",
      maybeExecuted: true,
    });
  });

  it("that is an error without an id belongs to the only request it can belong to", async () => {
    const body = '{"jsonrpc":"2.0","id":null,"error":{"code":0,"message":"zero"}}';
    expect(await failing(await answering(200, JSON_TYPE, body))).toMatchObject({
      tag: "rpc-error",
      code: 0,
      message: "zero",
    });
  });

  it("that is a request is answered, and malformed", async () => {
    const ping = JSON.stringify({ jsonrpc: "2.0", id: "s-1", method: "ping" });
    const server = await httpServerForTest((seen, response) => {
      if (seen.message["method"] === undefined) return response.writeHead(202).end();
      return response.writeHead(200, JSON_TYPE).end(ping);
    });
    const client = await openClient(server.url, () => Promise.resolve(resultMessage("s-1", {})));
    expect(await client.fail("m")).toMatchObject({ tag: "malformed-body" });
    await expectSoon(() => server.seen[1]?.message).toEqual(resultMessage("s-1", {}));
  });
});

describe("an answer of", () => {
  it.each([202, 204, 200])(
    "status %i without a body is malformed for a request",
    async (status) => {
      expect(await failing(await answering(status, {}))).toMatchObject({ tag: "malformed-body" });
    },
  );

  it("another content type is malformed at once, even if it never ends", async () => {
    const server = await httpServerForTest((_, response) => {
      response.writeHead(200, { "content-type": "text/html" }).write("<html>");
    });
    const failure = await failing(server);
    expect(failure).toMatchObject({ tag: "malformed-body" });
    expect(JSON.stringify(failure)).toContain("text/html");
  });

  it("both kinds is read by its own type, on one connection", async () => {
    let calls = 0;
    const server = await httpServerForTest((seen, response) => {
      if (calls++ % 2 === 0) return sendJson(response, answerTo(seen));
      return response.writeHead(200, EVENTS).end(event(answerTo(seen)));
    });
    const client = await openClient(server.url);
    for (let call = 0; call < 4; call++) expect(await client.call("m")).toEqual({ ok: true });
  });

  it("that is larger than allowed is a limit, with and without its length", async () => {
    const big = (seen: Seen): string => JSON.stringify(answerTo(seen, { text: "x".repeat(5000) }));
    const write = (seen: Seen, response: ServerResponse): void => {
      if (seen.message["method"] === "chunked") response.write(big(seen).slice(0, 10));
      response.end(seen.message["method"] === "chunked" ? big(seen).slice(10) : big(seen));
    };
    const server = await httpServerForTest((seen, response) => {
      response.writeHead(200, JSON_TYPE);
      write(seen, response);
    });
    const client = await openClient({ url: server.url, maxMessageBytes: 4000 });
    const limit = { tag: "limit", limit: "message-bytes", value: 4000 };
    expect(await client.fail("m")).toMatchObject(limit);
    expect(await client.fail("chunked")).toMatchObject(limit);
  });
});

describe("a refusal", () => {
  const rpcError = '{"jsonrpc":"2.0","id":1,"error":{"code":-32022,"message":"no","data":{"a":1}}}';

  it("that holds a JSON-RPC error is that error, with its status", async () => {
    expect(await failing(await answering(400, JSON_TYPE, rpcError))).toMatchObject({
      tag: "rpc-error",
      code: -32022,
      message: "no",
      data: { a: 1 },
      status: 400,
    });
  });

  it.each([401, 403])("of %i is a status, with its challenge", async (status) => {
    const headers = { ...JSON_TYPE, "WWW-Authenticate": 'Bearer error="invalid_token"' };
    expect(await failing(await answering(status, headers, rpcError))).toMatchObject({
      tag: "http-status",
      status,
      challenge: 'Bearer error="invalid_token"',
    });
  });

  it("tells when to come back", async () => {
    const server = await answering(503, { "retry-after": "7" }, "busy");
    expect(await failing(server)).toMatchObject({
      tag: "http-status",
      status: 503,
      body: "busy",
      retryAfterMs: 7000,
    });
  });

  it("whose body never ends is there at once all the same", async () => {
    const server = await httpServerForTest((_, response) => {
      response.writeHead(500, { "content-type": "text/plain" }).write("half");
    });
    expect(await failing(server)).toMatchObject({ tag: "http-status", status: 500, body: "half" });
  });

  it("with a flood for a body shows its first KiB", async () => {
    const server = await answering(502, { "content-type": "text/html" }, "<p>".repeat(100_000));
    const failure = await failing(server);
    expect(failure.tag === "http-status" && failure.body.length).toBe(1024);
  });

  it("shows no secret", async () => {
    const server = await answering(500, {}, "key is s3cr3t-value");
    const redact = (text: string): string => text.replaceAll("s3cr3t-value", "«KEY»");
    const client = await openClient({ url: server.url, redact });
    expect(await client.fail("m", LONG)).toMatchObject({ body: "key is «KEY»" });
  });
});
