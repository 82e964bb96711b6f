import type { ServerResponse } from "node:http";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { redirectTarget } from "../../../src/transport/http/redirects.ts";
import { anyText } from "../../support/arbitraries.ts";
import { httpServerForTest, sendJson } from "../../support/http-server.ts";
import { answerTo, openClient } from "./peer.ts";

const FROM = "https://a.example:8443/mcp?x=1";

function redirect(response: ServerResponse, status: number, location: string): void {
  response.writeHead(status, { location }).end("moved");
}

describe("a redirect", () => {
  it.each([
    [307, "/mcp/", "https://a.example:8443/mcp/"],
    [308, "https://a.example:8443/other", "https://a.example:8443/other"],
    [308, "?y=2", "https://a.example:8443/mcp?y=2"],
    [301, "/mcp/", null],
    [302, "/mcp/", null],
    [303, "/mcp/", null],
    [308, "http://a.example:8443/mcp", null],
    [308, "https://a.example/mcp", null],
    [308, "https://b.example:8443/mcp", null],
    [308, "//b.example:8443/mcp", null],
    [308, "https://user@a.example:8443/mcp", null],
    [308, "http://[", null],
  ])("%i to %s", (status, location, target) => {
    expect(redirectTarget(status, location, FROM)?.href ?? null).toBe(target);
  });

  it("never leads to another origin, for any location", () => {
    const anyStatus = fc.constantFrom(301, 302, 303, 307, 308);
    fc.assert(
      fc.property(fc.oneof(anyText(), fc.webUrl()), anyStatus, (location, status) => {
        const target = redirectTarget(status, location, FROM);
        expect(target === null || target.origin === new URL(FROM).origin).toBe(true);
      }),
    );
  });

  it("to the same origin is followed with the body and the headers", async () => {
    const server = await httpServerForTest((seen, response) =>
      seen.url === "/mcp" ? redirect(response, 308, "/mcp/") : sendJson(response, answerTo(seen)),
    );
    const client = await openClient({ url: server.url, headers: { authorization: "Bearer t" } });
    expect(await client.call("m")).toEqual({ ok: true });
    expect(server.seen.map(({ url, headers }) => [url, headers.authorization])).toEqual([
      ["/mcp", "Bearer t"],
      ["/mcp/", "Bearer t"],
    ]);
    expect(server.seen[1]?.body).toBe(server.seen[0]?.body);
  });

  it("to another origin is a failure that names it, and nothing goes there", async () => {
    const other = await httpServerForTest((seen, response) => sendJson(response, answerTo(seen)));
    const server = await httpServerForTest((_, response) => redirect(response, 307, other.url));
    const client = await openClient({ url: server.url, headers: { authorization: "Bearer t" } });
    expect(await client.fail("m")).toMatchObject({
      tag: "http-status",
      status: 307,
      location: other.url,
      body: "moved",
    });
    expect(other.seen).toEqual([]);
  });

  it("without end ends after five", async () => {
    const server = await httpServerForTest((_, response) => redirect(response, 307, "/mcp"));
    const client = await openClient(server.url);
    expect(await client.fail("m")).toMatchObject({ tag: "transport", reason: "redirect" });
    expect(server.seen).toHaveLength(6);
  });

  it("to a login page is not followed", async () => {
    const server = await httpServerForTest((_, response) => redirect(response, 302, "/login"));
    const client = await openClient(server.url);
    expect(await client.fail("m")).toMatchObject({ tag: "http-status", status: 302 });
    expect(server.seen).toHaveLength(1);
  });
});
