import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { disconnectAll, execute, fromConfig, makeAnswer } from "../../src/index.ts";
import type { Answer, CallOptions, JsonObject, Load, Request, WaitFor } from "../../src/index.ts";
import { LEGS } from "../support/legs.ts";
import type { Leg } from "../support/legs.ts";
import { connected, objectIn } from "../support/results.ts";
import { fact, until } from "../support/until.ts";

/** The tools of the peer, by exposed name. */
const TOOLS = [
  "remote_api_alpha_stats",
  "remote_api_ask",
  "remote_api_ask-and-ping",
  "remote_api_echo",
  "remote_api_exit",
  "remote_api_fails",
  "remote_api_fails-silently",
  "remote_api_hold",
  "remote_api_no-content",
  "remote_api_nothing",
  "remote_api_picture",
  "remote_api_picture-and-text",
  "remote_api_pid",
  "remote_api_progress",
  "remote_api_two-parts",
  "remote_api_zebra_note",
];
const FORM = {
  mode: "form",
  message: "Your name?",
  requestedSchema: { type: "object", properties: { name: { type: "string" } } },
};

describe.each(LEGS)("one peer over $kind (C010)", ({ start }) => {
  let leg: Leg;
  let load: Load;
  let answer: WaitFor;
  const asked: Request[] = [];

  const call = (tool: string, args?: JsonObject, options?: CallOptions) =>
    execute(load, `remote_api_${tool}`, args, options);

  beforeAll(async () => {
    leg = await start();
    load = await fromConfig(
      { mcpServers: { "remote api": leg.entry } },
      {
        waitFor: (request, options) => {
          asked.push(request);
          return answer(request, options);
        },
      },
    );
  });
  afterAll(async () => {
    await disconnectAll(load);
    await leg.stop();
  });

  it("lists every page, sorted by exposed name (C004, C008, C009, C128, C136, C147)", () => {
    expect(load.statuses).toEqual({ "remote api": "connected" });
    expect(load.errors).toEqual({});
    expect(load.tools.map((tool) => tool.name)).toEqual(TOOLS);
    const connection = connected(load.connections[0]);
    expect(connection.tools.map((tool) => tool.name)).toEqual(TOOLS);
    expect(connection.serverInfo).toEqual({ name: "peer", version: "1.0.0" });
    expect(connection).toMatchObject({ era: "legacy", protocolVersion: "2025-11-25" });
  });

  it("keeps where a tool comes from, and its definition untouched (C020, C128, C210)", () => {
    const definition = {
      name: "zebra note",
      description: "does zebra note",
      inputSchema: { type: "object", properties: { message: { type: "string" } } },
    };
    expect(load.tools.at(-1)).toMatchObject({
      source: "mcp",
      server: "remote api",
      remoteName: "zebra note",
      description: "does zebra note",
      inputSchema: definition.inputSchema,
      definition,
    });
    expect(load.tools.at(-1)?.definition).toEqual(definition);
  });

  it("gives exactly the output of a call (C021, C132, C148)", async () => {
    expect(await call("echo", { message: "hello" })).toEqual({
      output: "Echo: hello",
      isError: false,
      content: [{ type: "text", text: "Echo: hello" }],
    });
  });

  it("sends empty arguments when there are none (C209)", async () => {
    expect(await call("echo")).toMatchObject({ output: "Echo: undefined" });
    expect(leg.wire().at(-1)).toContain('"arguments":{}');
  });

  it.each([
    ["two-parts", false, "line one\nline two", "joins the text parts (C129, C153)"],
    [
      "alpha_stats",
      false,
      '{"alpha":2,"nested":{"a":true,"b":false},"zulu":1}',
      "prefers structured content, canonical (C130)",
    ],
    ["fails", true, "it broke\ntwice", "joins the text of an error (C131)"],
    ["fails-silently", true, "the tool returned an error", "has a sentence for an error (C182)"],
    ["picture", false, "[image image/png 3 bytes]", "describes what is no text (C154, C182)"],
    ["picture-and-text", false, "only", "leaves parts out beside text (C154)"],
    ["nothing", false, "", "gives the empty text for no content (C155)"],
  ])("%s: isError %s, %j: %4$s", async (tool, isError, output) => {
    expect(await call(tool)).toMatchObject({ isError, output });
  });

  it("says at once that a result has the wrong shape (C014)", async () => {
    expect(await call("no-content")).toEqual({
      isError: true,
      output:
        'mcp server "remote api" failed at tools/call: malformed-body: ' +
        "the result's content is a number, not an array",
      content: [],
      failure: {
        tag: "malformed-body",
        detail: "the result's content is a number, not an array",
        maybeExecuted: true,
      },
    });
  });

  it("gives a result for a tool that is not there (C115, C145)", async () => {
    const sent = leg.wire().length;
    const result = await execute(load, "nope");
    expect(result).toMatchObject({ output: "unknown tool: nope", isError: true, content: [] });
    expect(leg.wire()).toHaveLength(sent);
  });

  it("gives each of twelve callers at once its own answer (C149, C196)", async () => {
    const messages = Array.from({ length: 12 }, (_, i) => `${i} ${"x".repeat(i * 5000)}`);
    const results = await Promise.all(messages.map((message) => call("echo", { message })));
    expect(results.map(({ output }) => output)).toEqual(messages.map((text) => `Echo: ${text}`));
    expect(await call("echo", { message: "still well" })).toMatchObject({ isError: false });
  });

  it("delivers progress before the result, in order", async () => {
    const seen: (number | string)[] = [];
    const onProgress = ({ progress }: { progress: number }): void => void seen.push(progress);
    const { output } = await call("progress", {}, { onProgress });
    seen.push(output);
    expect(seen).toEqual([1, 2, 3, "done"]);
  });

  describe("when the server asks in the middle of a call", () => {
    const replyTo = async (params: JsonObject): Promise<JsonObject> => {
      const result = await call("ask", { method: "elicitation/create", params });
      return objectIn(objectIn(result.structuredContent)["reply"]);
    };

    it("goes on with the same call after an accepted form (C026, C160, C166, C170)", async () => {
      asked.length = 0;
      const calls = countCalls();
      answer = (request) => makeAnswer(request.id, true, { name: "Ada" });
      const result = await call("ask", { method: "elicitation/create", params: FORM });
      expect(result.content).toEqual([{ type: "text", text: "asked and answered" }]);
      expect(result.structuredContent).toEqual({
        reply: {
          jsonrpc: "2.0",
          id: "srv-77",
          result: { action: "accept", content: { name: "Ada" } },
        },
      });
      expect(asked).toEqual([
        {
          id: expect.stringMatching(/^elc-\d+$/),
          kind: "input",
          prompt: "Your name?",
          server: "remote api",
          data: { schema: FORM.requestedSchema },
        },
      ]);
      expect(countCalls() - calls).toBe(1);
    });

    it("hands over a URL without a schema (C091, C171)", async () => {
      asked.length = 0;
      const params = { mode: "url", message: "Sign in", url: "https://x.example/y" };
      answer = ({ id }) => makeAnswer(id, true);
      expect(await replyTo({ ...FORM, ...params, elicitationId: "e" })).toMatchObject({
        result: { action: "accept" },
      });
      expect(asked).toEqual([
        {
          id: expect.any(String),
          kind: "authorization",
          prompt: "Sign in",
          url: "https://x.example/y",
          server: "remote api",
        },
      ]);
    });

    it.each<[string, (id: string) => Answer | Promise<Answer>, string]>([
      ["declines (C096, C161)", (id) => ({ id, ok: false, reason: "declined" }), "decline"],
      ["cancels (C096)", (id) => ({ id, ok: false, reason: "expired" }), "cancel"],
      [
        "cancels when the resolver throws (C097, C162)",
        () => {
          throw new Error("no");
        },
        "cancel",
      ],
      ["cancels when it rejects (C097)", () => Promise.reject(new Error("no")), "cancel"],
    ])("%s", async (_, give, action) => {
      answer = ({ id }) => give(id);
      for (const params of [FORM, { mode: "url", message: "m", url: "https://x.example" }]) {
        expect(await replyTo(params)).toMatchObject({ result: { action } });
        expect(objectIn((await replyTo(params))["result"])).toEqual({ action });
      }
    });

    it("refuses what it cannot answer, and the call goes on (C099, C163, C182)", async () => {
      const result = await call("ask", { method: "sampling/createMessage", params: {} });
      const { reply } = objectIn(result.structuredContent);
      expect(reply).toMatchObject({ error: { code: -32601, message: "Method not found" } });
      expect(reply).not.toHaveProperty("result");
    });

    it("answers a ping while a person is asked (B12, C182)", async () => {
      const ponged = fact<void>();
      answer = async ({ id }) => {
        await ponged.promise;
        return makeAnswer(id, true, { late: true });
      };
      const running = call("ask-and-ping");
      await until("the pong was sent", () =>
        leg.wire().some((text) => /srv-\d+","result":{}/.test(text)),
      );
      ponged.resolve();
      expect((await running).structuredContent).toMatchObject({
        pong: { result: {} },
        reply: { result: { action: "accept", content: { late: true } } },
      });
    });
  });

  it("gives up a call that is never answered, and says so to the server (C189, C209)", async () => {
    const result = await call("hold", {}, { timeoutMs: 100 });
    expect(result).toMatchObject({
      isError: true,
      output: 'mcp server "remote api" failed at tools/call: timeout (100 ms)',
      failure: { tag: "timeout", timeoutMs: 100, maybeExecuted: true },
    });
    await untilCancelled("timeout");
  });

  it("gives up a call that its caller aborts, and says so to the server (C209)", async () => {
    const controller = new AbortController();
    const sent = countCalls();
    const running = call("hold", {}, { signal: controller.signal });
    await until("the call was received", () => countCalls() > sent);
    controller.abort();
    expect(await running).toMatchObject({ failure: { tag: "cancelled", maybeExecuted: true } });
    await untilCancelled("cancelled");
  });

  function countCalls(): number {
    return leg.wire().filter((text) => text.includes('"tools/call"')).length;
  }

  async function untilCancelled(reason: string): Promise<void> {
    await until(`the server hears of ${reason}`, () => {
      const last = leg.wire().at(-1) ?? "{}";
      const message: unknown = JSON.parse(last);
      const isIt = last.includes('"notifications/cancelled"') && last.includes(`"${reason}"`);
      return isIt && objectIn(objectIn(message)["params"])["requestId"] !== undefined;
    });
  }
});
