import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { NameFilter } from "../../src/naming/filter.ts";
import { filterTools } from "../../src/naming/filter.ts";
import { compareCodePoints } from "../../src/order.ts";
import { anyName } from "../support/arbitraries.ts";

describe("filterTools", () => {
  it.each<[string, NameFilter | undefined, string[], string[]]>([
    ["no filter", undefined, ["a", "a.b", "c"], []],
    ["an empty filter", {}, ["a", "a.b", "c"], []],
    ["an allow list", { allow: ["a"] }, ["a"], []],
    ["a deny list", { deny: ["c"] }, ["a", "a.b"], []],
    ["both", { allow: ["a", "c"], deny: ["c"] }, ["a"], []],
    ["an empty allow list", { allow: [] }, [], []],
    ["an empty deny list", { deny: [] }, ["a", "a.b", "c"], []],
    ["names as listed", { allow: ["a.b"] }, ["a.b"], []],
    ["names as exposed", { allow: ["srv_a_b", "a_b"] }, [], ["a_b", "srv_a_b"]],
    ["names nobody has", { allow: ["z", "a"], deny: ["y", "z"] }, ["a"], ["y", "z"]],
    ["a name twice", { allow: ["a", "a", "x", "x"] }, ["a"], ["x"]],
    [
      "names that objects have",
      { deny: ["constructor", "__proto__"] },
      ["a", "a.b", "c"],
      ["__proto__", "constructor"],
    ],
  ])("with %s", (_, filter, kept, unmatched) => {
    const listed = [{ remoteName: "a" }, { remoteName: "a.b" }, { remoteName: "c" }];
    const result = filterTools(listed, filter);
    expect(result.kept.map(({ remoteName }) => remoteName)).toEqual(kept);
    expect(result.unmatched).toEqual(unmatched);
  });

  it("puts each tool in one of the two lists, in the order given, for any filter", () => {
    fc.assert(
      fc.property(anyListed(), anyFilter(), (listed, filter) => {
        const { kept, dropped } = filterTools(listed, filter);
        const isKept = new Set<unknown>(kept);
        expect(kept).toEqual(listed.filter((tool) => isKept.has(tool)));
        expect(dropped).toEqual(listed.filter((tool) => !isKept.has(tool)));
      }),
    );
  });

  it("keeps what is not denied and, where there is an allow list, allowed, for any filter", () => {
    fc.assert(
      fc.property(anyListed(), anyFilter(), (listed, filter) => {
        const { kept } = filterTools(listed, filter);
        for (const tool of listed) {
          const isDenied = filter.deny?.includes(tool.remoteName) ?? false;
          const isAllowed = filter.allow?.includes(tool.remoteName) ?? true;
          expect(kept.includes(tool)).toBe(isAllowed && !isDenied);
        }
      }),
    );
  });

  it("hands back each name that no tool has, once and in order, for any filter", () => {
    fc.assert(
      fc.property(anyListed(), anyFilter(), (listed, filter) => {
        const names = listed.map(({ remoteName }) => remoteName);
        const expected = [...(filter.allow ?? []), ...(filter.deny ?? [])]
          .filter((name, i, all) => !names.includes(name) && all.indexOf(name) === i)
          .sort(compareCodePoints);
        expect(filterTools(listed, filter).unmatched).toEqual(expected);
      }),
    );
  });

  it("drops nothing more from what it kept, for any filter", () => {
    fc.assert(
      fc.property(anyListed(), anyFilter(), (listed, filter) => {
        const { kept } = filterTools(listed, filter);
        expect(filterTools(kept, filter).kept).toEqual(kept);
      }),
    );
  });
});

/** Names from a small pool, so that filters match now and then. */
function pooledName(): fc.Arbitrary<string> {
  return fc.oneof(fc.constantFrom("a", "b", "a.b", "a_b", "__proto__", "constructor"), anyName());
}

function anyListed(): fc.Arbitrary<{ readonly remoteName: string }[]> {
  return fc.array(fc.record({ remoteName: pooledName() }), { maxLength: 10 });
}

function anyFilter(): fc.Arbitrary<NameFilter> {
  const names = fc.array(pooledName(), { maxLength: 5 });
  return fc.record({ allow: names, deny: names }, { requiredKeys: [] });
}
