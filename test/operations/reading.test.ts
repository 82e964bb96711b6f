import { describe, expect, it } from "vitest";
import { isResourceNotFound, readResource, readTemplate } from "../../src/operations/resources.ts";
import { getPrompt } from "../../src/operations/prompts.ts";
import { complete } from "../../src/operations/completion.ts";
import { ping } from "../../src/operations/ping.ts";
import { setLogLevel } from "../../src/operations/log-level.ts";
import { callTool } from "../../src/operations/tools.ts";
import { request } from "../../src/operations/request.ts";
import { makeAnswer } from "../../src/lifecycle/elicitation.ts";
import { META } from "../../src/protocol/envelope.ts";
import { failureOf, valueOf } from "../support/results.ts";
import { ERAS, connectedTo, peerOf } from "./peer.ts";

describe.each(ERAS)("reading in the $era era", ({ era, version }) => {
  it("sends the URI as it is written and gives every part", async () => {
    const contents = [
      { uri: "A://B/../c", text: "x" },
      { uri: "a:b", blob: "AA==" },
    ];
    const peer = peerOf({ "resources/read": () => ({ contents, ttlMs: 5, more: 1 }) }, { version });
    const connection = await connectedTo(peer);
    const read = valueOf(await readResource(connection, "A://B/../c"));
    expect(peer.wire()[0]?.["params"]).toMatchObject({ uri: "A://B/../c" });
    expect(read.contents).toEqual(contents);
    expect(read.result).toMatchObject({ more: 1 });
    expect(read.cache).toEqual(era === "modern" ? { ttlMs: 5, cacheScope: "private" } : undefined);
  });

  it("expands a template first, and sends nothing when that cannot be done", async () => {
    const peer = peerOf({ "resources/read": () => ({ contents: [] }) }, { version });
    const connection = await connectedTo(peer);
    valueOf(await readTemplate(connection, "db://{table}{?id}", { table: "a b", id: 3 }));
    expect(peer.wire()[0]?.["params"]).toMatchObject({ uri: "db://a%20b?id=3" });
    expect(failureOf(await readTemplate(connection, "db://{table", {})).tag).toBe(
      "invalid-argument",
    );
    expect(failureOf(await readTemplate(connection, "{none}", {})).tag).toBe("invalid-argument");
    expect(peer.wire()).toHaveLength(1);
  });

  it.each([-32002, -32602])("knows code %i for a resource that is not there", async (code) => {
    const error = { code, message: "no such thing" };
    const connection = await connectedTo(
      peerOf({ "resources/read": () => ({ error }) }, { version }),
    );
    const failure = failureOf(await readResource(connection, "a://b"));
    expect(isResourceNotFound(failure)).toBe(true);
  });

  it("calls a result without contents malformed", async () => {
    const connection = await connectedTo(peerOf({ "resources/read": () => ({}) }, { version }));
    expect(failureOf(await readResource(connection, "a://b")).tag).toBe("malformed-body");
  });

  it("gives a prompt as it came, and sends arguments as texts alone", async () => {
    const messages = [{ role: "user", content: { type: "text", text: "hi" } }];
    const peer = peerOf({ "prompts/get": () => ({ messages, description: "d" }) }, { version });
    const connection = await connectedTo(peer);
    expect(valueOf(await getPrompt(connection, "p", { a: "1" }))).toEqual({
      messages,
      description: "d",
    });
    expect(peer.wire()[0]?.["params"]).toMatchObject({ name: "p", arguments: { a: "1" } });
    expect(failureOf(await getPrompt(connection, "p", { a: 1 } as never)).tag).toBe(
      "invalid-argument",
    );
    expect(failureOf(await getPrompt(connection, " ")).tag).toBe("invalid-argument");
    expect(peer.wire()).toHaveLength(1);
  });

  it("gives the completions, and says when the server sent too many", async () => {
    const values = Array.from({ length: 101 }, (_, n) => `v${n}`);
    const peer = peerOf(
      { "completion/complete": () => ({ completion: { values, total: 200, hasMore: true } }) },
      { version },
    );
    const connection = await connectedTo(peer);
    const reference = { type: "ref/resource", uri: "a://{b}" } as const;
    const context = { arguments: { c: "d" } };
    const found = await complete(connection, reference, { name: "b", value: "" }, { context });
    expect(found).toEqual({
      ok: true,
      value: { values, total: 200, hasMore: true, isOverLimit: true },
    });
    expect(peer.wire()[0]?.["params"]).toMatchObject({
      ref: reference,
      argument: { name: "b", value: "" },
      context,
    });
  });

  it.each([
    ["a blank argument name", { type: "ref/prompt", name: "p" }, { name: " ", value: "" }, {}],
    ["a value that is none", { type: "ref/prompt", name: "p" }, { name: "a" }, {}],
    ["a reference of no kind", { type: "ref/tool", name: "p" }, { name: "a", value: "" }, {}],
    ["no reference", null, { name: "a", value: "" }, {}],
    ["a blank prompt name", { type: "ref/prompt", name: "" }, { name: "a", value: "" }, {}],
    [
      "context of numbers",
      { type: "ref/prompt", name: "p" },
      { name: "a", value: "" },
      { context: { arguments: { b: 1 } } },
    ],
  ])("refuses to complete %s", async (_, reference, argument, options) => {
    const peer = peerOf({}, { version });
    const connection = await connectedTo(peer);
    const found = await complete(
      connection,
      reference as never,
      argument as never,
      options as never,
    );
    expect(failureOf(found).tag).toBe("invalid-argument");
    expect(peer.wire()).toEqual([]);
  });

  it.each([{}, { completion: {} }, { completion: { values: "x" } }])(
    "calls %j no completion",
    async (result) => {
      const connection = await connectedTo(
        peerOf({ "completion/complete": () => result }, { version }),
      );
      const reference = { type: "ref/prompt", name: "p" } as const;
      const found = await complete(connection, reference, { name: "a", value: "" });
      expect(failureOf(found).tag).toBe("malformed-body");
    },
  );
});

