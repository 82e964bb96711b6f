import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { httpTransport } from "../../../src/transport/http/http-transport.ts";
import type { HttpSpec } from "../../../src/transport/http/http-transport.ts";
import { headerProblem, isOwnedHeader, mergeHeaders } from "../../../src/transport/http/headers.ts";
import { anyText } from "../../support/arbitraries.ts";
import { httpServerForTest, sendJson } from "../../support/http-server.ts";
import { failureOf } from "../../support/results.ts";
import { answerTo, codesOf, openClient } from "./peer.ts";

const inbound = { request: () => Promise.resolve(null), notification: () => undefined };

/** Values as people write them, and values that HTTP cannot carry. */
function anyValue(): fc.Arbitrary<string> {
  return fc.oneof(fc.stringMatching(/^[ -~]{0,20}$/), anyText(), fc.constantFrom("a\tb", "", "é"));
}

describe("a header's value", () => {
  it("is either sent as is or refused, for any text", async () => {
    const server = await httpServerForTest((seen, response) =>
      sendJson(response, answerTo(seen, { got: seen.headers["x-any"] ?? null })),
    );
    await fc.assert(
      fc.asyncProperty(anyValue(), async (value) => {
        const spec = { url: server.url, headers: { "X-Any": value } };
        const opened = await httpTransport(spec)(inbound, {});
        if (!opened.ok) {
          expect(headerProblem("x-any", value)).not.toBeNull();
          return;
        }
        const answer = await opened.value.rpc("m", {}, { timeoutMs: 20_000 });
        await opened.value.close();
        expect(answer).toEqual({ ok: true, value: { got: value } });
      }),
      { numRuns: 60, examples: [[" outer"], ["a b"], ["x\r\nevil: 1"], ["é"]] },
    );
  });

  it("is not shown when it is refused", async () => {
    const spec = { url: "http://127.0.0.1:9/mcp", headers: { "x-key": "se\ncret" } };
    const failure = failureOf(await httpTransport(spec)(inbound, {}));
    expect(failure.tag).toBe("config");
    expect(JSON.stringify(failure)).toContain("x-key");
    expect(JSON.stringify(failure)).not.toContain("cret");
  });

  it("of one message is refused before anything is sent", async () => {
    const server = await httpServerForTest((seen, response) => sendJson(response, answerTo(seen)));
    const client = await openClient(server.url);
    const failure = await client.fail("m", { headers: { "Mcp-Name": "ü" } });
    expect(failure).toMatchObject({ tag: "invalid-argument", maybeExecuted: false });
    expect(server.seen).toEqual([]);
  });
});

describe("the caller's headers", () => {
  it("override ours without case, but never those of the protocol", async () => {
    const server = await httpServerForTest((seen, response) => sendJson(response, answerTo(seen)));
    const headers = {
      "User-Agent": "mine",
      "CONTENT-TYPE": "text/plain",
      Accept: "*/*",
      "Mcp-Session-Id": "forged",
      "MCP-Protocol-Version": "1999-01-01",
      "Content-Length": "1",
      Host: "elsewhere",
      Connection: "close",
      authorization: "Bearer x",
    };
    const client = await openClient({ url: server.url, headers });
    await client.call("m");
    const [seen] = server.seen;
    expect(seen?.headers).toMatchObject({
      "user-agent": "mine",
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      "mcp-protocol-version": "2025-11-25",
      authorization: "Bearer x",
    });
    expect(seen?.headers["mcp-session-id"]).toBeUndefined();
    expect(seen?.headers.host).not.toBe("elsewhere");
    expect(codesOf(client)).toEqual(["owned-header"]);
  });

  it("merge to one of each name, the later winning, for any names", () => {
    const name = fc.constantFrom("a", "A", "b", "B", "c-D", "C-d", "__proto__");
    const lines = fc.array(fc.tuple(name, fc.string()));
    fc.assert(
      fc.property(lines, lines, (under, over) => {
        const merged = mergeHeaders(mergeHeaders([], under), over);
        const expected = new Map(
          [...under, ...over].map(([key, value]) => [key.toLowerCase(), value]),
        );
        expect(merged).toEqual([...expected].flat());
      }),
    );
  });

  it("include those for the parameters of a tool among the protocol's own", () => {
    expect(["Mcp-Param-Region", "MCP-NAME", "mcp-method"].every(isOwnedHeader)).toBe(true);
    expect(isOwnedHeader("authorization")).toBe(false);
  });
});

describe("a spec", () => {
  it("of any shape opens or is a config failure", async () => {
    const anySpec = fc.oneof(
      fc.anything(),
      fc.record({ url: fc.constant("http://127.0.0.1:1/"), headers: fc.anything() }),
      fc.record({ url: fc.anything(), sessionId: fc.anything() }),
    );
    await fc.assert(
      fc.asyncProperty(anySpec, async (spec) => {
        const opened = await httpTransport(spec as HttpSpec)(inbound, {});
        if (opened.ok) await opened.value.close();
        else expect(opened.failure.tag).toBe("config");
      }),
      { numRuns: 50 },
    );
  });
});

describe("an address", () => {
  it.each(["ftp://127.0.0.1/mcp", "mcp", "", "http://", "http://user:word@127.0.0.1/mcp"])(
    "that cannot be used is a config failure: %s",
    async (url) => {
      const failure = failureOf(await httpTransport({ url })(inbound, {}));
      expect(failure.tag).toBe("config");
      expect(JSON.stringify(failure)).not.toContain("word@");
    },
  );

  it("may be one of IPv6 or a name", async () => {
    const server = await httpServerForTest((seen, response) => sendJson(response, answerTo(seen)));
    const client = await openClient(server.url.replace("127.0.0.1", "localhost"));
    expect(await client.call("m")).toEqual({ ok: true });
  });
});
