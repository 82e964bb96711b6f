import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../../src/json.ts";
import { httpServerForTest, sendJson } from "../../support/http-server.ts";
import { LONG, answerTo, beginEvents, codesOf, openClient } from "./peer.ts";

describe("a notification", () => {
  it("never carries an id, and only the parameters it has", async () => {
    const server = await httpServerForTest((_, response) => response.writeHead(202).end());
    const { transport } = await openClient(server.url);
    expect(await transport.notify("notifications/initialized", undefined, LONG)).toEqual({
      ok: true,
      value: undefined,
    });
    await transport.notify("notifications/x", { a: 1 });
    expect(server.seen.map(({ body }) => body)).toEqual([
      '{"jsonrpc":"2.0","method":"notifications/initialized"}',
      '{"jsonrpc":"2.0","method":"notifications/x","params":{"a":1}}',
    ]);
  });

  it.each([
    [202, {}, ""],
    [200, {}, ""],
    [204, {}, ""],
    [200, { "content-type": "application/json" }, ""],
    [200, { "content-type": "application/json" }, "null"],
    [200, { "content-type": "text/plain" }, "Accepted"],
    [200, { "content-type": "application/json" }, "x".repeat(300_000)],
  ])("is taken when the answer is %i %j", async (status, headers, body) => {
    const server = await httpServerForTest((_, response) =>
      response.writeHead(status, headers).end(body),
    );
    const { transport } = await openClient(server.url);
    expect(await transport.notify("n", undefined, LONG)).toMatchObject({ ok: true });
  });

  it("is taken when the answer is a stream that never ends", async () => {
    const server = await httpServerForTest((_, response) =>
      beginEvents(response).write(": hi\n\n"),
    );
    const { transport } = await openClient(server.url);
    expect(await transport.notify("n", undefined, LONG)).toMatchObject({ ok: true });
  });

  it("is handed over also to a server that does not answer it", async () => {
    const server = await httpServerForTest((seen, response) => {
      if (seen.message["id"] !== undefined) sendJson(response, answerTo(seen));
    });
    const client = await openClient(server.url);
    expect(await client.transport.notify("n", undefined, LONG)).toMatchObject({ ok: true });
    expect(await client.call("m")).toEqual({ ok: true });
    expect(codesOf(client)).toEqual(["slow-notification"]);
  });

  it("that is refused says how", async () => {
    const server = await httpServerForTest((_, response) =>
      response.writeHead(400, { "content-type": "application/json" }).end('{"error":"no"}'),
    );
    const { transport } = await openClient(server.url);
    expect(await transport.notify("n", undefined, LONG)).toEqual({
      ok: false,
      failure: { tag: "http-status", status: 400, body: '{"error":"no"}' },
    });
  });

  it("can be given up", async () => {
    const abort = new AbortController();
    const server = await httpServerForTest(() => abort.abort());
    const { transport } = await openClient(server.url);
    const told = await transport.notify("n", undefined, { signal: abort.signal });
    expect(told).toEqual({ ok: false, failure: { tag: "cancelled" } });
  });

  it("that cannot be written as JSON is refused before it is sent", async () => {
    const server = await httpServerForTest((_, response) => response.writeHead(202).end());
    const { transport, fail } = await openClient(server.url);
    const circle: Record<string, unknown> = {};
    circle["circle"] = circle;
    const params = circle as JsonObject;
    expect(await transport.notify("n", params)).toMatchObject({
      ok: false,
      failure: { tag: "invalid-argument" },
    });
    expect(await fail("m", LONG, params)).toMatchObject({
      tag: "invalid-argument",
      maybeExecuted: false,
    });
    expect(server.seen).toEqual([]);
  });
});
