import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Result } from "../../src/failure.ts";
import { isObject } from "../../src/json.ts";
import type { Json, JsonObject } from "../../src/json.ts";
import type { Connected } from "../../src/lifecycle/records.ts";
import { onListChanged } from "../../src/operations/list-changed.ts";
import {
  concerns,
  subscribeResource,
  unsubscribeResource,
} from "../../src/operations/subscribe-resource.ts";
import type { ResourceSubscription } from "../../src/operations/subscribe-resource.ts";
import { failureOf, valueOf } from "../support/results.ts";
import { fact, until } from "../support/until.ts";
import { ERAS, connectedTo, peerOf, subscribed } from "./peer.ts";
import type { Peer, PeerScript } from "./peer.ts";

const UPDATED = "notifications/resources/updated";
const URIS = ["a://1", "a://2"];

/** A server that keeps who is subscribed to what, in either era, and tells those alone. */
function announcing(version: string, more: PeerScript = {}): AnnouncingPeer {
  const listens = new Map<Json, string>();
  const subscriptions = new Set<string>();
  const faults: string[] = [];
  const peer: Peer = peerOf(
    {
      "subscriptions/listen": ({ id, params, send }) => {
        const { notifications } = params;
        const [uri] = (
          isObject(notifications) ? notifications["resourceSubscriptions"] : []
        ) as string[];
        listens.set(id, uri ?? "");
        send(
          subscribed(id, "notifications/subscriptions/acknowledged", {
            notifications: notifications ?? null,
          }),
        );
        return undefined;
      },
      "resources/subscribe": async ({ params }) => {
        const uri = params["uri"] as string;
        await turns(1);
        if (subscriptions.has(uri)) faults.push(`${uri} subscribed twice`);
        subscriptions.add(uri);
        return {};
      },
      "resources/unsubscribe": async ({ params }) => {
        await turns(3);
        if (!subscriptions.delete(params["uri"] as string)) faults.push("unsubscribed twice");
        return {};
      },
      ...more,
    },
    { version },
  );
  const cancelled = (): ReadonlySet<Json> =>
    new Set(
      peer
        .wire()
        .flatMap(({ method, params }) =>
          method === "notifications/cancelled" && isObject(params)
            ? [params["requestId"] ?? null]
            : [],
        ),
    );
  const live = (): readonly string[] => {
    const over = cancelled();
    const listened = [...listens].flatMap(([id, uri]) => (over.has(id) ? [] : [uri]));
    return [...subscriptions, ...listened].sort();
  };
  const update = (uri: string): void => {
    if (subscriptions.has(uri)) peer.send({ jsonrpc: "2.0", method: UPDATED, params: { uri } });
    for (const [id, listened] of listens) {
      if (listened === uri && !cancelled().has(id)) peer.send(subscribed(id, UPDATED, { uri }));
    }
  };
  return { ...peer, live, update, faults, subscriptions };
}

/** A server that takes its time, and more for one thing than for another. */
async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn++) await new Promise(setImmediate);
}

interface AnnouncingPeer extends Peer {
  /** What is subscribed to now, as the server sees it. */
  live(): readonly string[];
  update(uri: string): void;
  readonly faults: readonly string[];
  readonly subscriptions: Set<string>;
}

type Step =
  | { readonly kind: "subscribe"; readonly uri: string; readonly waits: boolean }
  | { readonly kind: "unsubscribe"; readonly which: number; readonly waits: boolean }
  | { readonly kind: "update"; readonly uri: string }
  | { readonly kind: "turn" };

const anyStep = (): fc.Arbitrary<Step> =>
  fc.oneof(
    fc.record({
      kind: fc.constant("subscribe" as const),
      uri: fc.constantFrom(...URIS),
      waits: fc.boolean(),
    }),
    fc.record({
      kind: fc.constant("unsubscribe" as const),
      which: fc.nat({ max: 4 }),
      waits: fc.boolean(),
    }),
    fc.record({ kind: fc.constant("update" as const), uri: fc.constantFrom(...URIS) }),
    fc.constant({ kind: "turn" as const }),
  );

interface Watcher {
  readonly uri: string;
  readonly subscription: Promise<Result<ResourceSubscription>>;
  calls: number;
  isLive: boolean;
}

async function end(watcher: Watcher | undefined): Promise<void> {
  if (watcher === undefined) return;
  watcher.isLive = false;
  valueOf(await valueOf(await watcher.subscription).unsubscribe());
}

function watch(connection: Connected, uri: string): Watcher {
  const watcher: Watcher = {
    uri,
    calls: 0,
    isLive: true,
    subscription: subscribeResource(connection, uri, () => watcher.calls++),
  };
  return watcher;
}