it("completion has no context before 2025-06-18", async () => {
  const peer = peerOf({}, { version: "2025-03-26" });
  const connection = await connectedTo(peer);
  const reference = { type: "ref/prompt", name: "p" } as const;
  const context = { arguments: {} };
  const found = await complete(connection, reference, { name: "a", value: "" }, { context });
  expect(failureOf(found)).toMatchObject({ tag: "unsupported", use: "no context" });
  expect(peer.wire()).toEqual([]);
});

describe("ping", () => {
  it("is ping in the initialize era", async () => {
    const peer = peerOf({ ping: () => ({}) });
    const { rttMs } = valueOf(await ping(await connectedTo(peer)));
    expect(rttMs).toBeGreaterThanOrEqual(0);
    expect(peer.methods()).toEqual(["ping"]);
  });

  it("is server/discover since 2026-07-28", async () => {
    const peer = peerOf({}, { version: "2026-07-28" });
    expect((await ping(await connectedTo(peer))).ok).toBe(true);
    expect(peer.methods()).toEqual(["server/discover"]);
  });

  it("takes an error for the answer that it is", async () => {
    const connection = await connectedTo(peerOf({}));
    expect((await ping(connection)).ok).toBe(true);
  });

  it("fails when nobody answers", async () => {
    const connection = await connectedTo(peerOf({ ping: () => undefined }));
    const failure = failureOf(await ping(connection, { timeoutMs: 20 }));
    expect(failure).toMatchObject({ tag: "timeout", timeoutMs: 20 });
  });
});

describe("the log level", () => {
  it("is told once in the initialize era", async () => {
    const peer = peerOf({ "logging/setLevel": () => ({}), "tools/call": () => ({ content: [] }) });
    const connection = await connectedTo(peer);
    valueOf(await setLogLevel(connection, "warning"));
    await callTool(connection, "t");
    expect(peer.wire()[0]).toMatchObject({
      method: "logging/setLevel",
      params: { level: "warning" },
    });
    expect(JSON.stringify(peer.wire()[1])).not.toContain("warning");
  });

  it("is on every later request since 2026-07-28, unless that has its own", async () => {
    const peer = peerOf(
      { "tools/call": () => ({ content: [] }), x: () => ({}) },
      { version: "2026-07-28" },
    );
    const connection = await connectedTo(peer);
    valueOf(await setLogLevel(connection, "debug"));
    expect(peer.wire()).toEqual([]);
    await callTool(connection, "t");
    await request(connection, "x", undefined, { meta: { [META.logLevel]: "error" } });
    const levels = peer.wire().map(({ params }) => (params as never)["_meta"][META.logLevel]);
    expect(levels).toEqual(["debug", "error"]);
  });

  it.each(ERAS)("is one of the protocol's, in the $era era", async ({ version }) => {
    const peer = peerOf({}, { version });
    const connection = await connectedTo(peer);
    expect(failureOf(await setLogLevel(connection, "loud" as never)).tag).toBe("invalid-argument");
    expect(peer.wire()).toEqual([]);
  });
});

describe("questions on the way, since 2026-07-28", () => {
  it.each([
    ["prompts/get", { messages: [] }],
    ["resources/read", { contents: [] }],
    ["tools/call", { content: [] }],
  ])("are answered during %s", async (method, result) => {
    const inputRequests = {
      sure: { method: "elicitation/create", params: { message: "Sure?" } },
    };
    const peer = peerOf(
      {
        [method]: ({ params }) =>
          params["inputResponses"] === undefined
            ? { resultType: "input_required", inputRequests, requestState: "s" }
            : { ...result, seen: params["inputResponses"], state: params["requestState"] ?? null },
      },
      { version: "2026-07-28" },
    );
    const connection = await connectedTo(peer, {
      waitFor: ({ id }) => makeAnswer(id, true, { ok: true }),
    });
    const answers = {
      "prompts/get": async () => valueOf(await getPrompt(connection, "p")),
      "resources/read": async () => valueOf(await readResource(connection, "a://b")).result,
      "tools/call": async () => valueOf(await callTool(connection, "t")),
    };
    expect(await answers[method as keyof typeof answers]()).toMatchObject({
      seen: { sure: { action: "accept", content: { ok: true } } },
      state: "s",
    });
    const [first, second] = peer.wire();
    expect(first?.["id"]).not.toBe(second?.["id"]);
  });
});
