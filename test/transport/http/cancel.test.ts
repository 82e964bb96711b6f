import { getEventListeners } from "node:events";
import { describe, expect, it } from "vitest";
import type { Failure } from "../../../src/failure.ts";
import type { JsonObject } from "../../../src/json.ts";
import type { RpcOptions } from "../../../src/transport/transport.ts";
import { httpServerForTest, sendJson } from "../../support/http-server.ts";
import type { HttpServer, Seen } from "../../support/http-server.ts";
import { fact } from "../../support/until.ts";
import { LONG, answerTo, beginEvents, openClient } from "./peer.ts";
import type { Client } from "./peer.ts";

/** A server that answers nothing but `ping`, and tells what becomes of the rest. */
interface Silent {
  readonly server: HttpServer;
  /** Resolves when a request other than a ping is there. */
  readonly asked: Promise<Seen>;
  /** Resolves when the client has closed that request's connection. */
  readonly dropped: Promise<void>;
  told(): readonly JsonObject[];
}

async function silent(): Promise<Silent> {
  const asked = fact<Seen>();
  const dropped = fact<void>();
  const server = await httpServerForTest((seen, response) => {
    if (seen.message["method"] === "ping") return sendJson(response, answerTo(seen));
    if (seen.message["id"] === undefined) return response.writeHead(202).end();
    response.on("close", dropped.resolve);
    beginEvents(response).write(": open\n\n");
    return asked.resolve(seen);
  });
  const told = (): readonly JsonObject[] =>
    server.seen.flatMap(({ message }) => (message["id"] === undefined ? [message] : []));
  return { server, asked: asked.promise, dropped: dropped.promise, told };
}

/** A request that is aborted once the server has it. */
async function abortedRequest(
  client: Client,
  asked: Promise<unknown>,
  method: string,
  options: Partial<RpcOptions> = {},
): Promise<Failure> {
  const abort = new AbortController();
  const failing = client.fail(method, { ...options, signal: abort.signal });
  await asked;
  abort.abort();
  return failing;
}

const cancelled = (reason: string): JsonObject => ({
  jsonrpc: "2.0",
  method: "notifications/cancelled",
  params: { requestId: 1, reason },
});

describe("a request that is given up", () => {
  it("by its signal: the server is told, then the stream is closed", async () => {
    const { server, asked, dropped, told } = await silent();
    const client = await openClient(server.url);
    expect(await abortedRequest(client, asked, "tools/call")).toEqual({
      tag: "cancelled",
      maybeExecuted: true,
    });
    await dropped;
    expect(told()).toEqual([cancelled("cancelled")]);
    expect(server.seen[1]?.headers["mcp-protocol-version"]).toBe("2025-11-25");
  });

  it("by its budget: the server is told", async () => {
    const { server, dropped, told } = await silent();
    const client = await openClient(server.url);
    expect(await client.fail("tools/call", { timeoutMs: 1000 })).toMatchObject({ tag: "timeout" });
    await dropped;
    expect(told()).toEqual([cancelled("timeout")]);
  });

  it("by its id: the server is told why", async () => {
    const { server, asked, dropped, told } = await silent();
    const client = await openClient(server.url);
    const failing = client.fail("tools/call");
    await asked;
    expect(client.transport.cancel?.(1, "because")).toBe(true);
    expect(await failing).toMatchObject({ tag: "cancelled" });
    await dropped;
    expect(told()).toEqual([cancelled("because")]);
    expect(client.transport.cancel?.(1)).toBe(false);
  });

  it.each(["initialize", "server/discover"])("is never cancelled by name: %s", async (method) => {
    const { server, asked, dropped, told } = await silent();
    const client = await openClient(server.url);
    await abortedRequest(client, asked, method);
    await dropped;
    await client.call("ping");
    expect(told()).toEqual([]);
  });

  it("in the modern era is only closed", async () => {
    const { server, asked, dropped, told } = await silent();
    const client = await openClient(server.url);
    await abortedRequest(client, asked, "tools/call", { era: "modern" });
    await dropped;
    await client.call("ping");
    expect(told()).toEqual([]);
  });

  it("before it could be sent sends nothing at all", async () => {
    const { server } = await silent();
    const never = new Promise<never>(() => undefined);
    const client = await openClient({ url: server.url, authorize: () => never });
    const abort = new AbortController();
    const failing = client.fail("tools/call", { signal: abort.signal });
    abort.abort();
    expect(await failing).toMatchObject({ tag: "cancelled" });
    await client.transport.close();
    expect(server.seen).toEqual([]);
  });

  it("by a signal that has fired already sends nothing", async () => {
    const { server } = await silent();
    const client = await openClient(server.url);
    const failure = await client.fail("tools/call", { signal: AbortSignal.abort() });
    expect(failure).toEqual({ tag: "cancelled", maybeExecuted: false });
    const told = await client.transport.notify("n", undefined, { signal: AbortSignal.abort() });
    expect(told).toMatchObject({ ok: false, failure: { tag: "cancelled" } });
    expect(server.seen).toEqual([]);
  });

  it("does not hold the call back when the server takes no cancellation", async () => {
    const server = await httpServerForTest((_, response) =>
      beginEvents(response).write(": open\n\n"),
    );
    const client = await openClient(server.url);
    expect(await client.fail("tools/call", { timeoutMs: 1000 })).toMatchObject({ tag: "timeout" });
  });

  it("may be answered late: nobody is called, and the next call lives", async () => {
    const server = await httpServerForTest((seen, response) => {
      if (seen.message["method"] === "notifications/cancelled") {
        late.resolve();
        return response.writeHead(202).end();
      }
      if (seen.message["method"] === "ping") return sendJson(response, answerTo(seen));
      return late.promise.then(() => sendJson(response, answerTo(seen)));
    });
    const late = fact<void>();
    const client = await openClient(server.url);
    expect(await client.fail("tools/call", { timeoutMs: 1000 })).toMatchObject({ tag: "timeout" });
    await late.promise;
    expect(await client.call("ping")).toEqual({ ok: true });
  });
});

describe("one signal shared by many calls", () => {
  it("keeps no listener of theirs", async () => {
    const server = await httpServerForTest((seen, response) => sendJson(response, answerTo(seen)));
    const client = await openClient(server.url);
    const { signal } = new AbortController();
    for (let call = 0; call < 20; call++) await client.call("m", { signal });
    await client.transport.notify("n", undefined, { ...LONG, signal });
    expect(getEventListeners(signal, "abort")).toEqual([]);
  });
});
