import type { ServerResponse } from "node:http";
import { describe, expect, it } from "vitest";
import { resultMessage } from "../../../src/protocol/messages.ts";
import { httpServerForTest, sendJson } from "../../support/http-server.ts";
import type { HttpServer, Seen } from "../../support/http-server.ts";
import { fact } from "../../support/until.ts";
import { answerTo, beginEvents, codesOf, event, expectSoon, LONG, openClient } from "./peer.ts";
import type { Client } from "./peer.ts";

const NOTICE = { jsonrpc: "2.0", method: "notifications/tools/list_changed" };
const FAST = { baseMs: 1, maxMs: 2 };

/** A server that answers POSTs, and GETs as told. */
async function listening(
  get: (seen: Seen, response: ServerResponse, server: () => HttpServer) => unknown,
): Promise<{ readonly server: HttpServer; readonly client: Client; gets(): number }> {
  const server: HttpServer = await httpServerForTest((seen, response) =>
    seen.method === "GET"
      ? get(seen, response, () => server)
      : sendJson(response, answerTo(seen), {
          headers: seen.message["method"] === "initialize" ? { "mcp-session-id": "s-1" } : {},
        }),
  );
  const client = await openClient({ url: server.url, reconnect: FAST });
  await client.call("initialize", { timeoutMs: 20_000 });
  const gets = (): number => server.seen.filter(({ method }) => method === "GET").length;
  return { server, client, gets };
}

/** Listens until the transport says that it is heard, or never will be. */
function opened(client: Client): Promise<void> {
  return new Promise((resolve) => {
    client.transport.listen?.({ ...LONG, onOpened: resolve });
  });
}

describe("the stream for what belongs to no request", () => {
  it("brings notifications and requests, which are answered on a POST of their own", async () => {
    const { server, client } = await listening((_, response) => {
      const ping = { jsonrpc: "2.0", id: "s-9", method: "ping" };
      beginEvents(response).write(event(NOTICE) + event(ping));
    });
    // The inbound side of this client says nothing; what matters is that it is asked in order.
    await opened(client);
    await expectSoon(() => client.notifications).toEqual([NOTICE]);
    const [, get] = server.seen;
    expect(get?.headers).toMatchObject({
      accept: "text/event-stream",
      "mcp-session-id": "s-1",
      "mcp-protocol-version": "2025-11-25",
    });
  });

  it("carries our answer back on a POST", async () => {
    const ping = { jsonrpc: "2.0", id: "s-9", method: "ping" };
    const server = await httpServerForTest((seen, response) => {
      if (seen.method === "GET") return beginEvents(response).write(event(ping));
      return response.writeHead(202).end();
    });
    const client = await openClient(server.url, () => Promise.resolve(resultMessage("s-9", {})));
    client.transport.listen?.(LONG);
    await expectSoon(() => server.seen.find(({ method }) => method === "POST")?.message).toEqual(
      resultMessage("s-9", {}),
    );
  });

  it.each([
    [405, {}, ""],
    [404, {}, "not found"],
    [400, { "content-type": "application/json" }, '{"error":"No sessionId"}'],
    [401, { "www-authenticate": "Bearer" }, ""],
    [403, {}, ""],
    [200, { "content-type": "application/json" }, "{}"],
    [204, {}, ""],
  ])("that is refused with %i %j is silently none", async (status, headers, body) => {
    const { client, gets } = await listening((_, response) =>
      response.writeHead(status, headers).end(body),
    );
    await opened(client);
    await expectSoon(() => codesOf(client)).toEqual(["no-stream"]);
    expect(await client.call("m")).toEqual({ ok: true });
    expect(gets()).toBe(1);
  });

  it("that ends at once again and again is given up", async () => {
    const { client, gets } = await listening((_, response) => beginEvents(response).end());
    await opened(client);
    await expectSoon(() => codesOf(client)).toEqual(["no-stream"]);
    expect(gets()).toBe(6);
  });

  it("that is lost is opened again from its last event on", async () => {
    let round = 0;
    const { server, client } = await listening((_, response) => {
      if (round++ > 0) return beginEvents(response).write(event(NOTICE));
      return beginEvents(response).write(`id: e-7\n${event(NOTICE)}`, () => response.destroy());
    });
    await opened(client);
    await expectSoon(() => client.notifications.length).toBe(2);
    expect(server.seen.at(-1)?.headers["last-event-id"]).toBe("e-7");
  });

  it("may bring the answer to a request whose own stream stays silent", async () => {
    const asked = fact<Seen>();
    const server = await httpServerForTest(async (seen, response) => {
      beginEvents(response);
      if (seen.method === "POST") return asked.resolve(seen);
      return response.write(event(answerTo(await asked.promise)));
    });
    const client = await openClient(server.url);
    client.transport.listen?.(LONG);
    expect(await client.call("m")).toEqual({ ok: true });
  });

  it("ends when nobody wants it, when the session is a new one, and with the connection", async () => {
    const closed: string[] = [];
    const { client, gets } = await listening((_, response) => {
      const name = `stream ${gets()}`;
      beginEvents(response).on("close", () => closed.push(name));
    });
    const stop = client.transport.listen?.(LONG);
    await expectSoon(gets).toBe(1);
    stop?.();
    await expectSoon(() => closed).toEqual(["stream 1"]);
    await opened(client);
    await client.call("initialize", { timeoutMs: 20_000 });
    await expectSoon(() => closed).toEqual(["stream 1", "stream 2"]);
    await opened(client);
    await client.transport.close();
    await expectSoon(() => closed).toEqual(["stream 1", "stream 2", "stream 3"]);
    expect(client.notes).toEqual([]);
  });
});
