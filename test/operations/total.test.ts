import fc from "fast-check";
import { describe, expect, it } from "vitest";
import * as exported from "../../src/index.ts";
import { ERAS, connectedTo, peerOf } from "./peer.ts";
import type { PeerScript } from "./peer.ts";

/** Every operation that takes a connection first, and how many arguments it takes behind it. */
const OPERATIONS = {
  addKnownTools: 1,
  callTool: 3,
  clearKnownTools: 0,
  complete: 3,
  getPrompt: 3,
  listen: 3,
  listPrompts: 1,
  listPromptsPage: 2,
  listResources: 1,
  listResourcesPage: 2,
  listResourceTemplates: 1,
  listResourceTemplatesPage: 2,
  listTools: 1,
  listToolsPage: 2,
  notify: 3,
  notifyProgress: 3,
  onListChanged: 3,
  onLog: 1,
  onNotification: 2,
  ping: 1,
  readResource: 2,
  readTemplate: 3,
  refresh: 1,
  removeKnownTools: 1,
  request: 3,
  requestAs: 3,
  resolveInputRequests: 2,
  saveSession: 0,
  sendMessage: 2,
  setLogLevel: 2,
  subscribeResource: 3,
  unsubscribeResource: 2,
} as const;

type Operation = (...args: readonly unknown[]) => unknown;

const library: Readonly<Record<string, unknown>> = { ...exported };

/** Arguments that fast-check itself could not look at. */
const HOSTILE = {
  proxy: new Proxy(
    {},
    {
      get: () => JSON.parse("{"),
      getPrototypeOf: () => JSON.parse("{"),
      ownKeys: () => JSON.parse("{"),
      has: () => JSON.parse("{"),
    },
  ),
  unreadable: new Proxy({}, { get: () => JSON.parse("{") }),
  getter: Object.defineProperty({}, "signal", { enumerable: true, get: () => JSON.parse("{") }),
  bigint: { id: 1n, meta: { a: 1n } },
  cyclic: cyclic(),
} as const;

/** An argument, or the name of a hostile one. */
interface Argument {
  readonly plain?: unknown;
  readonly hostile?: keyof typeof HOSTILE;
}

/** Anything at all: odd values, hostile objects, and now and then what would be right. */
function anyArgument(): fc.Arbitrary<Argument> {
  const plain = fc.oneof(
    fc.anything({
      withBigInt: true,
      withDate: true,
      withMap: true,
      withNullPrototype: true,
      withSet: true,
    }),
    fc.constantFrom<unknown>(undefined, null, "a://b", "tools", "info", {}, [], () => undefined),
  );
  return fc.oneof(
    { arbitrary: fc.record({ plain }), weight: 5 },
    fc.record({ hostile: fc.constantFrom(...(Object.keys(HOSTILE) as (keyof typeof HOSTILE)[])) }),
  );
}

function valueOf({ plain, hostile }: Argument): unknown {
  return hostile === undefined ? plain : HOSTILE[hostile];
}

function cyclic(): object {
  const object: { self?: object } = {};
  object.self = object;
  return object;
}

/** Answers everything with everything an operation may look for. */
const GENEROUS: PeerScript = Object.fromEntries(
  [
    "ping",
    "tools/list",
    "tools/call",
    "prompts/list",
    "prompts/get",
    "resources/list",
    "resources/templates/list",
    "resources/read",
    "resources/subscribe",
    "resources/unsubscribe",
    "completion/complete",
    "logging/setLevel",
    "subscriptions/listen",
  ].map((method) => [
    method,
    () => ({
      tools: [],
      prompts: [],
      resources: [],
      resourceTemplates: [],
      contents: [],
      messages: [],
      content: [],
      completion: { values: [] },
    }),
  ]),
);

describe.each(ERAS)("every operation in the $era era", ({ version }) => {
  it.each(Object.entries(OPERATIONS))(
    "%s gives a value and never throws or rejects, for any arguments",
    async (name, count) => {
      const connection = await connectedTo(peerOf(GENEROUS, { version, isHonest: false }));
      const operation = library[name] as Operation;
      const args = fc.array(anyArgument(), { maxLength: count + 1 });
      const first = fc.oneof({ arbitrary: fc.constant(null), weight: 4 }, anyArgument());
      await fc.assert(
        fc.asyncProperty(first, args, async (other, rest) => {
          const isLive = other === null;
          const given = isLive ? connection : valueOf(other);
          const made = await operation(given, ...rest.map(valueOf));
          expect(isOutcome(made)).toBe(true);
          if (!isLive) expect(isRefusal(made)).toBe(true);
        }),
      );
    },
  );
});

function isOutcome(made: unknown): boolean {
  if (typeof made !== "object" || made === null) return false;
  return ("ok" in made && typeof made.ok === "boolean") || "unsubscribe" in made;
}

function isRefusal(made: unknown): boolean {
  const failure =
    typeof made === "object" && made !== null && "failure" in made ? made.failure : null;
  return (failure as { readonly tag?: unknown } | null)?.tag === "invalid-argument";
}

describe("what takes no connection", () => {
  it.each(["expandUri", "isResourceNotFound", "cacheHints", "rename", "withMeta"] as const)(
    "%s gives a value, for any arguments",
    async (name) => {
      const pure = library[name] as Operation;
      await fc.assert(
        fc.asyncProperty(fc.anything(), fc.anything(), async (one, other) => {
          const made = pure(one, other);
          expect(made).toBeDefined();
          if (name === "withMeta") {
            const { execute } = made as ReturnType<typeof exported.withMeta>;
            expect(await execute({}, other as never)).toMatchObject({ isError: true });
          }
        }),
      );
    },
  );

  it("resumeSession gives a connection that failed, for any arguments", async () => {
    await fc.assert(
      fc.asyncProperty(
        anyArgument(),
        anyArgument(),
        anyArgument(),
        async (server, saved, options) => {
          const connection = await exported.resumeSession(
            valueOf(server) as never,
            valueOf(saved) as never,
            valueOf(options) as never,
          );
          expect(["failed", "disabled"]).toContain(connection.status);
        },
      ),
    );
  });
});
