import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  notify,
  notifyProgress,
  request,
  requestAs,
  sendMessage,
} from "../../src/operations/request.ts";
import { callTool } from "../../src/operations/tools.ts";
import type { JsonObject } from "../../src/json.ts";
import { makeAnswer } from "../../src/lifecycle/elicitation.ts";
import { failureOf, valueOf } from "../support/results.ts";
import { fact } from "../support/until.ts";
import { ERAS, connectedTo, peerOf } from "./peer.ts";

const METHOD = "com.example/do";

describe.each(ERAS)("a request of the caller's own in the $era era", ({ version }) => {
  it("gives the result as it came and sends no params when there are none of ours", async () => {
    const peer = peerOf(
      { [METHOD]: () => ({ deep: { list: [1] }, _meta: { a: 1 } }) },
      { version },
    );
    const connection = await connectedTo(peer);
    const result = await request(connection, METHOD);
    expect(result).toEqual({ ok: true, value: { deep: { list: [1] }, _meta: { a: 1 } } });
    expect("params" in (peer.wire()[0] ?? {})).toBe(version === "2026-07-28");
  });

  it("goes under the id of its caller", async () => {
    const peer = peerOf({ [METHOD]: ({ id }) => ({ id }) }, { version });
    const connection = await connectedTo(peer);
    expect(valueOf(await request(connection, METHOD, {}, { id: "mine" }))).toEqual({ id: "mine" });
    expect(valueOf(await request(connection, METHOD, {}, { id: -3 }))).toEqual({ id: -3 });
  });

  it("refuses an id that waits, and leaves the one that waits alone", async () => {
    const release = fact<JsonObject>();
    const peer = peerOf({ [METHOD]: () => release.promise }, { version });
    const connection = await connectedTo(peer);
    const first = request(connection, METHOD, { n: 1 }, { id: "same" });
    const second = failureOf(await request(connection, METHOD, { n: 2 }, { id: "same" }));
    expect(second).toMatchObject({ tag: "invalid-argument", maybeExecuted: false });
    release.resolve({ answer: 1 });
    expect(await first).toEqual({ ok: true, value: { answer: 1 } });
    expect(peer.wire()).toHaveLength(1);
    expect((await request(connection, METHOD, {}, { id: "same" })).ok).toBe(true);
  });

  it("never counts a caller's number again, for any number", async () => {
    const peer = peerOf({ [METHOD]: ({ id }) => ({ id }) }, { version });
    const connection = await connectedTo(peer);
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 0, max: 50 }), async (ahead) => {
        const { id: before } = valueOf(await request(connection, METHOD));
        const own = Number(before) + 1 + ahead;
        const { id } = valueOf(await request(connection, METHOD, {}, { id: own }));
        const { id: after } = valueOf(await request(connection, METHOD));
        expect(id).toBe(own);
        expect(Number(after)).toBeGreaterThan(own);
      }),
    );
  });

  it("sends nothing when its signal has fired already", async () => {
    const peer = peerOf({ [METHOD]: () => ({}) }, { version });
    const connection = await connectedTo(peer);
    const failure = failureOf(
      await request(connection, METHOD, {}, { signal: AbortSignal.abort() }),
    );
    expect(failure).toEqual({ tag: "cancelled", maybeExecuted: false });
    expect(peer.wire()).toEqual([]);
  });

  it.each([
    ["a blank method", "  ", {}, {}],
    ["params that are a list", METHOD, [], {}],
    ["an id that is no integer", METHOD, {}, { id: 1.5 }],
    ["an id that is null", METHOD, {}, { id: null }],
    ["a progress token that is an object", METHOD, {}, { meta: { progressToken: {} } }],
    ["a timeout that is none", METHOD, {}, { timeoutMs: Number.NaN }],
    ["a signal that is none", METHOD, {}, { signal: {} }],
  ])("refuses %s and sends nothing", async (_, method, params, options) => {
    const peer = peerOf({ [METHOD]: () => ({}) }, { version });
    const connection = await connectedTo(peer);
    const failure = failureOf(await request(connection, method, params as never, options as never));
    expect(failure).toMatchObject({ tag: "invalid-argument", maybeExecuted: false });
    expect(peer.wire()).toEqual([]);
  });

  it("refuses a progress token that another request waits under", async () => {
    const release = fact<JsonObject>();
    const peer = peerOf({ [METHOD]: () => release.promise }, { version });
    const connection = await connectedTo(peer);
    const options = { meta: { progressToken: "t" } };
    const first = request(connection, METHOD, {}, options);
    expect(failureOf(await request(connection, METHOD, {}, options)).tag).toBe("invalid-argument");
    release.resolve({});
    expect((await first).ok).toBe(true);
  });

  it("keeps the type of a progress token, and finds a free one of its own", async () => {
    const tokens: unknown[] = [];
    const peer = peerOf(
      {
        [METHOD]: ({ params, send }) => {
          const meta = params["_meta"] as JsonObject;
          tokens.push(meta["progressToken"]);
          send({
            jsonrpc: "2.0",
            method: "notifications/progress",
            params: { progressToken: meta["progressToken"] ?? null, progress: 1 },
          });
          return {};
        },
      },
      { version },
    );
    const connection = await connectedTo(peer);
    const seen: unknown[] = [];
    const onProgress = ({ token }: { readonly token?: unknown }): unknown => seen.push(token);
    for (const progressToken of [5, "5"]) {
      await request(connection, METHOD, {}, { meta: { progressToken }, onProgress });
    }
    expect(tokens).toEqual([5, "5"]);
    expect(seen).toEqual([5, "5"]);
  });
});

