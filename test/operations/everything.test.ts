import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { complete } from "../../src/operations/completion.ts";
import { setLogLevel } from "../../src/operations/log-level.ts";
import { onLog } from "../../src/operations/notifications.ts";
import { ping } from "../../src/operations/ping.ts";
import { getPrompt, listPrompts } from "../../src/operations/prompts.ts";
import { request } from "../../src/operations/request.ts";
import {
  isResourceNotFound,
  listResources,
  listResourceTemplates,
  readResource,
  readTemplate,
} from "../../src/operations/resources.ts";
import { subscribeResource, unsubscribeResource } from "../../src/operations/subscribe-resource.ts";
import { callTool, listTools } from "../../src/operations/tools.ts";
import { onListChanged } from "../../src/operations/list-changed.ts";
import { listen } from "../../src/operations/listen.ts";
import { failureOf, valueOf } from "../support/results.ts";
import { fact, until } from "../support/until.ts";
import { WAYS, connectFor, startEverything } from "./servers.ts";
import type { RunningServer } from "./servers.ts";

const TEXT = "demo://resource/dynamic/text/1";

describe.each(WAYS)("the official everything server over %s", (way) => {
  let server: RunningServer;
  beforeAll(async () => {
    server = await startEverything(way);
  });
  afterAll(() => server.stop());

  it("answers a ping and any request", async () => {
    const connection = await connectFor(server);
    expect(connection.era).toBe("legacy");
    expect(valueOf(await ping(connection)).rttMs).toBeGreaterThan(0);
    expect(valueOf(await request(connection, "ping", undefined, { id: "own" }))).toEqual({});
    expect(failureOf(await request(connection, "com.example/none"))).toMatchObject({
      code: -32601,
    });
  });

  it("lists and calls its tools", async () => {
    const connection = await connectFor(server);
    const { tools } = valueOf(await listTools(connection));
    expect(tools.map(({ remoteName }) => remoteName)).toContain("get-sum");
    const sum = valueOf(await callTool(connection, "get-sum", { a: 2, b: 3 }));
    expect(sum["content"]).toEqual([{ type: "text", text: "The sum of 2 and 3 is 5." }]);
    const weather = await callTool(connection, "get-structured-content", { location: "Chicago" });
    expect(valueOf(weather)["structuredContent"]).toMatchObject({
      conditions: expect.any(String) as string,
    });
  });

  it("fills in its prompts", async () => {
    const connection = await connectFor(server);
    const { prompts } = valueOf(await listPrompts(connection));
    expect(prompts.map(({ name }) => name)).toContain("args-prompt");
    const prompt = await getPrompt(connection, "args-prompt", { city: "Oslo" });
    expect(JSON.stringify(valueOf(prompt)["messages"])).toContain("Oslo");
    expect(failureOf(await getPrompt(connection, "args-prompt"))).toMatchObject({ code: -32602 });
  });

  it("completes arguments of prompts, in the context of others, and of templates", async () => {
    const connection = await connectFor(server);
    const reference = { type: "ref/prompt", name: "completable-prompt" } as const;
    const departments = await complete(connection, reference, { name: "department", value: "E" });
    expect(valueOf(departments).values).toContain("Engineering");
    const context = { arguments: { department: "Engineering" } };
    const people = await complete(connection, reference, { name: "name", value: "" }, { context });
    expect(valueOf(people).values.length).toBeGreaterThan(0);
    const template = {
      type: "ref/resource",
      uri: "demo://resource/dynamic/text/{resourceId}",
    } as const;
    const resourceIds = await complete(connection, template, { name: "resourceId", value: "7" });
    expect(valueOf(resourceIds).values).toEqual(["7"]);
  });

  it("is read, by URI and by template", async () => {
    const connection = await connectFor(server);
    expect(valueOf(await listResources(connection)).resources.length).toBeGreaterThan(0);
    const { resourceTemplates } = valueOf(await listResourceTemplates(connection));
    expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toContain(
      "demo://resource/dynamic/text/{resourceId}",
    );
    expect(valueOf(await readResource(connection, TEXT)).contents[0]).toMatchObject({ uri: TEXT });
    const blob = await readTemplate(connection, "demo://resource/dynamic/blob/{id}", { id: 2 });
    expect(valueOf(blob).contents[0]).toMatchObject({ blob: expect.any(String) as string });
    const none = failureOf(await readResource(connection, "demo://no/such/thing"));
    expect(isResourceNotFound(none)).toBe(true);
  });

  it("logs to whoever set a level", async () => {
    const connection = await connectFor(server);
    const logged = fact<string>();
    onLog(connection, ({ level }) => logged.resolve(level));
    valueOf(await setLogLevel(connection, "debug"));
    valueOf(await subscribeResource(connection, TEXT));
    expect(await logged.promise).toBe("info");
  });

  it("tells of updates to those who subscribed", async () => {
    const connection = await connectFor(server);
    const heard: string[] = [];
    const made = valueOf(await subscribeResource(connection, TEXT, (uri) => heard.push(uri)));
    valueOf(await callTool(connection, "toggle-subscriber-updates"));
    await until("an update came", () => heard.length > 0);
    expect(heard[0]).toBe(TEXT);
    valueOf(await made.unsubscribe());
    valueOf(await unsubscribeResource(connection, TEXT));
    valueOf(await callTool(connection, "toggle-subscriber-updates"));
  });

  it("announces no change that is none, and has nothing of the newer era", async () => {
    const connection = await connectFor(server);
    const subscription = valueOf(await onListChanged(connection, "prompts", () => expect.fail()));
    await subscription.unsubscribe();
    expect(failureOf(await listen(connection, { toolsListChanged: true })).tag).toBe("unsupported");
  });

  it("tells all progress of 40 calls, in order, each to its own", async () => {
    const connection = await connectFor(server);
    const args = { duration: 0.1, steps: 10 };
    const all = await Promise.all(
      Array.from({ length: 40 }, async () => {
        const seen: number[] = [];
        await callTool(connection, "trigger-long-running-operation", args, {
          onProgress: ({ progress }) => seen.push(progress),
        });
        return [...seen];
      }),
    );
    expect(all).toEqual(all.map(() => [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]));
  });
});
