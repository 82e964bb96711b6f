import { describe, expect, it } from "vitest";
import { err, ok } from "../../../src/failure.ts";
import { refusal } from "../../../src/transport/http/authorize.ts";
import type { Authorize, AuthorizeAsk } from "../../../src/transport/authorize.ts";
import { httpServerForTest, sendJson } from "../../support/http-server.ts";
import type { HttpServer } from "../../support/http-server.ts";
import { LONG, answerTo, beginEvents, openClient } from "./peer.ts";

/** A hook that answers with a numbered token, and everything it was asked. */
function numbered(): { readonly authorize: Authorize; readonly asked: AuthorizeAsk[] } {
  const asked: AuthorizeAsk[] = [];
  return {
    asked,
    authorize: (ask) => {
      asked.push(ask);
      const used = `t-${asked.length}`;
      return Promise.resolve(ok({ headers: [["Authorization", `Bearer token-${used}`]], used }));
    },
  };
}

/** A server that lets in only one token. */
function wanting(token: string, status = 401, challenge = "Bearer"): Promise<HttpServer> {
  return httpServerForTest((seen, response) => {
    if (seen.headers.authorization === `Bearer ${token}`) {
      if (seen.method === "GET") return beginEvents(response).end();
      return sendJson(response, answerTo(seen), { headers: { "mcp-session-id": "s-1" } });
    }
    const headers = { "WWW-Authenticate": [challenge, "DPoP algs=x"], "DPoP-Nonce": "n-1" };
    return response.writeHead(status, headers).end("no");
  });
}