describe("an id of the caller's, since 2026-07-28", () => {
  it("is for one sending only: a round with answers has another", async () => {
    const inputRequests = { ask: { method: "elicitation/create", params: { message: "?" } } };
    const peer = peerOf(
      {
        "tools/call": ({ params }) =>
          params["inputResponses"] === undefined
            ? { resultType: "input_required", inputRequests }
            : { content: [] },
      },
      { version: "2026-07-28" },
    );
    const connection = await connectedTo(peer, { waitFor: ({ id }) => makeAnswer(id, false) });
    const params = { name: "t", arguments: {} };
    valueOf(await request(connection, "tools/call", params, { id: "mine" }));
    const [first, second] = peer.wire();
    expect(first?.["id"]).toBe("mine");
    expect(second?.["id"]).not.toBe("mine");
  });

  it("is for one sending only: a list that was lost is asked for under another", async () => {
    let isLost = true;
    const peer = peerOf(
      {
        "prompts/list": () => {
          if (!isLost) return { prompts: [] };
          isLost = false;
          return Promise.reject(new Error("lost"));
        },
      },
      { version: "2026-07-28" },
    );
    const connection = await connectedTo(peer);
    valueOf(await request(connection, "prompts/list", undefined, { id: "mine" }));
    expect(peer.wire().map(({ id }) => id === "mine")).toEqual([true, false]);
  });
});

describe("requestAs", () => {
  it("gives what the function reads", async () => {
    const connection = await connectedTo(peerOf({ [METHOD]: () => ({ n: 3 }) }));
    const decode = ({ n }: JsonObject) => ({ ok: true, value: Number(n) + 1 }) as const;
    expect(await requestAs(connection, METHOD, {}, { decode })).toEqual({ ok: true, value: 4 });
  });

  it.each([
    [
      "refuses",
      () => ({ ok: false, failure: { tag: "config", detail: "no good" } }) as const,
      "no good",
    ],
    ["throws on", () => JSON.parse("{") as never, "the decoding function threw"],
  ])("turns a result that the function %s into malformed-body", async (_, decode, detail) => {
    const connection = await connectedTo(peerOf({ [METHOD]: () => ({}) }));
    const failure = failureOf(await requestAs(connection, METHOD, undefined, { decode }));
    expect(failure).toEqual({ tag: "malformed-body", detail, maybeExecuted: true });
  });
});

