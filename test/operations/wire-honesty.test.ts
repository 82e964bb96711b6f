import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Json, JsonObject } from "../../src/json.ts";
import { makeAnswer } from "../../src/lifecycle/elicitation.ts";
import type { Connected } from "../../src/lifecycle/records.ts";
import { complete } from "../../src/operations/completion.ts";
import { listen } from "../../src/operations/listen.ts";
import { onListChanged } from "../../src/operations/list-changed.ts";
import { setLogLevel } from "../../src/operations/log-level.ts";
import { ping } from "../../src/operations/ping.ts";
import { getPrompt, listPrompts, listPromptsPage } from "../../src/operations/prompts.ts";
import { notify, notifyProgress, request, sendMessage } from "../../src/operations/request.ts";
import {
  listResources,
  listResourcesPage,
  listResourceTemplates,
  listResourceTemplatesPage,
  readResource,
  readTemplate,
} from "../../src/operations/resources.ts";
import { subscribeResource, unsubscribeResource } from "../../src/operations/subscribe-resource.ts";
import { callTool, listTools, listToolsPage, refresh } from "../../src/operations/tools.ts";
import { META } from "../../src/protocol/envelope.ts";
import { anyJson, anyJsonObject, anyText } from "../support/arbitraries.ts";
import { HAS_SCHEMAS, REVISIONS, schemaProblem } from "../support/wire-schema.ts";
import { connectedTo, peerOf, subscribed } from "./peer.ts";
import type { Peer, PeerScript } from "./peer.ts";

type Deed = (connection: Connected) => unknown;

/** An argument that is right, nearly right, or nothing like it. */
function nearly(right: fc.Arbitrary<unknown>, ...near: readonly unknown[]): fc.Arbitrary<never> {
  return fc.oneof(
    { arbitrary: right, weight: 14 },
    { arbitrary: near.length === 0 ? right : fc.constantFrom(...near), weight: 4 },
    anyJson(),
    fc.anything(),
  ) as fc.Arbitrary<never>;
}

/** Mostly the one, now and then the other. */
function mostly(right: fc.Arbitrary<unknown>, odd: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  return fc.oneof({ arbitrary: right, weight: 9 }, odd);
}

const anyMeta = (): fc.Arbitrary<unknown> =>
  fc.record(
    {
      progressToken: mostly(fc.oneof(fc.integer(), anyText()), anyJson()),
      [META.logLevel]: mostly(fc.constantFrom("debug", "error"), anyJson()),
      [META.protocolVersion]: anyJson(),
      [META.clientInfo]: anyJson(),
      [META.clientCapabilities]: fc.constantFrom<Json>({}, 7, {
        extensions: { "com.example/x": {} },
      }),
      "com.example/own": anyJson(),
    },
    { requiredKeys: [] },
  );

function anyOptions(): fc.Arbitrary<never> {
  return nearly(
    fc.record(
      {
        meta: mostly(anyMeta(), fc.anything()),
        timeoutMs: mostly(fc.constantFrom(5, 10), fc.constantFrom(-1, Number.NaN, "1")),
        onProgress: mostly(
          fc.constant(() => undefined),
          fc.constant(7),
        ),
        id: mostly(fc.oneof(anyText(), fc.integer()), fc.oneof(fc.double(), fc.constant(null))),
        relisten: mostly(fc.constantFrom(false, { maxAttempts: 1, baseMs: 0 }), fc.constant(1)),
        context: mostly(fc.record({ arguments: fc.dictionary(anyText(), anyText()) }), anyJson()),
      },
      { requiredKeys: [] },
    ),
  );
}

const uri = (): fc.Arbitrary<never> => nearly(fc.oneof(fc.webUrl(), anyText()));
const texts = (): fc.Arbitrary<never> =>
  nearly(fc.dictionary(anyText(), anyText()), { a: 1 }, { a: null }, { a: ["b"] });
const page = (): fc.Arbitrary<never> =>
  nearly(fc.record({ cursor: anyText() }, { requiredKeys: [] }), { cursor: 1 }, { cursor: null });
const token = (): fc.Arbitrary<never> =>
  nearly(fc.oneof(fc.integer(), anyText()), 1.5, Number.NaN, null);
