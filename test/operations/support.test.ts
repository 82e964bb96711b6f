import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { lackOf, unsupported } from "../../src/operations/support.ts";
import { getPrompt, listPrompts, listPromptsPage } from "../../src/operations/prompts.ts";
import {
  listResources,
  listResourceTemplates,
  readResource,
  readTemplate,
} from "../../src/operations/resources.ts";
import { complete } from "../../src/operations/completion.ts";
import { subscribeResource, unsubscribeResource } from "../../src/operations/subscribe-resource.ts";
import { setLogLevel } from "../../src/operations/log-level.ts";
import { onListChanged } from "../../src/operations/list-changed.ts";
import { listen } from "../../src/operations/listen.ts";
import { request, notify, notifyProgress } from "../../src/operations/request.ts";
import type { Connected } from "../../src/lifecycle/records.ts";
import type { Result } from "../../src/failure.ts";
import { anyName } from "../support/arbitraries.ts";
import { failureOf } from "../support/results.ts";
import { ERAS, connectedTo, peerOf } from "./peer.ts";

const legacy = { era: "legacy", protocolVersion: "2025-11-25" } as const;
const modern = { era: "modern", protocolVersion: "2026-07-28" } as const;

describe("the table of what a session has", () => {
  it.each([
    ["prompts/list", { ...legacy, capabilities: { tools: {} } }, "what it has: tools"],
    [
      "prompts/get",
      { ...modern, capabilities: { tools: {}, logging: {} } },
      "what it has: logging, tools",
    ],
    ["resources/read", { ...legacy, capabilities: {} }, "tools, if it has any"],
    [
      "resources/subscribe",
      { ...legacy, capabilities: { resources: {} } },
      "subscribeResource where the server offers it, else readResource again",
    ],
    [
      "resources/subscribe",
      { ...modern, capabilities: { resources: { subscribe: true } } },
      "subscribeResource where the server offers it, else readResource again",
    ],
    ["logging/setLevel", { ...legacy, capabilities: {} }, "setLogLevel"],
    ["logging/setLevel", { ...modern, capabilities: { logging: {} } }, "setLogLevel"],
    ["ping", { ...modern, capabilities: {} }, "the function ping, which asks server/discover"],
    [
      "server/discover",
      { ...legacy, capabilities: {} },
      "ping, or what the connection says of the server",
    ],
    ["subscriptions/listen", { ...legacy, capabilities: {} }, "subscribeResource, onListChanged"],
    ["initialize", { ...legacy, capabilities: {} }, "connect"],
    ["initialize", { ...modern, capabilities: {} }, "connect"],
    [
      "notifications/progress",
      { ...modern, capabilities: {} },
      "nothing: the server waits for no progress",
    ],
    [
      "completion/complete",
      { ...legacy, protocolVersion: "2025-03-26", capabilities: {} },
      "tools, if it has any",
    ],
  ])("refuses %s and says what to use instead", (method, agreed, use) => {
    expect(unsupported(agreed, method)).toMatchObject({
      tag: "unsupported",
      use,
      maybeExecuted: false,
    });
  });

  it.each([
    ["prompts/list", { ...legacy, capabilities: { prompts: {} } }],
    ["resources/subscribe", { ...legacy, capabilities: { resources: { subscribe: true } } }],
    ["completion/complete", { ...legacy, protocolVersion: "2024-11-05", capabilities: {} }],
    ["tools/call", { ...modern, capabilities: {} }],
    ["ping", { ...legacy, capabilities: {} }],
    ["server/discover", { ...modern, capabilities: {} }],
    ["subscriptions/listen", { ...modern, capabilities: {} }],
  ])("lets %s pass where the session has it", (method, agreed) => {
    expect(unsupported(agreed, method)).toBeNull();
  });

  it("lets every method pass that no revision knows, for any name", () => {
    fc.assert(
      fc.property(anyName(), fc.constantFrom(legacy, modern), (name, agreed) => {
        expect(unsupported({ ...agreed, capabilities: {} }, `com.example/${name}`)).toBeNull();
      }),
    );
  });

  it("takes a capability for there only as an object or true", () => {
    const agreed = {
      ...legacy,
      capabilities: { prompts: false, resources: { subscribe: 1 }, logging: {} },
    };
    expect(lackOf(agreed, ["prompts"])).not.toBeNull();
    expect(lackOf(agreed, ["resources", "subscribe"])).not.toBeNull();
    expect(lackOf(agreed, ["logging"])).toBeNull();
  });
});

