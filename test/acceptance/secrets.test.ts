/**
 * A secret of the config, echoed by a server wherever a server can say something, is in nothing that
 * a caller may print: no failure, no note, no event, no JSON of a load.
 */
import type { ServerResponse } from "node:http";
import { resolve } from "node:path";
import fc from "fast-check";
import { describe, expect, it, onTestFinished } from "vitest";
import { disconnectAll, fromConfig, headerShape } from "../../src/index.ts";
import type { Load, LoadEvent } from "../../src/index.ts";
import { createPeer } from "../fixtures/peers/peer.mjs";
import { spellings } from "../fixtures/peers/spellings.mjs";
import { anyName, anyText } from "../support/arbitraries.ts";
import { httpServerForTest, sendJson, speaking } from "../support/http-server.ts";
import type { Seen } from "../support/http-server.ts";
import { unconnected } from "../support/results.ts";

/** Three secrets, so that one that leaks tells where it was given. */
const ENV = {
  ENV_SECRET: "env-c4n4ry/+one=1?x",
  HEADER_SECRET: "header-c4n4ry/+two=2?y",
  ARG_SECRET: "arg-c4n4ry/+three=3?z",
  URL_SECRET: "url-c4n4ry-four",
};
const ECHOES = resolve(import.meta.dirname, "../fixtures/peers/echoes.mjs");
const TEXT = spellings(ENV.HEADER_SECRET).concat(spellings(ENV.URL_SECRET)).join(" ");

/** Loads, calls every tool, and gives all that can be printed of it. */
async function printed(entry: object): Promise<{ load: Load; texts: string }> {
  const events: LoadEvent[] = [];
  const load = await fromConfig(
    { mcpServers: { srv: entry } },
    { env: ENV, onEvent: (event) => events.push(event) },
  );
  const results = await Promise.all(load.tools.map((tool) => tool.execute({}, { timeoutMs: 500 })));
  await disconnectAll(load);
  const closed = await Promise.all(
    load.connections.flatMap((found) => (found.status === "connected" ? [found.closed] : [])),
  );
  const said = [load, events, results, closed];
  return { load, texts: `${JSON.stringify(said)} ${Object.values(load.errors).join(" ")}` };
}

/** No secret, in no spelling, nor the better part of one. */
function expectNoSecret(texts: string): void {
  for (const [name, secret] of Object.entries(ENV)) {
    for (const form of spellings(secret)) {
      expect(texts.includes(form), `${name} as ${form}`).toBe(false);
      expect(texts.includes(form.slice(0, 12)), `the start of ${name} as ${form}`).toBe(false);
    }
  }
}

describe("over stdio", () => {
  it.each([
    ["dies", "failed", "peer-eof"],
    ["refuses", "failed", "rpc-error"],
    ["version", "failed", "unsupported"],
    ["versions", "failed", "unsupported"],
    ["list", "failed", "rpc-error"],
    ["silent", "failed", "timeout"],
    ["junk", "connected", ""],
    ["serves", "connected", ""],
  ])("a server that %s shows no secret", async (manner, status, tag) => {
    const { load, texts } = await printed({
      command: process.execPath,
      args: [ECHOES, manner, "${ARG_SECRET}"],
      env: { SECRET: "${ENV_SECRET}" },
      timeout: manner === "silent" ? 1000 : 20_000,
    });
    expect(load.statuses).toEqual({ srv: status });
    if (status === "failed") expect(unconnected(load.connections[0]).failure.tag).toBe(tag);
    expectNoSecret(texts);
    expect(texts).toContain("«");
  });

  it("what was dropped or repaired of a list is noted without it", async () => {
    const { load } = await printed({
      command: process.execPath,
      args: [ECHOES, "names", "${ARG_SECRET}"],
      env: { SECRET: "${ENV_SECRET}" },
    });
    const notes = JSON.stringify(load.connections[0]?.notes);
    expect(notes).toContain("duplicate-tool");
    expectNoSecret(notes);
  });

  it("a program that cannot be started shows no secret", async () => {
    const { texts } = await printed({
      command: "/no/such/${ARG_SECRET}",
      env: { SECRET: "${ENV_SECRET}" },
    });
    expectNoSecret(texts);
  });
});

