import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Result } from "../../src/failure.ts";
import type { Json, JsonObject } from "../../src/json.ts";
import type { Connected } from "../../src/lifecycle/records.ts";
import { listPrompts, listPromptsPage } from "../../src/operations/prompts.ts";
import {
  listResources,
  listResourcesPage,
  listResourceTemplates,
  listResourceTemplatesPage,
} from "../../src/operations/resources.ts";
import { listTools, listToolsPage } from "../../src/operations/tools.ts";
import { cacheHints, stricterHints } from "../../src/protocol/cache-hints.ts";
import { anyJson, anyText } from "../support/arbitraries.ts";
import { failureOf, valueOf } from "../support/results.ts";
import { ERAS, connectedTo, peerOf } from "./peer.ts";
import type { Peer } from "./peer.ts";

interface Kind {
  readonly name: string;
  readonly method: string;
  readonly key: string;
  readonly id: string;
  all(connection: Connected, options?: object): Promise<Result<object>>;
  page(connection: Connected, params?: object): Promise<Result<JsonObject>>;
}

const KINDS: readonly Kind[] = [
  {
    name: "listPrompts",
    method: "prompts/list",
    key: "prompts",
    id: "name",
    all: listPrompts,
    page: listPromptsPage,
  },
  {
    name: "listResources",
    method: "resources/list",
    key: "resources",
    id: "uri",
    all: listResources,
    page: listResourcesPage,
  },
  {
    name: "listResourceTemplates",
    method: "resources/templates/list",
    key: "resourceTemplates",
    id: "uriTemplate",
    all: listResourceTemplates,
    page: listResourceTemplatesPage,
  },
];
const CASES = KINDS.flatMap((kind) => ERAS.map((era) => ({ ...kind, ...era })));

/** A server whose pages are these, each behind the cursor of the one before. */
function paged(kind: Kind, pages: readonly JsonObject[], version: string): Peer {
  return peerOf(
    {
      [kind.method]: ({ params }) => {
        const at = params["cursor"] === undefined ? 0 : Number(params["cursor"]) + 1;
        const page = pages[at] ?? {};
        return at + 1 < pages.length ? { ...page, nextCursor: String(at) } : page;
      },
    },
    { version },
  );
}

describe.each(CASES)("$name in the $era era", (kind) => {
  const { method, key, id, version } = kind;

  it("gathers every page in order", async () => {
    const pages = [[{ [id]: "b", more: 1 }, { [id]: "a" }], [], [{ [id]: "c" }]];
    const peer = paged(
      kind,
      pages.map((items) => ({ [key]: items })),
      version,
    );
    const connection = await connectedTo(peer);
    expect(valueOf(await kind.all(connection))).toMatchObject({ [key]: pages.flat(), pages: 3 });
    expect(peer.methods()).toEqual([method, method, method]);
  });

  it("takes an empty text for a cursor like any other", async () => {
    const peer = peerOf(
      {
        [method]: ({ params }) =>
          params["cursor"] === undefined
            ? { [key]: [{ [id]: "1" }], nextCursor: "" }
            : { [key]: [{ [id]: "2" }] },
      },
      { version },
    );
    const connection = await connectedTo(peer);
    const listed = valueOf(await kind.all(connection));
    expect(listed).toMatchObject({ [key]: [{ [id]: "1" }, { [id]: "2" }], pages: 2 });
  });

  it("ends at a cursor seen before and notes it", async () => {
    const peer = peerOf(
      { [method]: () => ({ [key]: [{ [id]: "x" }], nextCursor: "same" }) },
      { version },
    );
    const connection = await connectedTo(peer);
    expect(valueOf(await kind.all(connection))).toMatchObject({ pages: 2 });
    expect(connection.notes.map(({ code }) => code)).toContain("repeated-cursor");
  });

  it("drops entries that nothing can be called by, one by one", async () => {
    const entries: Json[] = [{ [id]: "good" }, { [id]: 7 }, null, "text", {}];
    const connection = await connectedTo(
      peerOf({ [method]: () => ({ [key]: entries }) }, { version }),
    );
    expect(valueOf(await kind.all(connection))).toMatchObject({ [key]: [{ [id]: "good" }] });
    const details = connection.notes.map(({ detail }) => detail);
    expect(details).toContain(`2 of ${key} without a ${id}`);
  });

  it("gives one page exactly as it came, and asks for the one behind a cursor", async () => {
    const page = { [key]: [{ [id]: 1, odd: [null] }], nextCursor: "n", ttlMs: -1, extra: true };
    const peer = peerOf({ [method]: () => page }, { version });
    const connection = await connectedTo(peer);
    expect(await kind.page(connection, { cursor: "" })).toEqual({ ok: true, value: page });
    expect(peer.wire()[0]?.["params"]).toMatchObject({ cursor: "" });
    expect(failureOf(await kind.page(connection, { cursor: 1 })).tag).toBe("invalid-argument");
  });

  it.each([{ [key]: {} }, {}, { [key]: [], nextCursor: 7 }])(
    "calls an answer of the wrong shape malformed: %j",
    async (page) => {
      const connection = await connectedTo(peerOf({ [method]: () => page }, { version }));
      expect(failureOf(await kind.all(connection))).toMatchObject({
        tag: "malformed-body",
        maybeExecuted: true,
      });
    },
  );

  it("passes the server's refusal on", async () => {
    const error = { code: -32603, message: "no" };
    const connection = await connectedTo(peerOf({ [method]: () => ({ error }) }, { version }));
    expect(failureOf(await kind.all(connection))).toMatchObject({ tag: "rpc-error", ...error });
  });

  it("has one budget for all pages", async () => {
    const peer = peerOf(
      {
        [method]: ({ params }) =>
          params["cursor"] === undefined ? { [key]: [], nextCursor: "n" } : undefined,
      },
      { version },
    );
    const connection = await connectedTo(peer);
    const failure = failureOf(await kind.all(connection, { timeoutMs: 40 }));
    expect(failure).toMatchObject({ tag: "timeout", timeoutMs: 40 });
  });
});