describe("the authorize hook", () => {
  it("is asked before every request, and told what it is for", async () => {
    const { authorize, asked } = numbered();
    const server = await httpServerForTest((seen, response) => {
      if (seen.method === "GET") return response.writeHead(405).end();
      return sendJson(response, answerTo(seen), { headers: { "mcp-session-id": "s-1" } });
    });
    const client = await openClient({ url: server.url, authorize });
    await client.call("initialize", { timeoutMs: 5000 });
    await client.transport.notify("notifications/initialized", undefined, LONG);
    await client.call("tools/call", LONG, { name: "add" });
    await client.call("resources/read", LONG, { uri: "file:///a" });
    await new Promise<void>((onOpened) => client.transport.listen?.({ ...LONG, onOpened }));
    await client.transport.close();
    expect(asked.map(({ method, operation, attempt }) => [method, operation, attempt])).toEqual([
      ["POST", "initialize", 1],
      ["POST", "notifications/initialized", 1],
      ["POST", "tools/call add", 1],
      ["POST", "resources/read file:///a", 1],
      ["GET", "stream", 1],
      ["DELETE", "end session", 1],
    ]);
    expect(asked[0]?.url).toBe(server.url);
    expect(asked[0]?.deadlineMs).toBeLessThanOrEqual(5000);
    expect(asked[0]?.deadlineMs).toBeGreaterThan(0);
    expect(server.seen.map(({ headers }) => headers.authorization)).toEqual(
      asked.map((_, at) => `Bearer token-t-${at + 1}`),
    );
  });

  it("is asked again after a 401, with what was refused", async () => {
    const { authorize, asked } = numbered();
    const server = await wanting("token-t-2");
    const client = await openClient({ url: server.url, authorize });
    expect(await client.call("m")).toEqual({ ok: true });
    expect(asked[1]).toMatchObject({
      attempt: 2,
      refused: {
        status: 401,
        challenges: ["Bearer", "DPoP algs=x"],
        dpopNonce: "n-1",
        used: "t-1",
      },
    });
    expect(server.seen[1]?.body).toBe(server.seen[0]?.body);
  });

  it("answers at most four times for one request; the status is the failure then", async () => {
    const { authorize, asked } = numbered();
    const server = await wanting("never");
    const client = await openClient({ url: server.url, authorize });
    expect(await client.fail("m")).toMatchObject({ tag: "http-status", status: 401, body: "no" });
    expect([asked.length, server.seen.length]).toEqual([4, 4]);
  });

  it("is asked again after a 403 only for an insufficient scope", async () => {
    const scope = numbered();
    const server = await wanting("token-t-2", 403, 'Bearer error="insufficient_scope", scope="a"');
    const client = await openClient({ url: server.url, authorize: scope.authorize });
    expect(await client.call("m")).toEqual({ ok: true });
    const other = numbered();
    const forbidding = await wanting("never", 403, "Bearer");
    const second = await openClient({ url: forbidding.url, authorize: other.authorize });
    expect(await second.fail("m")).toMatchObject({ tag: "http-status", status: 403 });
    expect([scope.asked.length, other.asked.length]).toEqual([2, 1]);
  });

  it("that fails is the request's failure, and nothing is sent", async () => {
    const server = await wanting("x");
    const authorize: Authorize = () => Promise.resolve(err({ tag: "auth", detail: "no account" }));
    const client = await openClient({ url: server.url, authorize });
    expect(await client.fail("m")).toEqual({
      tag: "auth",
      detail: "no account",
      maybeExecuted: false,
    });
    expect(await client.transport.notify("n")).toMatchObject({ failure: { tag: "auth" } });
    expect(server.seen).toEqual([]);
  });

  it.each<[string, Authorize]>([
    [
      "throws",
      () => {
        throw new Error("secret-text");
      },
    ],
    ["rejects", () => Promise.reject(new Error("secret-text"))],
    [
      "gives a value that cannot be sent",
      () => Promise.resolve(ok({ headers: [["a", "secret-text\n"]], used: null })),
    ],
    [
      "gives a header of the protocol",
      () => Promise.resolve(ok({ headers: [["Mcp-Session-Id", "secret-text"]], used: null })),
    ],
  ])("that %s is a failure that shows nothing of it", async (_, authorize) => {
    const client = await openClient({ url: "http://127.0.0.1:1/mcp", authorize });
    const failure = await client.fail("m");
    expect(failure).toMatchObject({ tag: "auth", maybeExecuted: false });
    expect(JSON.stringify(failure)).not.toContain("secret-text");
  });

  it("is not asked where the caller has credentials of his own", async () => {
    const { authorize, asked } = numbered();
    const server = await wanting("mine");
    const headers = { AUTHORIZATION: "Bearer mine" };
    const client = await openClient({ url: server.url, authorize, headers });
    expect(await client.call("m")).toEqual({ ok: true });
    expect(asked).toEqual([]);
  });

  it("gives secrets that are never shown, in any spelling", async () => {
    const { authorize } = numbered();
    const server = await httpServerForTest((seen, response) => {
      const token = "token-t-1";
      const base64 = Buffer.from(token).toString("base64");
      response.writeHead(500).end(`${seen.headers.authorization}|${token}|${base64}`);
    });
    const client = await openClient({ url: server.url, authorize });
    expect(await client.fail("m")).toMatchObject({
      body: "«Authorization»|«Authorization»|«Authorization»",
    });
  });

  it("may wait for a person without burning the budget", async () => {
    const server = await wanting("x");
    const authorize: Authorize = async () => {
      await new Promise((resolve) => setTimeout(resolve, 1300));
      return ok({ headers: [["authorization", "Bearer x"]], used: null, waitedForPersonMs: 1300 });
    };
    const client = await openClient({ url: server.url, authorize });
    expect(await client.call("m", { timeoutMs: 1200 })).toEqual({ ok: true });
  });

  it("burns the budget with work of its own", async () => {
    const server = await httpServerForTest(() => undefined);
    const authorize: Authorize = async () => {
      await new Promise((resolve) => setTimeout(resolve, 1000));
      return ok({ headers: [], used: null });
    };
    const client = await openClient({ url: server.url, authorize });
    const startedAt = performance.now();
    const failure = await client.fail("m", { timeoutMs: 1010 });
    expect(failure).toMatchObject({ tag: "timeout", timeoutMs: 1010 });
    expect(performance.now() - startedAt).toBeLessThan(1900);
  });

  it("is told when its request is given up", async () => {
    const told = new Promise<void>((resolve) => {
      const authorize: Authorize = ({ signal }) =>
        new Promise(() => signal?.addEventListener("abort", () => resolve()));
      void openClient({ url: "http://127.0.0.1:1/mcp", authorize }).then(async (client) => {
        const failing = client.fail("m");
        await client.transport.close();
        expect(await failing).toMatchObject({ tag: "closed" });
      });
    });
    await told;
  });

  it("is asked anew for the address a redirect leads to", async () => {
    const { authorize, asked } = numbered();
    const server = await httpServerForTest((seen, response) =>
      seen.url === "/mcp"
        ? response.writeHead(307, { location: "/other" }).end()
        : sendJson(response, answerTo(seen)),
    );
    await (await openClient({ url: server.url, authorize })).call("m");
    expect(asked.map(({ url }) => new URL(url).pathname)).toEqual(["/mcp", "/other"]);
  });
});

describe("a refusal that other credentials may overcome", () => {
  it.each([
    [401, undefined, true],
    [401, 'Bearer error="invalid_token"', true],
    [403, undefined, false],
    [403, 'Bearer error="access_denied"', false],
    [403, 'Bearer realm="x", error=insufficient_scope', true],
    [403, ["Basic", 'Bearer error = "insufficient_scope"'], true],
    [404, "Bearer", false],
    [200, undefined, false],
  ])("%i with %j: %s", (status, challenge, isOne) => {
    const headers = challenge === undefined ? {} : { "www-authenticate": challenge };
    expect(refusal({ status, headers }, null) !== null).toBe(isOne);
  });
});
