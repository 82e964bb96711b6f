import { getEventListeners } from "node:events";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isObject } from "../../../src/json.ts";
import type { JsonObject } from "../../../src/json.ts";
import { errorMessage, resultMessage } from "../../../src/protocol/messages.ts";
import { LONG, failureOf, memberOf, openPeer, specOf, valueOf } from "./peer.ts";

/** What a request of the peer says about itself, for an inbound side that answers everything. */
function answerTo(message: JsonObject): JsonObject {
  const { id, method } = message;
  if (typeof id !== "number") return errorMessage(0, -32600, "no id");
  return method === "ping" ? resultMessage(id, {}) : errorMessage(id, -32601, "Method not found");
}

describe("calls", () => {
  it.each([1, 12, 1024])("by %i callers at once each get their own answer", async (callers) => {
    const peer = await openPeer("behaves");
    const answers = Array.from({ length: callers }, (_, caller) => peer.call("hold", { caller }));
    await peer.call("release");
    const heard = (await Promise.all(answers)).map((answer) => answer["params"]);
    expect(heard).toEqual(Array.from({ length: callers }, (_, caller) => ({ caller })));
    expect(peer.notes).toEqual([]);
  });

  it("get back what they sent, for any JSON", async () => {
    const peer = await openPeer("behaves");
    const anyParams = fc.dictionary(fc.string({ unit: "binary" }), fc.jsonValue());
    await fc.assert(
      fc.asyncProperty(anyParams, async (params) => {
        const sent = JSON.parse(JSON.stringify({ ...params, _meta: {} })) as JsonObject;
        expect((await peer.call("echo", sent))["params"]).toEqual(sent);
      }),
    );
  });

  it("that cannot be written as JSON fail, and the connection lives", async () => {
    const peer = await openPeer("behaves");
    const cycle: Record<string, unknown> = {};
    cycle["itself"] = cycle;
    expect(await peer.fail("echo", cycle as JsonObject)).toMatchObject({
      tag: "invalid-argument",
      maybeExecuted: false,
    });
    expect(await peer.fail("echo", { big: 1n } as unknown as JsonObject)).toMatchObject({
      tag: "invalid-argument",
    });
    expect(await peer.call("echo", { a: 1 })).toEqual({ params: { a: 1 } });
  });

  it("leave no listener on a signal they share", async () => {
    const peer = await openPeer("behaves");
    const { signal } = new AbortController();
    const options = { ...LONG, signal };
    const answers = Array.from({ length: 1000 }, () => peer.transport.rpc("echo", {}, options));
    expect((await Promise.all(answers)).every(({ ok }) => ok)).toBe(true);
    await peer.transport.notify("notifications/x", {}, { signal });
    expect(getEventListeners(signal, "abort")).toEqual([]);
  });

  it("that are refused with data a million levels deep give the error, cut off", async () => {
    const peer = await openPeer("writes-raw");
    const data = `${"[".repeat(1_000_000)}${"]".repeat(1_000_000)}`;
    const text = `{"jsonrpc":"2.0","id":$ID,"error":{"code":1,"message":"m","data":${data}}}\n`;
    const failure = await peer.fail("raw", { text });
    expect(failure).toMatchObject({ tag: "rpc-error", code: 1 });
    expect(JSON.stringify(failure).length).toBeLessThan(1000);
  });

  it("that are refused give the peer's error", async () => {
    const peer = await openPeer("behaves");
    expect(await peer.fail("unheard-of")).toMatchObject({ tag: "rpc-error", code: -32601 });
  });
});

describe("a call that is given up", () => {
  it("tells the peer why, and its late answer harms nobody", async () => {
    const peer = await openPeer("behaves");
    await peer.fact();
    const abort = new AbortController();
    const late = peer.transport.rpc("hold", { n: 2 }, { timeoutMs: 1 });
    const aborted = peer.transport.rpc("hold", { n: 3 }, { ...LONG, signal: abort.signal });
    abort.abort();
    expect(failureOf(await late)).toMatchObject({ tag: "timeout", timeoutMs: 1 });
    expect(failureOf(await aborted)).toMatchObject({ tag: "cancelled", maybeExecuted: true });
    await peer.call("release");
    expect(await peer.call("echo", { n: 4 })).toEqual({ params: { n: 4 } });
    const { received } = await peer.call("received");
    const cancellations = (received as JsonObject[])
      .filter(({ method }) => method === "notifications/cancelled")
      .map((message) => memberOf(message, "params"));
    expect(cancellations).toEqual([
      { requestId: 3, reason: "cancelled" },
      { requestId: 2, reason: "timeout" },
    ]);
    expect(peer.notes.map(({ code }) => code)).toEqual(["unmatched-answer", "unmatched-answer"]);
  });

  it.each(["initialize", "server/discover"])("is not cancelled when it is %s", async (method) => {
    const peer = await openPeer("never-answers");
    const given = await peer.transport.rpc(method, {}, { timeoutMs: 1 });
    expect(failureOf(given)).toMatchObject({ tag: "timeout" });
    const { received } = await peer.call("received");
    expect((received as JsonObject[]).map((message) => message["method"])).toEqual([
      method,
      "received",
    ]);
  });
});

