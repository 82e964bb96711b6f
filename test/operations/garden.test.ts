import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { makeAnswer } from "../../src/lifecycle/elicitation.ts";
import type { Connected } from "../../src/lifecycle/records.ts";
import { complete } from "../../src/operations/completion.ts";
import { onListChanged } from "../../src/operations/list-changed.ts";
import { listen } from "../../src/operations/listen.ts";
import { setLogLevel } from "../../src/operations/log-level.ts";
import { onLog, onNotification } from "../../src/operations/notifications.ts";
import { ping } from "../../src/operations/ping.ts";
import { getPrompt, listPrompts, listPromptsPage } from "../../src/operations/prompts.ts";
import { notify, request } from "../../src/operations/request.ts";
import {
  isResourceNotFound,
  listResources,
  listResourcesPage,
  listResourceTemplates,
  listResourceTemplatesPage,
  readResource,
  readTemplate,
} from "../../src/operations/resources.ts";
import { resumeSession } from "../../src/operations/resume-session.ts";
import { saveSession } from "../../src/operations/saved-session.ts";
import { subscribeResource, unsubscribeResource } from "../../src/operations/subscribe-resource.ts";
import { callTool, listTools, listToolsPage, refresh } from "../../src/operations/tools.ts";
import { disconnect } from "../../src/lifecycle/disconnect.ts";
import { connected, failureOf, valueOf } from "../support/results.ts";
import { fact, until } from "../support/until.ts";
import { WAYS, connectFor, startGarden } from "./servers.ts";
import type { RunningServer } from "./servers.ts";

const CASES = WAYS.flatMap((way) => (["legacy", "modern"] as const).map((era) => ({ way, era })));

const textOf = (result: unknown): string =>
  (result as { readonly content: readonly { readonly text: string }[] }).content[0]?.text ?? "";

