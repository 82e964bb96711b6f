import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { onLog, onNotification } from "../../src/operations/notifications.ts";
import type { Subscription } from "../../src/operations/notifications.ts";
import type { JsonObject } from "../../src/json.ts";
import { fact, until } from "../support/until.ts";
import { anyText } from "../support/arbitraries.ts";
import { ERAS, connectedTo, peerOf } from "./peer.ts";

/** One method is crowded, so that handlers meet. */
const METHODS = ["notifications/a", "notifications/a", "notifications/a", "notifications/A"];

/** What a handler does when it is called, beside counting. */
type Manner = "plain" | "throws" | "rejects" | "ends itself" | "ends the next" | "adds one";

type Command =
  | { readonly kind: "add"; readonly method: string; readonly manner: Manner }
  | { readonly kind: "remove"; readonly which: number }
  | { readonly kind: "dispatch"; readonly method: string };

const anyCommand = (): fc.Arbitrary<Command> =>
  fc.oneof(
    fc.record({
      kind: fc.constant("add" as const),
      method: fc.constantFrom(...METHODS),
      manner: fc.constantFrom<Manner>(
        "plain",
        "throws",
        "rejects",
        "ends itself",
        "ends the next",
        "ends the next",
        "adds one",
      ),
    }),
    fc.record({ kind: fc.constant("remove" as const), which: fc.nat({ max: 20 }) }),
    fc.record({ kind: fc.constant("dispatch" as const), method: fc.constantFrom(...METHODS) }),
  );

interface Registered {
  readonly method: string;
  readonly manner: Manner;
  calls: number;
  /** What the model says. */
  expected: number;
  isLive: boolean;
  subscription?: Subscription;
}

describe("handlers of notifications", () => {
  it("are each called once for each message while they live, for any sequence of adding, ending and sending", async () => {
    const peer = peerOf({});
    const connection = await connectedTo(peer);
    await fc.assert(
      fc.asyncProperty(fc.array(anyCommand(), { maxLength: 30, size: "max" }), async (commands) => {
        const all: Registered[] = [];
        const end = (one: Registered | undefined): void => void one?.subscription?.unsubscribe();
        const next = (one: Registered): Registered | undefined =>
          all
            .slice(all.indexOf(one) + 1)
            .find(({ method, isLive }) => isLive && method === one.method);
        const add = (method: string, manner: Manner): void => {
          const one: Registered = { method, manner, calls: 0, expected: 0, isLive: true };
          all.push(one);
          one.subscription = onNotification(connection, method, () => {
            one.calls++;
            if (manner === "throws") JSON.parse("{");
            if (manner === "rejects") return Promise.reject(new Error("on purpose"));
            if (manner === "ends itself") end(one);
            if (manner === "ends the next") end(nextLive.get(one));
            if (manner === "adds one" && all.length < 40) add(method, "plain");
            return undefined;
          });
        };
        const nextLive = new Map<Registered, Registered | undefined>();
        for (const command of commands) {
          if (command.kind === "add") add(command.method, command.manner);
          else if (command.kind === "remove") {
            const one = all[command.which];
            end(one);
            if (one !== undefined) one.isLive = false;
          } else {
            const before = all.filter(({ isLive, method }) => isLive && method === command.method);
            for (const one of before) nextLive.set(one, next(one));
            for (const one of before) {
              if (!one.isLive) continue;
              one.expected++;
              if (one.manner === "ends itself") one.isLive = false;
              const victim = nextLive.get(one);
              if (one.manner === "ends the next" && victim !== undefined) victim.isLive = false;
            }
            peer.send({ jsonrpc: "2.0", method: command.method });
          }
        }
        expect(all.map(({ calls }) => calls)).toEqual(all.map(({ expected }) => expected));
        await Promise.all(all.map(async ({ subscription }) => subscription?.unsubscribe()));
      }),
    );
    expect(connection.notes.filter(({ code }) => code === "handler-threw").length).toBeGreaterThan(
      0,
    );
  });

  it("hear nothing more once they are ended, and ending waits for what they are doing", async () => {
    const peer = peerOf({});
    const connection = await connectedTo(peer);
    const release = fact<undefined>();
    let calls = 0;
    const subscription = onNotification(connection, "notifications/a", async () => {
      calls++;
      await release.promise;
    });
    peer.send({ jsonrpc: "2.0", method: "notifications/a" });
    let isEnded = false;
    const ending = subscription.unsubscribe().then(() => {
      isEnded = true;
    });
    peer.send({ jsonrpc: "2.0", method: "notifications/a" });
    await new Promise(setImmediate);
    expect({ isEnded, calls }).toEqual({ isEnded: false, calls: 1 });
    release.resolve(undefined);
    await ending;
    await subscription.unsubscribe();
  });

  it("may end themselves from inside, also after a wait", async () => {
    const peer = peerOf({});
    const connection = await connectedTo(peer);
    const ended = fact<string>();
    const subscription: Subscription = onNotification(connection, "notifications/a", async () => {
      await Promise.resolve();
      await subscription.unsubscribe();
      ended.resolve("ended");
    });
    peer.send({ jsonrpc: "2.0", method: "notifications/a" });
    expect(await ended.promise).toBe("ended");
  });

  it("are ended at the end of their block", async () => {
    const peer = peerOf({});
    const connection = await connectedTo(peer);
    let calls = 0;
    const subscription = onNotification(connection, "notifications/a", () => calls++);
    await subscription[Symbol.asyncDispose]();
    peer.send({ jsonrpc: "2.0", method: "notifications/a" });
    expect(calls).toBe(0);
  });

  it.each([
    ["no connection", {}, "notifications/a", (): void => undefined],
    ["a blank method", null, " ", (): void => undefined],
    ["no function", null, "notifications/a", 7],
  ])("are none with %s, and say so", async (_, given, method, handler) => {
    const connection = given ?? (await connectedTo(peerOf({})));
    const subscription = onNotification(connection as never, method, handler as never);
    expect(subscription.failure?.tag).toBe("invalid-argument");
    await subscription.unsubscribe();
  });
});