describe("progress and logs", () => {
  it("arrive in order and before the result", async () => {
    const peer = await openPeer("reports-progress");
    const seen: unknown[] = [];
    const done = await peer.transport
      .rpc("work", { steps: 100 }, { ...LONG, onProgress: ({ progress }) => seen.push(progress) })
      .then((result) => {
        seen.push("result");
        return valueOf(result);
      });
    expect(done).toEqual({ done: true });
    expect(seen).toEqual([...Array.from({ length: 100 }, (_, step) => step), "result"]);
    const logs = peer.notifications.filter(({ method }) => method === "notifications/message");
    expect(logs.map((message) => memberOf(message, "params")["data"])).toEqual(seen.slice(0, -1));
  });
});

describe("a request of the peer", () => {
  it("under the id of our pending call is answered, and never taken for its answer", async () => {
    const peer = await openPeer("asks-back", (message) => Promise.resolve(answerTo(message)));
    const calls = Array.from({ length: 8 }, (_, index) =>
      peer.call("ask", { method: index % 2 === 0 ? "ping" : "roots/list" }),
    );
    const heard = (await Promise.all(calls)).map((answer) => memberOf(answer, "heard"));
    expect(heard.map(({ id }) => id)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    expect(heard.map((message) => isObject(message["result"]))).toEqual(
      Array.from({ length: 8 }, (_, index) => index % 2 === 0),
    );
  });
});

describe("what is not a message on stdout", () => {
  it("between messages is noted and hides none", async () => {
    const peer = await openPeer("writes-raw");
    const answer = '{"jsonrpc":"2.0","id":$ID,"result":{"ok":true}}';
    for (const text of [
      `banner\n\n${answer}\n`,
      `${answer}\r\n42\n`,
      `[info] x\n{x}\n\u001b[0m\n${answer}\nnull\n`,
      `{\n  "jsonrpc": "2.0",\n  "id": $ID,\n  "result": {\n    "ok": true\n  }\n}\n`,
    ]) {
      expect(await peer.call("raw", { text })).toEqual({ ok: true });
    }
    await peer.call("pid");
    const codes = peer.notes.map(({ code }) => code);
    expect(codes.filter((code) => code === "junk-line").length).toBe(6);
    expect(codes).toContain("crlf");
    expect(codes).toContain("spread-message");
  });

  it("is in the text of a timeout, without secrets", async () => {
    const redact = (text: string): string => text.replaceAll("hunter2", "«PASSWORD»");
    const peer = await openPeer({ ...specOf("writes-raw"), redact });
    await peer.call("pid");
    const text = 'Loading hunter2... {"jsonrpc":"2.0","id":$ID,"result":{}}\nhalf a hunter2';
    const given = await peer.transport.rpc("raw", { text }, { timeoutMs: 300 });
    expect(failureOf(given)).toMatchObject({
      tag: "timeout",
      detail:
        'not JSON on stdout: "Loading «PASSWORD»... {\\"jsonrpc\\":\\"2.0\\",\\"id\\":2,\\"result\\":{}}", "half a «PASSWORD»"',
    });
    expect(peer.notes).toEqual([
      { code: "junk-line", detail: expect.stringMatching(/^Loading «PASSWORD»/) },
      {
        code: "swallowed-answer",
        detail: expect.stringMatching(/^an answer stands behind other text: "Loading «PASSWORD»/),
      },
    ]);
  });

  it("fails a call at once when it is its answer, broken", async () => {
    const peer = await openPeer("writes-raw");
    const text = '{"jsonrpc":"2.0","id":$ID,"result":{"value":NaN}}\n';
    expect(await peer.fail("raw", { text })).toMatchObject({
      tag: "malformed-body",
      detail: expect.stringContaining("not JSON"),
    });
    expect(await peer.call("echo")).toMatchObject({});
  });

  it("fails no call by itself, even when it looks like its answer", async () => {
    const peer = await openPeer("writes-raw");
    const answer = '{"jsonrpc":"2.0","id":$ID,"result":{"ok":true}}';
    expect(await peer.call("raw", { text: `[debug] sending ${answer}\n${answer}\n` })).toEqual({
      ok: true,
    });
  });

  it("is noted a few times and not for ever", async () => {
    const peer = await openPeer("writes-raw");
    const text = `${"log\n".repeat(5000)}{"jsonrpc":"2.0","id":$ID,"result":{}}\n`;
    await peer.call("raw", { text });
    expect(peer.notes.length).toBe(20);
  });
});