type Ask = (connection: Connected) => Promise<Result<unknown>>;

const WITHOUT: readonly (readonly [string, Ask])[] = [
  ["listPrompts", (connection) => listPrompts(connection)],
  ["listPromptsPage", (connection) => listPromptsPage(connection)],
  ["getPrompt", (connection) => getPrompt(connection, "p")],
  ["listResources", (connection) => listResources(connection)],
  ["listResourceTemplates", (connection) => listResourceTemplates(connection)],
  ["readResource", (connection) => readResource(connection, "a://b")],
  ["readTemplate", (connection) => readTemplate(connection, "a://{b}", { b: "c" })],
  [
    "complete",
    (connection) =>
      complete(connection, { type: "ref/prompt", name: "p" }, { name: "a", value: "" }),
  ],
  ["subscribeResource", (connection) => subscribeResource(connection, "a://b")],
  ["setLogLevel", (connection) => setLogLevel(connection, "info")],
  ["onListChanged", (connection) => onListChanged(connection, "tools", () => undefined)],
];

describe.each(ERAS)("a server of the $era era that has nothing but tools", ({ version }) => {
  it.each(WITHOUT)("is not asked by %s: unsupported, with what to use instead", async (_, ask) => {
    const peer = peerOf({}, { version, capabilities: { tools: {} } });
    const connection = await connectedTo(peer);
    const failure = failureOf(await ask(connection));
    expect(failure).toMatchObject({ tag: "unsupported", use: expect.any(String) as string });
    expect(peer.wire()).toEqual([]);
  });
});

it("does not ask an older server for what only the newer era has", async () => {
  const peer = peerOf({}, { capabilities: { resources: {} } });
  const connection = await connectedTo(peer);
  for (const asked of [
    listen(connection, { toolsListChanged: true }),
    subscribeResource(connection, "a://b"),
    unsubscribeResource(connection, "a://b"),
    request(connection, "server/discover"),
    request(connection, "initialize"),
  ]) {
    expect(failureOf(await asked).tag).toBe("unsupported");
  }
  expect(peer.wire()).toEqual([]);
});

it("does not ask a newer server for what only the older era has", async () => {
  const peer = peerOf({}, { version: "2026-07-28" });
  const connection = await connectedTo(peer);
  for (const asked of [
    request(connection, "ping"),
    request(connection, "logging/setLevel", { level: "info" }),
    request(connection, "resources/subscribe", { uri: "a://b" }),
    notify(connection, "notifications/initialized"),
    notify(connection, "notifications/roots/list_changed"),
    notifyProgress(connection, 1, { progress: 1 }),
  ]) {
    expect(failureOf(await asked).tag).toBe("unsupported");
  }
  expect(peer.wire()).toEqual([]);
});

it("lets a server of 2024-11-05 complete without saying so", async () => {
  const peer = peerOf(
    { "completion/complete": () => ({ completion: { values: ["x"] } }) },
    { version: "2024-11-05", capabilities: {} },
  );
  const connection = await connectedTo(peer);
  const reference = { type: "ref/prompt", name: "p" } as const;
  const found = await complete(connection, reference, { name: "a", value: "" });
  expect(found).toEqual({ ok: true, value: { values: ["x"], isOverLimit: false } });
});
