import { Agent, errors } from "undici";
import type { Dispatcher } from "undici";
import { describe, expect, it, onTestFinished } from "vitest";
import { sendJson } from "../../support/http-server.ts";
import {
  answerTo,
  beginEvents,
  countingServer,
  event,
  expectSoon,
  openClient,
  rawServer,
} from "./peer.ts";

describe("calls one after another", () => {
  it("share one socket, whether JSON or events answer", async () => {
    const server = await countingServer((seen, response) => {
      if (seen.message["id"] === undefined) response.writeHead(202).end();
      else if (seen.message["method"] === "json") sendJson(response, answerTo(seen));
      else beginEvents(response).end(event(answerTo(seen)));
    });
    const { transport, call } = await openClient(server.url);
    for (let round = 0; round < 10; round++) {
      await call("json");
      await transport.notify("n");
      await call("events");
    }
    expect(server.made()).toBeLessThanOrEqual(2);
  });

  it("share one where each stream ends only after its answer", async () => {
    const server = await countingServer((seen, response) => {
      beginEvents(response).write(event(answerTo(seen)), () => setImmediate(() => response.end()));
    });
    const { call } = await openClient(server.url);
    for (let round = 0; round < 20; round++) await call("m");
    expect(server.made()).toBeLessThanOrEqual(3);
  });

  it("go on over a new socket when the server has closed the idle one", async () => {
    const server = await countingServer((seen, response) =>
      sendJson(response, answerTo(seen), { headers: { connection: "close" } }),
    );
    const { call } = await openClient(server.url);
    for (let round = 0; round < 3; round++) expect(await call("m")).toEqual({ ok: true });
    expect(server.made()).toBe(3);
  });
});

describe("calls at the same time", () => {
  it("each have a socket: a silent one keeps nobody waiting", async () => {
    const server = await countingServer((seen, response) => {
      if (seen.message["method"] === "ping") sendJson(response, answerTo(seen));
    });
    const { call, fail, transport } = await openClient(server.url);
    const silent = Array.from({ length: 30 }, () => fail("silent"));
    expect(await call("ping")).toEqual({ ok: true });
    await transport.close();
    await Promise.all(silent);
    await expectSoon(() => server.open()).toBe(0);
  });
});

describe("a request that is given up", () => {
  it("closes its socket, and no other is opened in its place", async () => {
    const abort = new AbortController();
    const server = await countingServer((_, response) => {
      beginEvents(response);
      abort.abort();
    });
    const { fail } = await openClient(server.url);
    await fail("m", { signal: abort.signal, era: "modern" });
    await expectSoon(() => server.open()).toBe(0);
    expect(server.made()).toBe(1);
  });
});

describe("a socket that the server closed while we sent", () => {
  const writeFailed = Object.assign(new Error("write EPIPE"), { code: "EPIPE", syscall: "write" });

  /** A dispatcher on which so many requests fail after they were begun, then none. */
  function failing(times: number, error: Error): { dispatcher: Dispatcher; begun(): number } {
    const agent = new Agent();
    onTestFinished(() => agent.destroy());
    let begun = 0;
    const dispatcher = agent.compose((dispatch) => (options, handler) => {
      if (begun++ >= times) return dispatch(options, handler);
      const controller = { aborted: false, paused: false, reason: null };
      const stay = (): void => undefined;
      handler.onRequestStart?.({ ...controller, abort: stay, pause: stay, resume: stay }, {});
      queueMicrotask(() =>
        handler.onResponseError?.({ ...controller, abort: stay, pause: stay, resume: stay }, error),
      );
      return true;
    });
    return { dispatcher, begun: () => begun };
  }

  it("is tried again where the write itself failed: nothing had arrived", async () => {
    const server = await countingServer((seen, response) => sendJson(response, answerTo(seen)));
    const { dispatcher, begun } = failing(2, writeFailed);
    const { call } = await openClient({ url: server.url, dispatcher });
    expect(await call("m")).toEqual({ ok: true });
    expect(begun()).toBe(3);
  });

  it("is not tried for ever", async () => {
    const { dispatcher, begun } = failing(Infinity, writeFailed);
    const { fail } = await openClient({ url: "http://127.0.0.1:1/mcp", dispatcher });
    expect(await fail("m")).toMatchObject({ tag: "transport", reason: "reset", code: "EPIPE" });
    expect(begun()).toBe(3);
  });

  it("is not tried again where the server may have seen it", async () => {
    const { dispatcher, begun } = failing(1, new errors.SocketError("other side closed"));
    const { fail } = await openClient({ url: "http://127.0.0.1:1/mcp", dispatcher });
    expect(await fail("m")).toMatchObject({ reason: "reset", maybeExecuted: true });
    expect(begun()).toBe(1);
  });

  it("is not tried again on a wire either", async () => {
    let requests = 0;
    const url = await rawServer((socket) => {
      requests++;
      socket.destroy();
    });
    const { fail } = await openClient(url);
    expect(await fail("m")).toMatchObject({ reason: "reset", maybeExecuted: true });
    expect(requests).toBe(1);
  });
});