describe.each(ERAS)("subscriptions to resources in the $era era", ({ version }) => {
  it("are with the server exactly while somebody wants them, for any sequence of subscribing, ending and updates", async () => {
    const peer = announcing(version);
    const connection = await connectedTo(peer);
    await fc.assert(
      fc.asyncProperty(fc.array(anyStep(), { maxLength: 20, size: "max" }), async (steps) => {
        const watchers: Watcher[] = [];
        const ends: Promise<unknown>[] = [];
        const settled = async (): Promise<void> => {
          await Promise.all([...watchers.map(({ subscription }) => subscription), ...ends]);
          const wanted = new Set(watchers.filter(({ isLive }) => isLive).map(({ uri }) => uri));
          await until("the server agrees", () => peer.live().join() === [...wanted].sort().join());
        };
        for (const step of steps) {
          switch (step.kind) {
            case "subscribe":
              watchers.push(watch(connection, step.uri));
              break;
            case "unsubscribe":
              ends.push(end(watchers[step.which]));
              break;
            case "turn":
              await turns(1);
              break;
            case "update": {
              await settled();
              const before = watchers.map(({ calls }) => calls);
              peer.update(step.uri);
              const heard = watchers.map(({ calls }, at) => calls - (before[at] ?? 0));
              expect(heard).toEqual(
                watchers.map(({ uri, isLive }) => Number(isLive && uri === step.uri)),
              );
            }
          }
          if ("waits" in step && step.waits) await settled();
        }
        for (const watcher of watchers) ends.push(end(watcher));
        await settled();
        expect(peer.faults).toEqual([]);
      }),
    );
  });

  it("are shared: ending one of two leaves the other, and the server is told once", async () => {
    const peer = announcing(version);
    const connection = await connectedTo(peer);
    const [one, two] = [watch(connection, "a://1"), watch(connection, "a://1")];
    const first = valueOf(await one.subscription);
    const second = valueOf(await two.subscription);
    expect(peer.wire()).toHaveLength(1);
    expect(await first.unsubscribe()).toEqual({ ok: true, value: undefined });
    peer.update("a://1");
    peer.update("a://2");
    expect([one.calls, two.calls]).toEqual([0, 1]);
    expect(peer.wire()).toHaveLength(1);
    await first.unsubscribe();
    await second[Symbol.asyncDispose]();
    expect(peer.live()).toEqual([]);
    expect(peer.wire()).toHaveLength(2);
  });

  it("begin again only when the end of the one before is through", async () => {
    const peer = announcing(version);
    const connection = await connectedTo(peer);
    const made = valueOf(await subscribeResource(connection, "a://1"));
    const ending = made.unsubscribe();
    const again = subscribeResource(connection, "a://1");
    valueOf(await ending);
    valueOf(await again);
    expect([peer.faults, peer.live()]).toEqual([[], ["a://1"]]);
  });

  it("end for everybody with unsubscribeResource, and what is held of them ends in peace", async () => {
    const peer = announcing(version);
    const connection = await connectedTo(peer);
    const one = watch(connection, "a://1");
    const held = valueOf(await one.subscription);
    valueOf(await unsubscribeResource(connection, "a://1"));
    expect(peer.live()).toEqual([]);
    expect(await held.unsubscribe()).toEqual({ ok: true, value: undefined });
    expect(peer.wire()).toHaveLength(2);
    expect(valueOf(await watch(connection, "a://1").subscription)).toBeDefined();
    expect(peer.live()).toEqual(["a://1"]);
  });

  it("may end themselves from inside their handler", async () => {
    const peer = announcing(version);
    const connection = await connectedTo(peer);
    const ended = fact<Result<void>>();
    const made = await subscribeResource(connection, "a://1", async () => {
      ended.resolve(await valueOf(made).unsubscribe());
    });
    peer.update("a://1");
    expect(await ended.promise).toEqual({ ok: true, value: undefined });
    expect(peer.live()).toEqual([]);
  });

  it("leave the other waiting when one gives up while they begin", async () => {
    const release = fact<undefined>();
    const peer = announcing(version, {
      "resources/subscribe": () => release.promise.then(() => ({})),
      "subscriptions/listen": async ({ id, params, send }) => {
        await release.promise;
        const notifications = params["notifications"] ?? null;
        send(subscribed(id, "notifications/subscriptions/acknowledged", { notifications }));
        return undefined;
      },
    });
    const connection = await connectedTo(peer);
    const giveUp = new AbortController();
    const one = subscribeResource(connection, "a://1", undefined, { signal: giveUp.signal });
    const two = subscribeResource(connection, "a://1");
    giveUp.abort();
    expect(failureOf(await one).tag).toBe("cancelled");
    release.resolve(undefined);
    expect((await two).ok).toBe(true);
    expect(peer.methods()).toHaveLength(1);
  });

  it("say why there is none, and a later one begins anew", async () => {
    let isBroken = true;
    const error = { code: -32603, message: "not now" };
    const answer = ({ id, params, send }: Parameters<PeerScript[string]>[0]): Json | undefined => {
      if (isBroken) return { error };
      if (params["uri"] !== undefined) return {};
      send(
        subscribed(id, "notifications/subscriptions/acknowledged", {
          notifications: params["notifications"] ?? null,
        }),
      );
      return undefined;
    };
    const peer = announcing(version, {
      "resources/subscribe": answer,
      "subscriptions/listen": answer,
    });
    const connection = await connectedTo(peer);
    const both = await Promise.all(
      ["a://1", "a://1"].map((uri) => subscribeResource(connection, uri)),
    );
    for (const one of both) expect(failureOf(one)).toMatchObject({ tag: "rpc-error", ...error });
    isBroken = false;
    expect((await subscribeResource(connection, "a://1")).ok).toBe(true);
    expect(peer.wire()).toHaveLength(2);
  });

  it.each([
    ["a blank URI", " ", undefined],
    ["a handler that is none", "a://1", 7],
  ])("are refused with %s", async (_, uri, handler) => {
    const peer = announcing(version);
    const connection = await connectedTo(peer);
    const made = await subscribeResource(connection, uri, handler as never);
    expect(failureOf(made).tag).toBe("invalid-argument");
    expect(failureOf(await unsubscribeResource(connection, " ")).tag).toBe("invalid-argument");
    expect(peer.wire()).toEqual([]);
  });

  it("need no URI of their own to be ended that never began", async () => {
    const peer = announcing(version);
    peer.subscriptions.add("a://1");
    const connection = await connectedTo(peer);
    valueOf(await unsubscribeResource(connection, "a://1"));
    expect(peer.methods()).toEqual(version === "2026-07-28" ? [] : ["resources/unsubscribe"]);
  });
});

