import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ok } from "../../src/failure.ts";
import { isObject } from "../../src/json.ts";
import type { Json, JsonObject } from "../../src/json.ts";
import {
  MAX_ITEMS,
  MAX_PAGES,
  WALK_START,
  afterPage,
  walkPages,
} from "../../src/lifecycle/paging.ts";
import type { Walk } from "../../src/lifecycle/paging.ts";
import { anyJson, anyJsonObject } from "../support/arbitraries.ts";
import { failureOf, valueOf } from "../support/results.ts";

/** Cursors from so few that they soon come again. */
const anyCursor = (): fc.Arbitrary<string | null | undefined> =>
  fc.oneof(fc.constantFrom("", "a", "b", "c", "d"), fc.constantFrom(null, undefined), fc.string());

const anyItem = (): fc.Arbitrary<Json> =>
  fc.oneof({ weight: 4, arbitrary: fc.record({ name: fc.string() }) }, anyJson());

const anyPage = (): fc.Arbitrary<JsonObject> =>
  fc
    .record({ tools: fc.array(anyItem(), { maxLength: 4 }), nextCursor: anyCursor() })
    .map(({ tools, nextCursor }) => ({
      tools,
      ...(nextCursor === undefined ? {} : { nextCursor }),
    }));

/** Walks over pages that come again and again; gives the walk and what was asked. */
async function walkOver(
  pages: readonly JsonObject[],
): Promise<{ walk: Walk; asked: (string | undefined)[] }> {
  const asked: (string | undefined)[] = [];
  const walked = await walkPages("tools", (cursor) => {
    asked.push(cursor);
    return Promise.resolve(ok(pages[(asked.length - 1) % pages.length]!));
  });
  return { walk: valueOf(walked), asked };
}

describe("a walk over pages", () => {
  it("ends, and asks for no cursor twice, for any pages that come again for ever", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyPage(), { minLength: 1, maxLength: 6 }), async (pages) => {
        const { asked, walk } = await walkOver(pages);
        expect(new Set(asked).size).toBe(asked.length);
        expect(walk.pages).toBe(asked.length);
        expect(walk.next).toBeNull();
      }),
    );
  });

  it("loses nothing it was given: each entry is an item or a note, for any pages", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyPage(), { minLength: 1, maxLength: 6 }), async (pages) => {
        const { asked, walk } = await walkOver(pages);
        const given = asked.flatMap((_, i) => pages[i % pages.length]!["tools"] as Json[]);
        expect(walk.items).toEqual(given.filter(isObject));
        const dropped = walk.notes.filter(({ code }) => code === "dropped-entry");
        expect(dropped).toHaveLength(given.filter((entry) => !isObject(entry)).length);
      }),
    );
  });

  it("follows the empty cursor, and ends at an absent or null one (C136)", async () => {
    const pages = [
      { tools: [{ name: "a" }], nextCursor: "" },
      { tools: [{ name: "b" }], nextCursor: null },
    ];
    const { asked, walk } = await walkOver(pages);
    expect(asked).toEqual([undefined, ""]);
    expect(walk.items).toHaveLength(2);
    expect(walk.notes).toEqual([]);
  });

  it("ends at a cursor seen before, keeps what was listed, and notes it (C184)", async () => {
    const { asked, walk } = await walkOver([{ tools: [{ name: "a" }], nextCursor: "again" }]);
    expect(asked).toEqual([undefined, "again"]);
    expect(walk.items).toEqual([{ name: "a" }, { name: "a" }]);
    expect(walk.notes.map(({ code }) => code)).toEqual(["repeated-cursor"]);
  });

  it("fails when the pages do not end, having asked a thousand times (C117)", async () => {
    let asked = 0;
    const walked = await walkPages("tools", () =>
      Promise.resolve(ok({ tools: [], nextCursor: String(++asked) })),
    );
    expect(failureOf(walked)).toEqual({ tag: "limit", limit: "pages", value: 1000 });
    expect(asked).toBe(MAX_PAGES);
  });

  it("takes a list of exactly a thousand pages", async () => {
    let asked = 0;
    const walked = await walkPages("tools", () => {
      asked++;
      return Promise.resolve(
        ok(asked === MAX_PAGES ? { tools: [{}] } : { tools: [], nextCursor: `${asked}` }),
      );
    });
    expect(valueOf(walked)).toMatchObject({ pages: MAX_PAGES, items: [{}] });
  });

  it("fails for more items than the limit, and takes exactly so many", () => {
    const items = Array.from({ length: MAX_ITEMS }, () => ({}));
    expect(valueOf(afterPage(WALK_START, { tools: items }, "tools")).items).toHaveLength(MAX_ITEMS);
    const failure = failureOf(afterPage(WALK_START, { tools: [...items, {}] }, "tools"));
    expect(failure).toEqual({ tag: "limit", limit: "tools", value: MAX_ITEMS });
  });

  it("hands on the failure of a page and asks no further", async () => {
    const failure = { tag: "timeout", timeoutMs: 5 } as const;
    const answers = [ok({ tools: [], nextCursor: "x" }), { ok: false, failure } as const];
    expect(await walkPages("tools", () => Promise.resolve(answers.shift()!))).toEqual({
      ok: false,
      failure,
    });
    expect(answers).toEqual([]);
  });
});

describe("one page", () => {
  it("gives a walk or a failure, for any JSON object, and leaves the walk before it alone", () => {
    const anyPage = fc.oneof(
      anyJsonObject(),
      fc.record({ tools: anyJson(), nextCursor: anyJson() }, { requiredKeys: [] }),
    );
    fc.assert(
      fc.property(anyPage, (page) => {
        const before = structuredClone(WALK_START);
        const after = afterPage(WALK_START, page, "tools");
        if (!after.ok) expect(after.failure.tag).toBe("malformed-body");
        expect(WALK_START).toEqual(before);
      }),
    );
  });

  it.each<[JsonObject, string]>([
    [{}, "tools is absent, not an array"],
    [{ tools: null }, "tools is null, not an array"],
    [{ tools: { a: 1 } }, "tools is an object, not an array"],
    [{ tools: [], nextCursor: 5 }, "nextCursor is a number, not a string"],
    [{ tools: [], nextCursor: {} }, "nextCursor is an object, not a string"],
  ])("of the wrong shape is malformed, and says how: %j (C184)", (page, detail) => {
    expect(failureOf(afterPage(WALK_START, page, "tools"))).toEqual({
      tag: "malformed-body",
      detail,
    });
  });
});
