import { describe, expect, it } from "vitest";
import {
  answerForm,
  retryAfter,
  rpcErrorIn,
  statusFailure,
  streamVerdict,
} from "../../../src/transport/http/answer.ts";
import { noRedaction } from "../../../src/redact.ts";

const url = "https://a.example/mcp";
const error = { code: -32601, message: "no" };

describe("the form of an answer", () => {
  it.each([
    ["application/json", "json"],
    ["Application/JSON; charset=utf-8", "json"],
    ["text/event-stream", "events"],
    ["TEXT/Event-Stream ;charset=UTF-8", "events"],
    [undefined, "untyped"],
    ["", "untyped"],
    ["text/html", "foreign"],
    ["application/json-seq", "foreign"],
  ])("%s is %s", (type, form) => {
    expect(answerForm(type === undefined ? {} : { "content-type": type })).toBe(form);
  });
});

describe("a JSON-RPC error in the body of a refusal", () => {
  it.each([
    ["with an id", 400, { jsonrpc: "2.0", id: 1, error }, true],
    ["with another id", 400, { jsonrpc: "2.0", id: "server-error", error }, true],
    ["without one", 404, { jsonrpc: "2.0", error }, true],
    ["whose id is null", 500, { jsonrpc: "2.0", id: null, error }, true],
    ["whose code is 0", 400, { jsonrpc: "2.0", id: 1, error: { code: 0, message: "" } }, true],
    ["of a gateway, which says no jsonrpc", 502, { error: { code: 502, message: "bad" } }, false],
    ["that is a result", 500, { jsonrpc: "2.0", id: 1, result: {} }, false],
    ["that is an OAuth error", 400, { error: "invalid_token" }, false],
    ["beside a 401", 401, { jsonrpc: "2.0", id: 1, error }, false],
    ["beside a 403", 403, { jsonrpc: "2.0", id: null, error }, false],
  ])("%s", (_, status, body, isFound) => {
    expect(rpcErrorIn(status, JSON.stringify(body)) !== null).toBe(isFound);
  });

  it("is not looked for in what is no JSON", () => {
    expect(rpcErrorIn(404, "<html>")).toBeNull();
  });
});

describe("a failure for a status", () => {
  it("holds the first KiB of the body, cut between characters", () => {
    const { body } = statusFailure(
      { url, status: 500, headers: {} },
      "é".repeat(2000),
      noRedaction,
    );
    expect(body).toBe("é".repeat(512));
    const odd = statusFailure(
      { url, status: 500, headers: {} },
      `x${"é".repeat(999)}`,
      noRedaction,
    );
    expect(odd.body).toBe(`x${"é".repeat(511)}`);
  });

  it("takes secrets out before it cuts", () => {
    const redact = (text: string): string => text.replaceAll("secret-value", "«S»");
    const text = `${"x".repeat(1018)}secret-value`;
    expect(statusFailure({ url, status: 500, headers: {} }, text, redact).body).toBe(
      `${"x".repeat(1018)}«S»`.slice(0, 1020) + "»",
    );
  });

  it("names the target of a redirect as an address, and of nothing else", () => {
    const at = (status: number, location: string): string | undefined =>
      statusFailure({ url, status, headers: { location } }, "", noRedaction).location;
    expect(at(302, "/login")).toBe("https://a.example/login");
    expect(at(301, "https://b.example/x")).toBe("https://b.example/x");
    expect(at(302, "http://[")).toBe("http://[");
    expect(at(201, "/made")).toBeUndefined();
  });

  it("joins every challenge", () => {
    const headers = { "www-authenticate": ['Bearer scope="a"', "DPoP"] };
    expect(statusFailure({ url, status: 401, headers }, "", noRedaction).challenge).toBe(
      'Bearer scope="a", DPoP',
    );
  });
});

describe("Retry-After", () => {
  const date = "Tue, 01 Dec 2026 10:00:00 GMT";
  it.each([
    [{ "retry-after": "0" }, 0],
    [{ "retry-after": "120" }, 120_000],
    [{ "retry-after": " 7 " }, 7000],
    [{ "retry-after": "1.5" }, undefined],
    [{ "retry-after": "-1" }, undefined],
    [{ "retry-after": "+5" }, undefined],
    [{ "retry-after": "１２" }, undefined],
    [{ "retry-after": "0x10" }, undefined],
    [{ "retry-after": "" }, undefined],
    [{ "retry-after": "99999999999999999999" }, undefined],
    [{}, undefined],
    [{ "retry-after": "Tue, 01 Dec 2026 10:00:30 GMT", date }, 30_000],
    [{ "retry-after": "Tue, 01 Dec 2026 09:00:00 GMT", date }, 0],
    [{ "retry-after": "Tue, 01 Dec 2026 10:00:30 GMT" }, undefined],
  ])("%j is %j ms", (headers, ms) => {
    expect(retryAfter(headers)).toBe(ms);
  });
});

describe("the answer to a GET for a stream", () => {
  const events = { "content-type": "text/event-stream" };
  it.each([
    [200, events, "read"],
    [200, { "content-type": "application/json" }, "refused"],
    [204, {}, "refused"],
    [400, {}, "refused"],
    [401, {}, "refused"],
    [404, {}, "refused"],
    [405, events, "refused"],
    [408, {}, "again"],
    [429, {}, "again"],
    [503, events, "again"],
  ])("%i with %j is %s", (status, headers, verdict) => {
    expect(streamVerdict(status, headers)).toBe(verdict);
  });
});