describe("over HTTP", () => {
  const error = { code: -32000, message: `no: ${TEXT}`, data: { [TEXT]: [{ deep: TEXT }] } };
  const ownWords: Record<string, (seen: Seen, response: ServerResponse) => unknown> = {
    "503 with a body": (_, response) => response.writeHead(503).end(`no: ${TEXT}`),
    "503 with a body that is cut": (_, response) =>
      response.writeHead(503).end(`${"x".repeat(1015)}${TEXT}`),
    "401 with a challenge": (_, response) =>
      response.writeHead(401, { "www-authenticate": `Bearer realm="${TEXT}"` }).end(TEXT),
    "a redirect": (_, response) =>
      response
        .writeHead(308, { location: `https://other.example/?${TEXT.replaceAll(" ", "&")}` })
        .end(),
    "an RPC error": ({ message: { id } }, response) =>
      sendJson(response, { jsonrpc: "2.0", id, error }),
    "an RPC error with status 400": ({ message: { id } }, response) =>
      sendJson(response, { jsonrpc: "2.0", id, error }, { status: 400 }),
    "a content type": (_, response) =>
      response.writeHead(200, { "content-type": `text/${ENV.HEADER_SECRET}` }).end(TEXT),
    "a body that is no JSON": (_, response) =>
      response.writeHead(200, { "content-type": "application/json" }).end(`{${TEXT}`),
    "an unsupported version": ({ message: { id } }, response) =>
      sendJson(response, { jsonrpc: "2.0", id, result: { protocolVersion: TEXT } }),
    "a broken link": (_, response) => response.destroy(),
  };

  it.each(Object.entries(ownWords))(
    "a server that answers with %s shows no secret",
    async (_, answer) => {
      const server = await httpServerForTest(answer);
      const { load, texts } = await printed({
        url: `${server.url}?key=\${URL_SECRET}`,
        headers: { Authorization: "Bearer ${HEADER_SECRET}" },
      });
      expect(load.statuses).toEqual({ srv: "failed" });
      expect(server.seen[0]?.headers.authorization).toBe(`Bearer ${ENV.HEADER_SECRET}`);
      expect(server.seen[0]?.url).toContain(ENV.URL_SECRET);
      expectNoSecret(texts);
    },
  );

  it("a session id that is one is not printed, nor echoed in a failure", async () => {
    const speak = speaking(createPeer(), { sessionId: ENV.HEADER_SECRET });
    const server = await httpServerForTest((seen, response) =>
      seen.message["method"] === "tools/call"
        ? response.writeHead(500).end(`lost ${TEXT}`)
        : speak(seen, response),
    );
    const { load, texts } = await printed({ url: server.url });
    expect(load.statuses).toEqual({ srv: "connected" });
    expect(server.seen.some(({ headers }) => headers["mcp-session-id"] === ENV.HEADER_SECRET)).toBe(
      true,
    );
    const [plain = "", base64 = "", , percent = ""] = spellings(ENV.HEADER_SECRET);
    for (const form of [plain, base64, percent]) expect(texts).not.toContain(form);
  });

  it("a dead address that holds one shows no secret", async () => {
    const { texts } = await printed({
      url: "http://127.0.0.1:1/${URL_SECRET}",
      headers: { "X-Key": "${HEADER_SECRET}" },
    });
    expectNoSecret(texts);
  });

  it("a header that cannot be sent is named, and its value is not", async () => {
    const load = await fromConfig(
      { mcpServers: { srv: { url: "http://127.0.0.1:1/", headers: { "X-Key": "${BAD}" } } } },
      { env: { BAD: `${ENV.HEADER_SECRET}\r\nX-More: 1` } },
    );
    onTestFinished(() => disconnectAll(load));
    expect(load.errors["srv"]).toContain("X-Key");
    expectNoSecret(JSON.stringify(load));
  });
});

it("the shape of headers is the same whatever their values are (C211)", () => {
  const anyValue = anyText().map((text) => text.replaceAll(/[${]/g, ""));
  fc.assert(
    fc.property(anyName(), anyValue, anyValue, (name, one, other) => {
      const shapeOf = (value: string): unknown => headerShape(Object.fromEntries([[name, value]]));
      expect(shapeOf(one)).toEqual(shapeOf(other));
    }),
  );
});
