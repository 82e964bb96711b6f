import { describe, expect, it } from "vitest";
import { httpTransport } from "../../../src/transport/http/http-transport.ts";
import { httpServerForTest, sendJson } from "../../support/http-server.ts";
import { failureOf } from "../../support/results.ts";
import { fact } from "../../support/until.ts";
import { answerTo, beginEvents, countingServer, expectSoon, LONG, openClient } from "./peer.ts";

const SESSION = { headers: { "mcp-session-id": "s-1" } };
const CLOSED = { tag: "closed", by: "client" };

describe("closing", () => {
  it("fails what waits and all that follows, says why, and can be repeated", async () => {
    const asked = fact<void>();
    const server = await httpServerForTest((_, response) => {
      beginEvents(response).write(": open\n\n");
      asked.resolve();
    });
    const { transport, fail } = await openClient(server.url);
    const waiting = fail("tools/call");
    await asked.promise;
    await Promise.all([transport.close(), transport.close({ hurry: true })]);
    expect(await waiting).toMatchObject({ ...CLOSED, maybeExecuted: true });
    expect(await fail("tools/call")).toEqual({ ...CLOSED, maybeExecuted: false });
    expect(await transport.notify("n")).toMatchObject({ ok: false, failure: CLOSED });
    expect(await transport.closed).toEqual({
      failure: null,
      exitCode: null,
      signal: null,
      stderr: [],
    });
    await transport.close();
    expect(server.seen).toHaveLength(1);
  });

  it("leaves no socket open, whatever is on its way", async () => {
    const server = await countingServer((seen, response) => {
      const { method } = seen.message;
      if (method === "initialize") return sendJson(response, answerTo(seen), SESSION);
      if (method === "json")
        return void response.writeHead(200, { "content-length": "9" }).write("{");
      if (method === "events" || seen.method === "GET") {
        return void beginEvents(response).write(": open\n\n");
      }
      return undefined;
    });
    const { transport, call, fail } = await openClient({ url: server.url, deleteTimeoutMs: 50 });
    await call("initialize", { timeoutMs: 20_000 });
    const waiting = ["json", "events", "silent"].map((method) => fail(method));
    const stop = transport.listen?.(LONG);
    const told = transport.notify("n", undefined, LONG);
    await expectSoon(server.made).toBeGreaterThanOrEqual(4);
    await transport.close();
    expect(await told).toMatchObject({ ok: false });
    for (const failure of await Promise.all(waiting)) expect(failure).toMatchObject(CLOSED);
    stop?.();
    await expectSoon(() => server.open()).toBe(0);
  });

  it("sends DELETE with the session and its version, whatever is answered", async () => {
    const server = await httpServerForTest((seen, response) =>
      seen.method === "DELETE"
        ? response.writeHead(405).end()
        : sendJson(response, answerTo(seen), SESSION),
    );
    const { transport, call } = await openClient({ url: server.url, headers: { "x-key": "k" } });
    await call("initialize", { timeoutMs: 20_000 });
    await call("ping");
    await transport.close();
    const last = server.seen.at(-1);
    expect([last?.method, last?.body]).toEqual(["DELETE", ""]);
    expect(last?.headers).toMatchObject({
      "mcp-session-id": "s-1",
      "mcp-protocol-version": "2025-11-25",
      "x-key": "k",
    });
  });

  it("sends none without a session, and none for one that is not ours", async () => {
    const server = await httpServerForTest((seen, response) => sendJson(response, answerTo(seen)));
    const first = await openClient(server.url);
    await first.call("ping");
    await first.transport.close();
    const second = await openClient({ url: server.url, sessionId: "s-7", ownsSession: false });
    await second.transport.close();
    expect(server.seen.map(({ method }) => method)).toEqual(["POST"]);
  });

  it.each([false, true])("is bounded when the server hangs, hurried: %s", async (hurry) => {
    const server = await countingServer((seen, response) => {
      if (seen.method === "POST") sendJson(response, answerTo(seen), SESSION);
    });
    const spec = hurry ? { url: server.url } : { url: server.url, deleteTimeoutMs: 100 };
    const { transport, call } = await openClient(spec);
    await call("initialize", { timeoutMs: 20_000 });
    const startedAt = performance.now();
    await transport.close({ hurry });
    // The bound is 100 or 500 ms; the unhurried default of two seconds would show.
    expect(performance.now() - startedAt).toBeLessThan(1900);
    await expectSoon(() => server.open()).toBe(0);
  });

  it("lets a cancellation arrive that is on its way", async () => {
    const asked = fact<void>();
    const server = await httpServerForTest((seen, response) => {
      if (seen.message["id"] === undefined) return response.writeHead(202).end();
      beginEvents(response).write(": open\n\n");
      return asked.resolve();
    });
    const { transport, fail } = await openClient(server.url);
    const abort = new AbortController();
    const failing = fail("tools/call", { signal: abort.signal });
    await asked.promise;
    abort.abort();
    await transport.close();
    expect(await failing).toMatchObject({ tag: "cancelled" });
    expect(server.seen[1]?.message["method"]).toBe("notifications/cancelled");
  });

  it("leaves a dispatcher of the caller's open, which has seen every request", async () => {
    const { Agent } = await import("undici");
    const agent = new Agent();
    let dispatched = 0;
    const dispatcher = agent.compose((dispatch) => (options, handler) => {
      dispatched++;
      return dispatch(options, handler);
    });
    const server = await httpServerForTest((seen, response) =>
      sendJson(response, answerTo(seen), SESSION),
    );
    const { transport, call } = await openClient({ url: server.url, dispatcher });
    await call("initialize", { timeoutMs: 20_000 });
    await transport.notify("n", undefined, LONG);
    await transport.close();
    expect(dispatched).toBe(3);
    expect(agent.destroyed).toBe(false);
    await agent.close();
  });
});

describe("opening", () => {
  it("sends nothing, and nothing at all for a signal that has fired", async () => {
    const server = await countingServer(() => undefined);
    const inbound = { request: () => Promise.resolve(null), notification: () => undefined };
    const open = httpTransport({ url: server.url });
    const failure = failureOf(await open(inbound, { signal: AbortSignal.abort() }));
    expect(failure.tag).toBe("cancelled");
    await openClient(server.url);
    expect(server.made()).toBe(0);
  });
});