describe("a notification", () => {
  it("carries no id, and no params when none are given", async () => {
    const peer = peerOf({});
    const connection = await connectedTo(peer);
    valueOf(await notify(connection, "com.example/hello"));
    valueOf(await notify(connection, "com.example/hello", { a: 1 }));
    expect(peer.wire()).toEqual([
      { jsonrpc: "2.0", method: "com.example/hello" },
      { jsonrpc: "2.0", method: "com.example/hello", params: { a: 1 } },
    ]);
  });

  it("keeps the type of the token it tells progress of", async () => {
    const peer = peerOf({});
    const connection = await connectedTo(peer);
    valueOf(await notifyProgress(connection, 5, { progress: 0.5 }));
    valueOf(await notifyProgress(connection, "5", { progress: 1, total: 2, message: "half" }));
    expect(peer.wire().map(({ params }) => params)).toEqual([
      { progressToken: 5, progress: 0.5 },
      { progressToken: "5", progress: 1, total: 2, message: "half" },
    ]);
  });

  it.each([
    ["a token that is an object", {}, { progress: 1 }],
    ["progress that is no number", 1, { progress: Number.NaN }],
    ["a total that is a text", 1, { progress: 1, total: "2" }],
    ["a message that is a number", 1, { progress: 1, message: 2 }],
    ["no report", 1, null],
  ])("is refused with %s", async (_, token, report) => {
    const peer = peerOf({});
    const connection = await connectedTo(peer);
    const told = await notifyProgress(connection, token as never, report as never);
    expect(failureOf(told).tag).toBe("invalid-argument");
    expect(peer.wire()).toEqual([]);
  });
});

describe.each(ERAS)("sendMessage in the $era era", ({ version }) => {
  it("refuses a request, whose answer would be lost", async () => {
    const peer = peerOf({}, { version });
    const connection = await connectedTo(peer);
    const failure = failureOf(
      await sendMessage(connection, { jsonrpc: "2.0", id: 1, method: "x" }),
    );
    expect(failure.tag).toBe("invalid-argument");
    expect(peer.wire()).toEqual([]);
  });

  it("refuses an answer and says who answers", async () => {
    const connection = await connectedTo(peerOf({}, { version }));
    const failure = failureOf(await sendMessage(connection, { jsonrpc: "2.0", id: 1, result: {} }));
    expect(failure).toMatchObject({
      tag: "unsupported",
      use: "waitFor, onSample and onRoots, given when connecting",
    });
  });

  it("ends the request that a cancellation names, and nothing else", async () => {
    const release = fact<JsonObject>();
    const peer = peerOf(
      { [METHOD]: ({ params }) => (params["stays"] === true ? release.promise : undefined) },
      { version },
    );
    const connection = await connectedTo(peer);
    const stays = request(connection, METHOD, { stays: true }, { id: "b" });
    const goes = request(connection, METHOD, {}, { id: 7000 });
    const params = { requestId: 7000, reason: "changed my mind" };
    const cancel = { jsonrpc: "2.0", method: "notifications/cancelled", params };
    valueOf(await sendMessage(connection, cancel));
    expect(failureOf(await goes)).toEqual({ tag: "cancelled", maybeExecuted: true });
    expect(peer.wire().at(-1)).toEqual(cancel);
    release.resolve({});
    expect((await stays).ok).toBe(true);
  });

  it("sends no cancellation for an id that does not wait", async () => {
    const peer = peerOf({}, { version });
    const connection = await connectedTo(peer);
    valueOf(await notify(connection, "notifications/cancelled", { requestId: 12345 }));
    expect(peer.wire()).toEqual([]);
    const failure = failureOf(
      await notify(connection, "notifications/cancelled", { requestId: {} }),
    );
    expect(failure.tag).toBe("invalid-argument");
  });
});

it("calls for an answer that is no result are malformed, and may have been executed", async () => {
  const connection = await connectedTo(peerOf({ "tools/call": () => ({ content: "text" }) }));
  expect(failureOf(await callTool(connection, "t"))).toMatchObject({
    tag: "malformed-body",
    maybeExecuted: true,
  });
});