const ownMethod = (): fc.Arbitrary<string> => anyText().map((name) => `com.example/${name}`);

/** One call of one operation, whatever its arguments. */
function anyDeed(): fc.Arbitrary<Deed> {
  const options = anyOptions();
  const of = <T extends readonly unknown[]>(
    args: { [I in keyof T]: fc.Arbitrary<T[I]> },
    run: (connection: Connected, ...args: T) => unknown,
  ): fc.Arbitrary<Deed> =>
    fc.tuple(...args).map((given) => (connection) => run(connection, ...(given as unknown as T)));
  return fc.oneof(
    of([nearly(anyText()), nearly(anyJsonObject()), options], callTool),
    of([options], listTools),
    of([options], refresh),
    of([page(), options], listToolsPage),
    of([options], listPrompts),
    of([page(), options], listPromptsPage),
    of([nearly(anyText()), texts(), options], getPrompt),
    of([options], listResources),
    of([page(), options], listResourcesPage),
    of([options], listResourceTemplates),
    of([page(), options], listResourceTemplatesPage),
    of([uri(), options], readResource),
    of([nearly(fc.constantFrom("a://{b}", "{?x*}", "{")), texts(), options], readTemplate),
    of([uri(), options], (connection, to: never, how: never) =>
      subscribeResource(connection, to, undefined, how),
    ),
    of([uri(), options], unsubscribeResource),
    of(
      [nearly(anyFilter(), { resourceSubscriptions: [1] }, { toolsListChanged: "yes" }), options],
      (connection, filter: never, how: never) => listen(connection, filter, {}, how),
    ),
    of(
      [nearly(fc.constantFrom("tools", "prompts")), options],
      (connection, kind: never, how: never) =>
        onListChanged(connection, kind, () => undefined, how),
    ),
    of(
      [
        nearly(anyReference(), { type: "ref/prompt" }, { type: "ref/resource", uri: 1 }),
        nearly(
          fc.record({ name: anyText(), value: anyText() }),
          { name: "a" },
          { name: "a", value: 1 },
        ),
        options,
      ],
      complete,
    ),
    of([options], ping),
    of([nearly(fc.constantFrom("debug", "emergency"), "loud", ""), options], setLogLevel),
    of(
      [
        token(),
        nearly(
          fc.record({
            progress: fc.double({ noNaN: true, noDefaultInfinity: true }),
            total: fc.integer(),
            message: anyText(),
          }),
          { progress: Number.NaN },
          { progress: Infinity },
          { progress: 1, total: "2" },
          { progress: 1, message: 2 },
        ),
        options,
      ],
      notifyProgress,
    ),
    of([ownMethod(), nearly(anyJsonObject()), options], request),
    of([ownMethod(), nearly(anyJsonObject()), options], notify),
    of([nearly(fc.record({ method: ownMethod(), params: anyJsonObject() })), options], sendMessage),
    of([token()], (connection, requestId: never) =>
      notify(connection, "notifications/cancelled", { requestId }),
    ),
  );
}

const anyFilter = (): fc.Arbitrary<unknown> =>
  fc.record(
    {
      toolsListChanged: fc.boolean(),
      resourceSubscriptions: fc.array(anyText(), { maxLength: 2 }),
      "com.example/own": anyJson(),
    },
    { requiredKeys: [] },
  );

const anyReference = (): fc.Arbitrary<unknown> =>
  fc.oneof(
    fc.record({ type: fc.constant("ref/prompt"), name: anyText(), extra: anyJson() }),
    fc.record({ type: fc.constant("ref/resource"), uri: anyText() }),
  );

const QUESTION: JsonObject = {
  ask: {
    method: "elicitation/create",
    params: {
      message: "?",
      requestedSchema: { type: "object", properties: { n: { type: "integer", default: 3 } } },
    },
  },
};