describe("the notifications of the protocol", () => {
  it.each([
    "notifications/message",
    "notifications/tools/list_changed",
    "notifications/prompts/list_changed",
    "notifications/resources/list_changed",
    "notifications/resources/updated",
    "notifications/progress",
    "notifications/cancelled",
    "notifications/tasks/status",
    "com.example/own",
  ])("reach their handlers once and nobody else's: %s", async (method) => {
    const peer = peerOf({});
    const connection = await connectedTo(peer);
    const seen: JsonObject[] = [];
    onNotification(connection, method, (message) => seen.push(message));
    onNotification(connection, `${method}/other`, (message) => seen.push(message));
    const message = { jsonrpc: "2.0", method, params: { a: [1] } };
    peer.send(message);
    peer.send({ jsonrpc: "2.0", method: "notifications/unknown" });
    expect(seen).toEqual([message]);
  });

  it("reach the handlers given at connect from the first byte on", async () => {
    const seen: unknown[] = [];
    const peer = peerOf({
      initialize: ({ send }) => {
        send({ jsonrpc: "2.0", method: "notifications/early" });
        return {
          protocolVersion: "2025-11-25",
          capabilities: {},
          serverInfo: { name: "early", version: "1" },
        };
      },
    });
    await connectedTo(peer, {
      onNotification: [["notifications/early", ({ method }) => seen.push(method)]],
    });
    expect(seen).toEqual(["notifications/early"]);
  });
});

describe.each(ERAS)("everything a server tells in the $era era", ({ version }) => {
  it("is delivered before the result that follows it, in order, for any texts", async () => {
    const texts: { current: readonly string[] } = { current: [] };
    const peer = peerOf(
      {
        "com.example/tell": ({ send }) => {
          for (const data of texts.current) {
            send({
              jsonrpc: "2.0",
              method: "notifications/message",
              params: { level: "info", data },
            });
          }
          return {};
        },
      },
      { version },
    );
    const connection = await connectedTo(peer);
    const heard: unknown[] = [];
    onLog(connection, ({ data }) => heard.push(data));
    const { request } = await import("../../src/operations/request.ts");
    await fc.assert(
      fc.asyncProperty(fc.array(anyText(), { maxLength: 10 }), async (lines) => {
        heard.length = 0;
        texts.current = lines;
        await request(connection, "com.example/tell");
        expect(heard).toEqual(lines);
      }),
    );
  });
});

describe("onLog", () => {
  it("gives level, logger and data, and leaves out what has no level", async () => {
    const peer = peerOf({});
    const connection = await connectedTo(peer);
    const seen: unknown[] = [];
    onLog(connection, (log) => seen.push(log));
    const tell = (params: JsonObject): void =>
      peer.send({ jsonrpc: "2.0", method: "notifications/message", params });
    tell({ level: "warning", logger: "db", data: { n: 1 } });
    tell({ level: "loud", data: 1 });
    tell({ level: "debug" });
    expect(seen).toEqual([
      { level: "warning", logger: "db", data: { n: 1 } },
      { level: "debug", data: null },
    ]);
  });

  it("is no subscription without a function", async () => {
    const connection = await connectedTo(peerOf({}));
    expect(onLog(connection, undefined as never).failure?.tag).toBe("invalid-argument");
  });
});

it("a handler that throws is noted and stops nobody else", async () => {
  const peer = peerOf({});
  const connection = await connectedTo(peer);
  let calls = 0;
  onNotification(connection, "notifications/a", () => JSON.parse("{"));
  onNotification(connection, "notifications/a", () => calls++);
  peer.send({ jsonrpc: "2.0", method: "notifications/a" });
  expect(calls).toBe(1);
  await until("it is noted", () => connection.notes.some(({ code }) => code === "handler-threw"));
});
