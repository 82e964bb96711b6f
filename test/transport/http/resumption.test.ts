import type { ServerResponse } from "node:http";
import { describe, expect, it } from "vitest";
import { reconnectDelayMs, reconnectPolicy } from "../../../src/transport/http/reconnect.ts";
import { httpServerForTest } from "../../support/http-server.ts";
import type { Seen } from "../../support/http-server.ts";
import { answerTo, beginEvents, codesOf, event, openClient } from "./peer.ts";
import type { Client } from "./peer.ts";

const FAST = { baseMs: 1, maxMs: 2 };
const PRIMING = "id: 1\ndata:\n\n";

/** A server whose POST streams end or break as told, and what it answers to the GETs after. */
async function losing(
  lose: (response: ServerResponse) => void,
  ...rounds: ((seen: Seen, response: ServerResponse, call: Seen) => void)[]
): Promise<{ readonly client: Client; readonly gets: () => readonly Seen[] }> {
  let call: Seen | undefined;
  let round = 0;
  const server = await httpServerForTest((seen, response) => {
    if (seen.method === "POST") {
      call = seen;
      return lose(beginEvents(response));
    }
    const answer = rounds[Math.min(round++, rounds.length - 1)];
    return answer === undefined || call === undefined
      ? response.writeHead(405).end()
      : answer(seen, response, call);
  });
  const client = await openClient({ url: server.url, reconnect: FAST });
  return { client, gets: () => server.seen.filter(({ method }) => method === "GET") };
}

const answer = (_: Seen, response: ServerResponse, call: Seen): unknown =>
  beginEvents(response).end(event(answerTo(call)));
const endsEmpty = (_: Seen, response: ServerResponse): unknown => beginEvents(response).end();
const refuse =
  (status: number) =>
  (_: Seen, response: ServerResponse): unknown =>
    response.writeHead(status).end();

describe("a stream that is lost after an event id", () => {
  it("is resumed by a GET with that id, and the answer comes there", async () => {
    const { client, gets } = await losing((stream) => stream.end(PRIMING), answer);
    expect(await client.call("tools/call")).toEqual({ ok: true });
    expect(gets()).toHaveLength(1);
    expect(gets()[0]?.headers).toMatchObject({
      "last-event-id": "1",
      accept: "text/event-stream",
      "mcp-protocol-version": "2025-11-25",
    });
    expect(gets()[0]?.headers["content-type"]).toBeUndefined();
    expect(client.transport.session?.().lastEventId).toBe("1");
  });

  it("is resumed also when it broke", async () => {
    const { client } = await losing(
      (stream) => stream.write(PRIMING, () => stream.destroy()),
      answer,
    );
    expect(await client.call("m")).toEqual({ ok: true });
  });

  it("is polled as often as the server brings something new", async () => {
    const more = (id: number) => (_: Seen, response: ServerResponse) =>
      beginEvents(response).end(`id: ${id}\ndata:\n\n`);
    const rounds = Array.from({ length: 9 }, (_, at) => more(at + 2));
    const { client, gets } = await losing((stream) => stream.end(PRIMING), ...rounds, answer);
    expect(await client.call("m")).toEqual({ ok: true });
    expect(gets().map(({ headers }) => headers["last-event-id"])).toEqual(
      Array.from({ length: 10 }, (_, at) => String(at + 1)),
    );
  });

  it("is resumed through losses of the resumption", async () => {
    const { client, gets } = await losing(
      (stream) => stream.end(PRIMING),
      refuse(503),
      (_, response) => response.destroy(),
      endsEmpty,
      answer,
    );
    expect(await client.call("m")).toEqual({ ok: true });
    expect(gets()).toHaveLength(4);
  });

  it("is given up after five attempts that bring nothing", async () => {
    const { client, gets } = await losing((stream) => stream.end(PRIMING), endsEmpty);
    expect(await client.fail("m")).toMatchObject({ tag: "peer-eof", maybeExecuted: true });
    expect(gets()).toHaveLength(5);
    expect(codesOf(client)).toEqual(["resumption-failed"]);
  });

  it.each([400, 401, 403, 404, 405])("is given up at once on %i", async (status) => {
    const { client, gets } = await losing((stream) => stream.end(PRIMING), refuse(status));
    expect(await client.fail("m")).toMatchObject({ tag: "peer-eof" });
    expect(gets()).toHaveLength(1);
  });

  it("delivers an answer that comes twice once", async () => {
    const { client } = await losing(
      (stream) => stream.end(PRIMING),
      (_, response, call) => beginEvents(response).end(event(answerTo(call)).repeat(2)),
    );
    expect(await client.call("m")).toEqual({ ok: true });
    await client.transport.close();
    expect(client.notes).toEqual([]);
  });

  it("waits no longer than the call's budget", async () => {
    const { client } = await losing((stream) => stream.end(`retry: 60000\n${PRIMING}`), answer);
    const failure = await client.fail("m", { timeoutMs: 100 });
    expect(failure).toMatchObject({ tag: "timeout", timeoutMs: 100 });
  });

  it("is left alone once the call is aborted", async () => {
    const abort = new AbortController();
    const { client, gets } = await losing((stream) => {
      stream.end(`retry: 60000\n${PRIMING}`, () => setImmediate(() => abort.abort()));
    }, answer);
    const failure = await client.fail("m", { signal: abort.signal });
    expect(failure).toMatchObject({ tag: "cancelled" });
    await client.transport.close();
    expect(gets()).toEqual([]);
  });
});

describe("a stream that is lost", () => {
  it("before any event id is not resumed", async () => {
    const { client, gets } = await losing((stream) => stream.end("data:\n\n"), answer);
    expect(await client.fail("m")).toMatchObject({ tag: "peer-eof" });
    expect(gets()).toEqual([]);
  });

  it("after its id was taken back is not resumed", async () => {
    const { client, gets } = await losing(
      (stream) => stream.end(`${PRIMING}id\ndata:\n\n`),
      answer,
    );
    expect(await client.fail("m")).toMatchObject({ tag: "peer-eof" });
    expect(gets()).toEqual([]);
  });

  it("with an id that no header can carry is not resumed", async () => {
    const { client, gets } = await losing((stream) => stream.end("id: ü\ndata:\n\n"), answer);
    expect(await client.fail("m")).toMatchObject({ tag: "peer-eof" });
    expect(gets()).toEqual([]);
  });

  it("is not resumed in the modern era", async () => {
    const { client, gets } = await losing((stream) => stream.end(PRIMING), answer);
    expect(await client.fail("m", { era: "modern" })).toMatchObject({ tag: "peer-eof" });
    expect(gets()).toEqual([]);
  });
});

describe("the wait before an attempt", () => {
  const policy = reconnectPolicy();
  it("doubles from one second up to thirty when the server names none", () => {
    const waits = [1, 2, 3, 4, 5, 6, 7].map((attempt) => reconnectDelayMs(attempt, null, policy));
    expect(waits).toEqual([1000, 2000, 4000, 8000, 16_000, 30_000, 30_000]);
  });

  it("is what the server asks for, each time", () => {
    expect([1, 2, 3].map((attempt) => reconnectDelayMs(attempt, 500, policy))).toEqual([
      500, 500, 500,
    ]);
    expect(reconnectDelayMs(1, 90_000, policy)).toBe(90_000);
  });

  it("allows at most three attempts a second, whatever the server asks for", () => {
    expect(reconnectDelayMs(1, 0, policy)).toBeGreaterThan(1000 / 3);
  });
});