/** A server that answers, refuses, asks back, or says nothing at all. */
function moody(moods: { next: () => number }): PeerScript {
  const answer =
    (result: JsonObject): PeerScript[string] =>
    ({ id, params, send }) => {
      switch (moods.next()) {
        case 0:
          return undefined;
        case 1:
          return { error: { code: -32603, message: "no" } };
        case 2:
          send({
            jsonrpc: "2.0",
            id: "s",
            method: "elicitation/create",
            params: (QUESTION["ask"] as JsonObject)["params"] as Json,
          });
          return result;
        case 3:
          return params["inputResponses"] === undefined
            ? { resultType: "input_required", inputRequests: QUESTION, requestState: "s" }
            : result;
        default:
          send(
            subscribed(id, "notifications/subscriptions/acknowledged", {
              notifications: params["notifications"] ?? {},
            }),
          );
          return result;
      }
    };
  return {
    ping: answer({}),
    "tools/list": answer({ tools: [{ name: "t", inputSchema: { type: "object" } }] }),
    "tools/call": answer({ content: [] }),
    "prompts/list": answer({ prompts: [] }),
    "prompts/get": answer({ messages: [] }),
    "resources/list": answer({ resources: [] }),
    "resources/templates/list": answer({ resourceTemplates: [] }),
    "resources/read": answer({ contents: [] }),
    "resources/subscribe": answer({}),
    "resources/unsubscribe": answer({}),
    "completion/complete": answer({ completion: { values: [] } }),
    "logging/setLevel": answer({}),
    "subscriptions/listen": answer({}),
  };
}

describe.each(REVISIONS.map((version) => ({ version })))("a client of $version", ({ version }) => {
  it("sends nothing that the official schema refuses, for any operations with any arguments", async () => {
    const moods: { all: readonly number[]; at: number; next: () => number } = {
      all: [],
      at: 0,
      next: () => moods.all[moods.at++ % Math.max(1, moods.all.length)] ?? 4,
    };
    const peer: Peer = peerOf(moody(moods), { version });
    const connection = await connectedTo(
      peer,
      { waitFor: ({ id }) => makeAnswer(id, true, {}) },
      { callTimeoutMs: 20 },
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(anyDeed(), { minLength: 1, maxLength: 6 }),
        fc.array(fc.nat({ max: 5 })),
        async (deeds, all) => {
          moods.all = all;
          const mark = peer.sent.length;
          await Promise.all(deeds.map(async (deed) => deed(connection)));
          const problems = peer.sent.slice(mark).flatMap(({ problem }) => problem ?? []);
          expect(problems).toEqual([]);
        },
      ),
      { numRuns: 3 * (fc.readConfigureGlobal().numRuns ?? 100) },
    );
  });
});

describe.runIf(HAS_SCHEMAS)("the check itself", () => {
  it.each<[string, JsonObject]>([
    ["2025-11-25", { jsonrpc: "2.0", id: 1.5, method: "ping" }],
    ["2025-11-25", { jsonrpc: "2.0", id: 1, method: "tools/call", params: { arguments: {} } }],
    ["2025-11-25", { jsonrpc: "2.0", id: 1, method: "subscriptions/listen", params: {} }],
    ["2025-11-25", { id: 1, method: "ping" }],
    [
      "2024-11-05",
      { jsonrpc: "2.0", id: 1, method: "prompts/get", params: { name: "p", arguments: { a: 1 } } },
    ],
    ["2026-07-28", { jsonrpc: "2.0", id: 1, method: "tools/list", params: {} }],
    ["2026-07-28", { jsonrpc: "2.0", id: 1, method: "ping" }],
    [
      "2026-07-28",
      {
        jsonrpc: "2.0",
        method: "notifications/progress",
        params: { progressToken: 1, progress: 1 },
      },
    ],
    ["2026-07-28", { jsonrpc: "2.0", id: null, method: "com.example/x" }],
    ["2025-06-18", { jsonrpc: "2.0", id: 1, result: 7 }],
  ])("refuses, in %s: %j", (revision, message) => {
    expect(schemaProblem(revision, message)).not.toBeNull();
  });

  it.each<[string, JsonObject]>([
    ["2024-11-05", { jsonrpc: "2.0", id: "a", method: "ping" }],
    ["2025-11-25", { jsonrpc: "2.0", id: 1, method: "com.example/x", params: { a: 1 } }],
    ["2025-11-25", { jsonrpc: "2.0", id: 1, error: { code: -32601, message: "no" } }],
  ])("lets pass, in %s: %j", (revision, message) => {
    expect(schemaProblem(revision, message)).toBeNull();
  });
});
