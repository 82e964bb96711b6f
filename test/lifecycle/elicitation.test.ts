import { getEventListeners } from "node:events";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Json, JsonObject } from "../../src/json.ts";
import {
  answerToElicitResult,
  elicit,
  elicitationToRequest,
  makeAnswer,
  serverRequestResponse,
} from "../../src/lifecycle/elicitation.ts";
import type { Answer, Request } from "../../src/lifecycle/records.ts";
import { anyJson, anyJsonObject, anyText } from "../support/arbitraries.ts";
import { fact } from "../support/until.ts";

const SCHEMA = { type: "object", properties: { name: { type: "string" } } };
const NOT_FOUND = { code: -32601, message: "Method not found" };

describe("what a person is asked", () => {
  it("is input with the very schema for a form, whatever the mode is called (C090, C156)", () => {
    for (const mode of [undefined, "form", "other", 5, null] as const) {
      const params = {
        message: "Name?",
        requestedSchema: SCHEMA,
        ...(mode === undefined ? {} : { mode }),
      };
      const request = elicitationToRequest(params, { server: "s", id: "i" });
      expect(request).toEqual({
        id: "i",
        kind: "input",
        prompt: "Name?",
        server: "s",
        data: { schema: SCHEMA },
      });
      expect(request.data?.schema).toBe(SCHEMA);
    }
  });

  it("is authorization with the URL and never a schema (C091, C103, C157)", () => {
    const params = {
      mode: "url",
      url: "https://x.example",
      message: "Go",
      requestedSchema: SCHEMA,
      elicitationId: "e",
    };
    expect(elicitationToRequest(params, { id: "i" })).toEqual({
      id: "i",
      kind: "authorization",
      prompt: "Go",
      server: "",
      url: "https://x.example",
    });
  });

  it.each<[Json | undefined, string]>([
    [undefined, ""],
    [null, ""],
    ["", ""],
    [5, "5"],
    [false, "false"],
    [{ a: [1] }, '{"a":[1]}'],
  ])("has a prompt for any message: %j (C092, C158)", (message, prompt) => {
    const params = message === undefined ? {} : { message };
    expect(elicitationToRequest(params).prompt).toBe(prompt);
  });

  it("has no key for what is not there (C093)", () => {
    expect(Object.keys(elicitationToRequest({})).sort()).toEqual([
      "id",
      "kind",
      "prompt",
      "server",
    ]);
    expect(elicitationToRequest({ mode: "url" })).not.toHaveProperty("url");
    expect(elicitationToRequest({ requestedSchema: "x" })).not.toHaveProperty("data");
  });

  it("is a request for any parameters", () => {
    fc.assert(
      fc.property(
        fc.record(
          { mode: fc.oneof(fc.constant("url"), anyJson()), url: anyJson(), message: anyJson() },
          { requiredKeys: [] },
        ),
        anyJson(),
        (known, requestedSchema) => {
          const request = elicitationToRequest({ ...known, requestedSchema });
          expect(request.kind).toBe(known.mode === "url" ? "authorization" : "input");
          expect(typeof request.prompt).toBe("string");
          if (request.kind === "authorization") expect(request).not.toHaveProperty("data");
          else expect(request).not.toHaveProperty("url");
        },
      ),
    );
  });

  it("has an id of its own each time, free of clocks (C094, C156)", () => {
    const ids = Array.from({ length: 10_000 }, () => elicitationToRequest({}).id);
    expect(new Set(ids).size).toBe(10_000);
    for (const id of ids) expect(id).toMatch(/^elc-\d+$/);
    expect(Number(ids.at(-1)?.slice(4)) - Number(ids[0]?.slice(4))).toBe(9999);
  });
});

describe("what is sent for an answer", () => {
  it.each<[Answer, JsonObject]>([
    [makeAnswer("i", true, { name: "Ada" }), { action: "accept", content: { name: "Ada" } }],
    [makeAnswer("i", true), { action: "accept", content: {} }],
    [{ id: "i", ok: false, reason: "declined" }, { action: "decline" }],
    [{ id: "i", ok: false, reason: "cancelled" }, { action: "cancel" }],
    [{ id: "i", ok: false, reason: "expired" }, { action: "cancel" }],
    [{ id: "i", ok: false, reason: "Declined" }, { action: "cancel" }],
    [makeAnswer("i", false), { action: "cancel" }],
    [{ id: "i", ok: false, data: { name: "x" }, reason: "declined" }, { action: "decline" }],
  ])("%j (C095, C096, C159)", (answer, result) => {
    expect(answerToElicitResult(answer)).toEqual(result);
  });

  it("is one of three actions, with content only on accept, for anything", () => {
    fc.assert(
      fc.property(fc.anything(), (answer) => {
        const result = answerToElicitResult(answer as Answer);
        expect(["accept", "decline", "cancel"]).toContain(result["action"]);
        expect("content" in result).toBe(result["action"] === "accept");
      }),
    );
  });

  it("has the defaults of the schema for what the answer leaves out (B09)", async () => {
    const requestedSchema = {
      type: "object",
      properties: {
        name: { type: "string", default: "Ada" },
        age: { type: "integer", default: 3 },
      },
    };
    const waitFor = ({ id }: Request): Answer => makeAnswer(id, true, { age: 4 });
    expect(await elicit(waitFor, { requestedSchema }, {})).toEqual({
      action: "accept",
      content: { name: "Ada", age: 4 },
    });
  });

  it("cancels for an answer that does not fit, and says what is wrong", async () => {
    const problems: string[] = [];
    const waitFor = ({ id }: Request): Answer => makeAnswer(id, true, { name: 5 });
    const options = { onMismatch: (problem: string): void => void problems.push(problem) };
    expect(await elicit(waitFor, { requestedSchema: SCHEMA }, options)).toEqual({
      action: "cancel",
    });
    expect(problems).toEqual(["name must be text"]);
  });

  it("carries no content for a URL", async () => {
    const waitFor = ({ id }: Request): Answer => makeAnswer(id, true, { password: "x" });
    const params = { mode: "url", url: "https://x.example" };
    expect(await elicit(waitFor, params, {})).toEqual({ action: "accept" });
  });
});