describe.each(CASES)("the garden over $way in the $era era", ({ way, era }) => {
  let server: RunningServer;
  beforeAll(async () => {
    server = await startGarden(way);
  });
  afterAll(() => server.stop());
  const garden = (options: Parameters<typeof connectFor>[1] = {}): Promise<Connected> =>
    connectFor(server, { era, ...options });

  it("is spoken to in its era", async () => {
    const connection = await garden();
    expect(connection.era).toBe(era);
    expect(connection.protocolVersion).toBe(era === "legacy" ? "2025-11-25" : "2026-07-28");
    expect(textOf(valueOf(await callTool(connection, "which-era")))).toBe(era);
    expect(valueOf(await ping(connection)).rttMs).toBeGreaterThan(0);
  });

  it("has its tools called: texts, structure, errors", async () => {
    const connection = await garden();
    expect(textOf(valueOf(await callTool(connection, "say", { text: "hé 🧪" })))).toBe("hé 🧪");
    const area = valueOf(await callTool(connection, "area", { width: 2, length: 3.5 }));
    expect(area["structuredContent"]).toEqual({ area: 7 });
    expect(valueOf(await callTool(connection, "wilt"))).toMatchObject({ isError: true });
    const unknown = await callTool(connection, "no-such-tool");
    expect(unknown.ok ? unknown.value["isError"] : unknown.failure.tag).toBe(
      unknown.ok ? true : "rpc-error",
    );
  });

  it("asks while a tool runs, and gets the answer with the defaults filled in", async () => {
    const connection = await garden({ waitFor: ({ id }) => makeAnswer(id, true, { sure: true }) });
    const said = textOf(valueOf(await callTool(connection, "uproot")));
    expect(said).toMatch(/^accept /);
    expect(JSON.parse(said.slice("accept ".length))).toEqual({ sure: true, litres: 3 });
  });

  it("lists its tools, prompts, resources and templates, whole and page by page", async () => {
    const connection = await garden();
    const tools = valueOf(await listTools(connection)).tools.map(({ remoteName }) => remoteName);
    expect(tools).toContain("dig");
    const page = valueOf(await listToolsPage(connection));
    expect((page["tools"] as readonly { name: string }[]).map(({ name }) => name)).toEqual(tools);
    const prompts = valueOf(await listPrompts(connection));
    expect(prompts.prompts.map(({ name }) => name)).toEqual(["describe"]);
    const resources = valueOf(await listResources(connection));
    expect(resources.resources.map(({ uri }) => uri)).toEqual(["garden://bed/1", "garden://photo"]);
    const templates = valueOf(await listResourceTemplates(connection));
    expect(templates.resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toEqual([
      "garden://plant/{plant}",
    ]);
    for (const list of [prompts, resources, templates]) {
      expect(list.cache === undefined).toBe(era === "legacy");
    }
    expect(valueOf(await listPromptsPage(connection))["prompts"]).toEqual(prompts.prompts);
    expect(valueOf(await listResourcesPage(connection))["resources"]).toEqual(resources.resources);
    expect(valueOf(await listResourceTemplatesPage(connection))["resourceTemplates"]).toEqual(
      templates.resourceTemplates,
    );
  });

  it("is read: texts, bytes, templates, and what is not there", async () => {
    const connection = await garden();
    const bed = valueOf(await readResource(connection, "garden://bed/1"));
    expect(bed.contents[0]?.["text"]).toMatch(/^watered \d+$/);
    const photo = valueOf(await readResource(connection, "garden://photo"));
    expect(photo.contents[0]).toMatchObject({ mimeType: "image/png", blob: "iVBORw0KGgo=" });
    const plant = valueOf(
      await readTemplate(connection, "garden://plant/{plant}", { plant: "mint" }),
    );
    expect(plant.contents[0]?.["text"]).toBe("a mint");
    expect(isResourceNotFound(failureOf(await readResource(connection, "garden://none")))).toBe(
      true,
    );
  });

  it("fills in prompts and completes their arguments", async () => {
    const connection = await garden();
    const prompt = valueOf(await getPrompt(connection, "describe", { plant: "bay" }));
    expect(prompt["messages"]).toEqual([
      { role: "user", content: { type: "text", text: "Describe bay." } },
    ]);
    const argument = { name: "plant", value: "b" };
    const ofPrompt = await complete(connection, { type: "ref/prompt", name: "describe" }, argument);
    expect(valueOf(ofPrompt).values).toEqual(["basil", "bay"]);
    const reference = { type: "ref/resource", uri: "garden://plant/{plant}" } as const;
    expect(valueOf(await complete(connection, reference, argument)).values).toEqual([
      "basil",
      "bay",
    ]);
    expect(failureOf(await getPrompt(connection, "none")).tag).toBe("rpc-error");
  });

  it("logs what was asked for, each line before the result", async () => {
    const connection = await garden();
    const heard: unknown[] = [];
    onLog(connection, ({ level, logger, data }) => heard.push([level, logger, data]));
    valueOf(await setLogLevel(connection, "info"));
    valueOf(await callTool(connection, "dig", { spades: 2 }));
    expect(heard).toEqual([
      ["info", "spade", 1],
      ["info", "spade", 2],
    ]);
    valueOf(await setLogLevel(connection, "error"));
    valueOf(await callTool(connection, "dig", { spades: 2 }));
    expect(heard).toHaveLength(2);
  });

  it("tells all progress of 40 calls at once, in order, each to its own", async () => {
    const connection = await garden();
    const spades = 25;
    const all = await Promise.all(
      Array.from({ length: 40 }, async () => {
        const seen: number[] = [];
        const onProgress = ({ progress }: { readonly progress: number }): unknown =>
          seen.push(progress);
        const called = await callTool(connection, "dig", { spades }, { onProgress });
        return { text: textOf(valueOf(called)), atTheResult: [...seen] };
      }),
    );
    const expected = {
      text: "25 spades deep",
      atTheResult: Array.from({ length: spades }, (_, at) => at + 1),
    };
    expect(all).toEqual(all.map(() => expected));
  });

  it("tells all progress of 40 calls one after another", async () => {
    const connection = await garden();
    for (let call = 0; call < 40; call++) {
      const seen: number[] = [];
      await callTool(
        connection,
        "dig",
        { spades: 5 },
        { onProgress: ({ progress }) => seen.push(progress) },
      );
      expect(seen).toEqual([1, 2, 3, 4, 5]);
    }
  });

  it("stops when a call is given up, by its signal and by its id", async () => {
    const connection = await garden();
    const over = new AbortController();
    const first = callTool(connection, "dawdle", {}, { signal: over.signal });
    const params = { name: "dawdle", arguments: {} };
    const second = request(connection, "tools/call", params, { id: "mine" });
    const unaffected = callTool(connection, "say", { text: "x" });
    over.abort();
    expect(failureOf(await first)).toMatchObject({ tag: "cancelled" });
    valueOf(await notify(connection, "notifications/cancelled", { requestId: "mine" }));
    expect(failureOf(await second)).toMatchObject({ tag: "cancelled", maybeExecuted: true });
    expect((await unaffected).ok).toBe(true);
    const late = failureOf(await callTool(connection, "dawdle", {}, { timeoutMs: 50 }));
    expect(late).toMatchObject({ tag: "timeout", timeoutMs: 50, maybeExecuted: true });
  });

  it("tells of updates to whoever subscribed, and to nobody any more afterwards", async () => {
    const connection = await garden();
    const heard: string[] = [];
    const one = valueOf(
      await subscribeResource(connection, "garden://bed/1", (uri) => heard.push(`1 ${uri}`)),
    );
    const two = valueOf(
      await subscribeResource(connection, "garden://bed/1", (uri) => heard.push(`2 ${uri}`)),
    );
    valueOf(await callTool(connection, "water"));
    await until("both heard", () => heard.length === 2);
    expect(heard.sort()).toEqual(["1 garden://bed/1", "2 garden://bed/1"]);
    valueOf(await one.unsubscribe());
    valueOf(await callTool(connection, "water"));
    await until("one heard", () => heard.length === 3);
    expect(heard.at(-1)).toBe("2 garden://bed/1");
    valueOf(await two.unsubscribe());
    valueOf(await unsubscribeResource(connection, "garden://bed/1"));
    valueOf(await callTool(connection, "water"));
    valueOf(await ping(connection));
    expect(heard).toHaveLength(3);
  });

  it("tells when its tools change, and they are there after refresh", async () => {
    const connection = await garden();
    const changed = fact<string>();
    const subscription = valueOf(await onListChanged(connection, "tools", changed.resolve));
    valueOf(await callTool(connection, "build"));
    expect(await changed.promise).toBe("tools");
    const fresh = valueOf(await refresh(connection));
    const shed = fresh.tools.find(({ remoteName }) => remoteName === "open-shed");
    expect((await shed?.execute())?.output).toBe("open");
    await subscription.unsubscribe();
    valueOf(await callTool(connection, "build"));
  });
});

describe.each(WAYS)("listening to the garden over %s", (way) => {
  let server: RunningServer;
  beforeAll(async () => {
    server = await startGarden(way);
  });
  afterAll(() => server.stop());

  it("tells several subscriptions apart and ends each by itself", async () => {
    const connection = await connectFor(server, { era: "modern" });
    const heard: string[] = [];
    const [lists, beds] = await Promise.all([
      listen(connection, { toolsListChanged: true }, { onListChanged: (kind) => heard.push(kind) }),
      listen(
        connection,
        { resourceSubscriptions: ["garden://bed/1"] },
        { onResourceUpdated: (uri) => heard.push(uri) },
      ),
    ]);
    expect(valueOf(lists).granted).toEqual({ toolsListChanged: true });
    expect(valueOf(beds).granted).toEqual({ resourceSubscriptions: ["garden://bed/1"] });
    valueOf(await callTool(connection, "water"));
    await until("the bed was heard", () => heard.length === 1);
    valueOf(await callTool(connection, "build"));
    await until("the list was heard", () => heard.length === 2);
    expect(heard).toEqual(["garden://bed/1", "tools"]);
    await valueOf(beds).stop();
    expect(await valueOf(beds).done).toEqual({ ok: true, value: { by: "client" } });
    valueOf(await callTool(connection, "water"));
    valueOf(await callTool(connection, "build"));
    await until("the list was heard again", () => heard.length === 3);
    expect(heard.at(-1)).toBe("tools");
    await disconnect(connection);
    expect(await valueOf(lists).done).toEqual({ ok: true, value: { by: "client" } });
  });
});

describe("the garden's sessions over HTTP", () => {
  let server: RunningServer;
  beforeAll(async () => {
    server = await startGarden("http");
  });
  afterAll(() => server.stop());

  it("are resumed without a handshake", async () => {
    const first = await connectFor(server, { era: "legacy" });
    const saved = valueOf(saveSession(first));
    const { url = "" } = server;
    const again = connected(
      await resumeSession({ name: "real", url } as never, saved, { ownsSession: false }),
    );
    expect(again.sessionId).toBe(first.sessionId);
    expect((await callTool(again, "say", { text: "again" })).ok).toBe(true);
    await disconnect(again);
    expect((await callTool(first, "say", { text: "still" })).ok).toBe(true);
  });

  it("are renewed when the server forgets them, with everything that was subscribed", async () => {
    const connection = await connectFor(server, { era: "legacy" });
    const before = connection.sessionId;
    const heard: string[] = [];
    valueOf(await subscribeResource(connection, "garden://bed/1", (uri) => heard.push(uri)));
    const logs: unknown[] = [];
    onNotification(connection, "notifications/message", (message) => logs.push(message));
    valueOf(await setLogLevel(connection, "info"));
    await fetch(new URL("/forget", server.url), { method: "POST" });
    valueOf(await callTool(connection, "dig", { spades: 1 }));
    expect(connection.sessionId).not.toBe(before);
    expect(logs).toHaveLength(1);
    const missed = heard.length;
    expect(missed).toBe(1);
    valueOf(await callTool(connection, "water"));
    await until("the update was heard", () => heard.length > missed);
  });
});