it("a server that never answers resources/unsubscribe is not waited for longer than the timeout", async () => {
  const peer = announcing("2025-11-25", { "resources/unsubscribe": () => undefined });
  const connection = await connectedTo(peer);
  const made = valueOf(await subscribeResource(connection, "a://1", undefined, { timeoutMs: 30 }));
  expect(failureOf(await made.unsubscribe())).toMatchObject({ tag: "timeout", timeoutMs: 30 });
});

it("a server that grants no updates of the resource is asked for nothing more", async () => {
  const peer = announcing("2026-07-28", {
    "subscriptions/listen": ({ id, send }) => {
      send(subscribed(id, "notifications/subscriptions/acknowledged", { notifications: {} }));
      return undefined;
    },
  });
  const connection = await connectedTo(peer);
  expect(failureOf(await subscribeResource(connection, "a://1")).tag).toBe("unsupported");
  await until("it is cancelled", () => peer.methods().includes("notifications/cancelled"));
});

describe("which updates concern a subscription of the initialize era", () => {
  it.each([
    ["a://1", "a://1", true],
    ["HTTP://Example.com:80/x", "http://example.com/x", true],
    ["file:///dir/file", "file:///dir", true],
    ["file:///dir/file", "file:///dir/", true],
    ["file:///directory", "file:///dir", false],
    ["a://2", "a://1", false],
    ["A://{x}", "a://{x}", false],
    ["not a uri", "not a uri", true],
  ])("%s for one to %s: %s", (updated, subscribed, isConcerned) => {
    expect(concerns(updated, subscribed)).toBe(isConcerned);
  });

  it("is itself, for any text", () => {
    fc.assert(fc.property(fc.string({ unit: "binary" }), (uri) => concerns(uri, uri)));
  });
});

describe.each(ERAS)("changes of lists in the $era era", ({ era, version }) => {
  it.each(["tools", "prompts", "resources"] as const)("are heard: %s", async (kind) => {
    const listens: Json[] = [];
    const peer = peerOf(
      {
        "subscriptions/listen": ({ id, params, send }) => {
          listens.push(id);
          send(
            subscribed(id, "notifications/subscriptions/acknowledged", {
              notifications: params["notifications"] ?? null,
            }),
          );
          return undefined;
        },
      },
      { version },
    );
    const connection = await connectedTo(peer);
    const heard: string[] = [];
    const one = valueOf(
      await onListChanged(connection, kind, (changed) => heard.push(`1 ${changed}`)),
    );
    const two = valueOf(
      await onListChanged(connection, kind, (changed) => heard.push(`2 ${changed}`)),
    );
    const tell = (): void => {
      const method = `notifications/${kind}/list_changed`;
      if (era === "legacy") peer.send({ jsonrpc: "2.0", method });
      for (const id of listens) peer.send(subscribed(id, method));
    };
    tell();
    expect(heard).toEqual([`1 ${kind}`, `2 ${kind}`]);
    await one.unsubscribe();
    tell();
    expect(heard).toEqual([`1 ${kind}`, `2 ${kind}`, `2 ${kind}`]);
    await two.unsubscribe();
    tell();
    expect(heard).toHaveLength(3);
    const listened = era === "modern" ? ["subscriptions/listen", "notifications/cancelled"] : [];
    expect(peer.methods()).toEqual(listened);
    if (era === "modern") {
      const params = peer.wire()[0]?.["params"] as JsonObject;
      expect(params["notifications"]).toEqual({ [`${kind}ListChanged`]: true });
    }
  });

  it("are of a list there is", async () => {
    const connection = await connectedTo(peerOf({}, { version }));
    const made = await onListChanged(connection, "files" as never, () => undefined);
    expect(failureOf(made).tag).toBe("invalid-argument");
    const without = await onListChanged(connection, "tools", undefined as never);
    expect(failureOf(without).tag).toBe("invalid-argument");
  });
});