describe("how long a list may be kept", () => {
  it.each(KINDS)("is not said by $name in the initialize era", async (kind) => {
    const peer = paged(kind, [{ [kind.key]: [], ttlMs: 5, cacheScope: "public" }], "2025-11-25");
    expect(valueOf(await kind.all(await connectedTo(peer)))).not.toHaveProperty("cache");
  });

  it.each(KINDS)("is the strictest word of all pages of $name since 2026-07-28", async (kind) => {
    const { key } = kind;
    const pages = [
      { [key]: [], ttlMs: 900, cacheScope: "public" },
      { [key]: [], ttlMs: 300, cacheScope: "public" },
    ];
    const listed = await kind.all(await connectedTo(paged(kind, pages, "2026-07-28")));
    expect(valueOf(listed)).toMatchObject({ cache: { ttlMs: 300, cacheScope: "public" } });
    const unsaid = paged(kind, [...pages, { [key]: [] }], "2026-07-28");
    expect(valueOf(await kind.all(await connectedTo(unsaid)))).toMatchObject({
      cache: { ttlMs: 0, cacheScope: "private" },
    });
  });

  it("is said of tools too", async () => {
    const peer = peerOf(
      { "tools/list": () => ({ tools: [], ttlMs: 60_000, cacheScope: "public" }) },
      { version: "2026-07-28" },
    );
    const listed = valueOf(await listTools(await connectedTo(peer)));
    expect(listed.cache).toEqual({ ttlMs: 60_000, cacheScope: "public" });
  });

  it("is never negative, and private unless it says public, for any words", () => {
    fc.assert(
      fc.property(anyJson(), fc.oneof(anyJson(), fc.constant("public")), (ttlMs, cacheScope) => {
        const hints = cacheHints({ ttlMs, cacheScope });
        expect(hints.ttlMs).toBeGreaterThanOrEqual(0);
        expect(hints.cacheScope).toBe(cacheScope === "public" ? "public" : "private");
      }),
    );
  });

  it("is kept by joining hints: never longer, never wider, in any order", () => {
    const anyHints = fc.record({
      ttlMs: fc.nat(),
      cacheScope: fc.constantFrom("public" as const, "private" as const),
    });
    fc.assert(
      fc.property(anyHints, anyHints, (one, other) => {
        const both = stricterHints(one, other);
        expect(both).toEqual(stricterHints(other, one));
        expect(both.ttlMs).toBeLessThanOrEqual(Math.min(one.ttlMs, other.ttlMs));
        if (both.cacheScope === "public")
          expect([one, other].every(({ cacheScope }) => cacheScope === "public")).toBe(true);
      }),
    );
  });
});

describe.each(ERAS)("listToolsPage in the $era era", ({ version }) => {
  it("gives the page as it came, broken tools and all, and changes nothing", async () => {
    const broken = { type: "object", properties: { a: { type: "object", "x-mcp-header": "A" } } };
    const page = { tools: [{ name: "t", inputSchema: broken }, { name: 7 }], nextCursor: "n" };
    const peer = peerOf(
      { "tools/list": ({ params }) => (params["cursor"] === undefined ? { tools: [] } : page) },
      { version },
    );
    const connection = await connectedTo(peer);
    expect(await listToolsPage(connection, { cursor: "c" })).toEqual({ ok: true, value: page });
    expect(connection.notes).toEqual([]);
  });

  it("sends any text as a cursor", async () => {
    const peer = peerOf(
      { "tools/list": ({ params }) => ({ tools: [], seen: params["cursor"] ?? null }) },
      { version },
    );
    const connection = await connectedTo(peer);
    await fc.assert(
      fc.asyncProperty(anyText(), async (cursor) => {
        expect(valueOf(await listToolsPage(connection, { cursor }))).toMatchObject({
          seen: cursor,
        });
      }),
    );
  });
});