describe("the response to a server's request", () => {
  const accept = ({ id }: Request): Answer => makeAnswer(id, true, { name: "Ada" });

  it("answers inline, having asked once with what the server said (C160)", async () => {
    const asked: Request[] = [];
    const waitFor = (request: Request): Answer => {
      asked.push(request);
      return accept(request);
    };
    const params = { message: "Name?", requestedSchema: SCHEMA };
    const message = { jsonrpc: "2.0", id: "srv-1", method: "elicitation/create", params };
    expect(await serverRequestResponse(waitFor, message, { server: "s" })).toEqual({
      jsonrpc: "2.0",
      id: "srv-1",
      result: { action: "accept", content: { name: "Ada" } },
    });
    expect(asked).toMatchObject([{ kind: "input", prompt: "Name?", server: "s" }]);
  });

  it("is none exactly when there is no id or no method, for any message (C098)", async () => {
    const anyId = fc.oneof(fc.constantFrom<Json>(0, "", -1, 1.5), fc.string(), fc.integer());
    await fc.assert(
      fc.asyncProperty(anyId, anyText(), anyJsonObject(), async (id, method, rest) => {
        const { id: _id, method: _method, ...others } = rest;
        expect(await serverRequestResponse(accept, { ...others, id, method })).toMatchObject({
          id,
        });
        expect(await serverRequestResponse(accept, { ...others, method })).toBeNull();
        expect(await serverRequestResponse(accept, { ...others, id })).toBeNull();
        expect(await serverRequestResponse(accept, { ...others, id: null, method })).toBeNull();
      }),
    );
  });

  it("refuses every other method, and elicitation when nobody can be asked (C099, C163, C164)", async () => {
    const message = { id: 1, method: "sampling/createMessage" };
    const refusal = { jsonrpc: "2.0", id: 1, error: NOT_FOUND };
    expect(await serverRequestResponse(accept, message)).toEqual(refusal);
    const elicitation = { id: 1, method: "elicitation/create", params: {} };
    expect(await serverRequestResponse(undefined, elicitation)).toEqual(refusal);
  });

  it("says jsonrpc 2.0 though the request did not (C100)", async () => {
    expect(await serverRequestResponse(undefined, { id: 0, method: "ping" })).toEqual({
      jsonrpc: "2.0",
      id: 0,
      result: {},
    });
  });

  it.each<[string, () => Answer | Promise<Answer>]>([
    [
      "throws",
      () => {
        throw new Error("no");
      },
    ],
    ["rejects", () => Promise.reject(new Error("no"))],
    ["gives nothing", () => undefined as never],
  ])("cancels when the resolver %s (C097, C162)", async (_, waitFor) => {
    const message = { id: 1, method: "elicitation/create", params: {} };
    const response = await serverRequestResponse(waitFor, message);
    expect(response).toEqual({ jsonrpc: "2.0", id: 1, result: { action: "cancel" } });
  });

  it("cancels when its signal fires before the person answers, and leaves no listener", async () => {
    const controller = new AbortController();
    const { signal } = controller;
    const started = fact<AbortSignal>();
    const waitFor = (_: Request, options: { readonly signal: AbortSignal }): Promise<Answer> => {
      started.resolve(options.signal);
      return new Promise(() => undefined);
    };
    const message = { id: 1, method: "elicitation/create" };
    const response = serverRequestResponse(waitFor, message, { signal });
    await started.promise;
    controller.abort();
    expect(await response).toMatchObject({ result: { action: "cancel" } });
    expect((await started.promise).aborted).toBe(true);
    expect(getEventListeners(signal, "abort")).toEqual([]);
    expect(await serverRequestResponse(waitFor, message, { signal })).toMatchObject({
      result: { action: "cancel" },
    });
  });
});
