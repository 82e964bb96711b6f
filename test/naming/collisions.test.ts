import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { NamingRule, ToolPair } from "../../src/naming/collisions.ts";
import { resolveCollisions } from "../../src/naming/collisions.ts";
import { isExactName, stableName, toolName } from "../../src/naming/names.ts";
import { compareCodePoints } from "../../src/order.ts";
import { anyPairs, withShuffled } from "../support/arbitraries.ts";

/** Two pairs with one plain name, whose hashes begin with the same eight digits. */
const TWINS = [pair("s", "a(b%c d!e"), pair("s", "a;b/c,d.e")] as const;
/** The same, of names that are too long. */
const LONG_TWINS = [
  pair("s", `${"x".repeat(70)}10546`),
  pair("s", `${"x".repeat(70)}46536`),
] as const;

describe.each<{ rule: NamingRule; of: string }>([
  { rule: "plain", of: "the plain rule" },
  { rule: "stable", of: "the stable rule" },
  { rule: { kind: "stable", maxLength: 32 }, of: "the stable rule with a cap" },
])("resolveCollisions by $of", ({ rule }) => {
  it("gives no two tools one name, for any tools", () => {
    fc.assert(
      fc.property(anyPairs(), (pairs) => {
        const names = resolveCollisions(pairs, rule).tools.map(({ name }) => name);
        expect(new Set(names).size).toBe(names.length);
      }),
      { examples: [[[...TWINS]], [hostileTo(pair("s", "a.b"))]] },
    );
  });

  it("loses no tool and makes none up, for any tools", () => {
    fc.assert(
      fc.property(anyPairs(), (pairs) => {
        const { tools, repeated } = resolveCollisions(pairs, rule);
        expect(tools.map(key).toSorted()).toEqual(pairs.map(key).toSorted());
        expect(repeated).toEqual([]);
      }),
      { examples: [[[...TWINS]], [hostileTo(pair("s", "a.b"))]] },
    );
  });

  it("gives the same whatever the order of the list, for any tools", () => {
    fc.assert(
      fc.property(withShuffled(anyPairs()), ([pairs, shuffled]) => {
        expect(resolveCollisions(shuffled, rule)).toEqual(resolveCollisions(pairs, rule));
      }),
      { examples: [[[[...TWINS], TWINS.toReversed()]]] },
    );
  });

  it("puts tools and collisions in code point order of their names, for any tools", () => {
    fc.assert(
      fc.property(anyPairs(), (pairs) => {
        const { tools, collisions } = resolveCollisions(pairs, rule);
        for (const list of [tools, collisions]) {
          const names = list.map(({ name }) => name);
          expect(names).toEqual(names.toSorted(compareCodePoints));
        }
      }),
    );
  });

  it("yields safe names, for any tools", () => {
    fc.assert(
      fc.property(anyPairs(), (pairs) => {
        for (const { name } of resolveCollisions(pairs, rule).tools) {
          expect(name).toMatch(/^[a-zA-Z0-9_-]+$/);
        }
      }),
    );
  });

  it("tells of each tool that wanted a name and did not get it, for any tools", () => {
    fc.assert(
      fc.property(anyPairs(), (pairs) => {
        const { tools, collisions } = resolveCollisions(pairs, rule);
        const renamed = tools.filter((tool) => tool.name !== wanted(tool, rule));
        const told = collisions.flatMap(({ others }) => others);
        expect(told.toSorted(byName)).toEqual(renamed);
        for (const { name, winner, others } of collisions) {
          expect(tools).toContainEqual({ ...winner, name });
          for (const met of [winner, ...others]) expect(wanted(met, rule)).toBe(name);
        }
      }),
      { examples: [[[...TWINS]], [hostileTo(pair("s", "a.b"))]] },
    );
  });

  it("keeps a pair listed twice once, the first, and hands the others back", () => {
    const listed = [
      { ...pair("s", "t"), at: 0 },
      { ...pair("s", "t."), at: 1 },
      { ...pair("s", "t"), at: 2 },
      { ...pair("s", "t"), at: 3 },
    ];
    const { tools, repeated } = resolveCollisions(listed, rule);
    expect(tools.map(({ at }) => at)).toEqual([0, 1]);
    expect(repeated.map(({ at }) => at)).toEqual([2, 3]);
  });

  it("sees no collision in a pair listed twice", () => {
    const listed = [pair("s", "t"), pair("s", "t")];
    expect(resolveCollisions(listed, rule).collisions).toEqual([]);
  });

  it("changes neither the list nor its items, and keeps their other members", () => {
    const listed = Object.freeze([
      Object.freeze({ ...pair("b", "t"), schema: { type: "object" } }),
      Object.freeze({ ...pair("a", "t"), schema: { type: "object" } }),
    ]);
    expect(resolveCollisions(listed, rule).tools).toEqual([
      { server: "a", remoteName: "t", schema: { type: "object" }, name: "a_t" },
      { server: "b", remoteName: "t", schema: { type: "object" }, name: "b_t" },
    ]);
  });

  it("takes a hundred thousand tools that all want one name", () => {
    const listed = Array.from({ length: 100_000 }, (_, i) =>
      pair("s", String.fromCodePoint(0x10000 + i)),
    );
    const { tools } = resolveCollisions(listed, rule);
    expect(new Set(tools.map(({ name }) => name)).size).toBe(100_000);
  });

  it("takes no tools", () => {
    expect(resolveCollisions([], rule)).toEqual({ tools: [], collisions: [], repeated: [] });
  });
});

describe("the plain rule", () => {
  it("is the rule unless one is given, for any tools", () => {
    fc.assert(
      fc.property(anyPairs(), (pairs) => {
        expect(resolveCollisions(pairs)).toEqual(resolveCollisions(pairs, "plain"));
      }),
    );
  });

  it("leaves its plain name to an exact one, then to the lowest pair, for any tools", () => {
    fc.assert(
      fc.property(anyPairs(), (pairs) => {
        const { tools } = resolveCollisions(pairs);
        for (const tool of tools) {
          const { server, remoteName } = tool;
          const rivals = pairs.filter((other) => wanted(other, "plain") === wanted(tool, "plain"));
          const exact = rivals.filter(({ server, remoteName }) => isExactName(server, remoteName));
          const [first] = (exact.length > 0 ? exact : rivals).toSorted(byPair);
          const keepsName = tool.name === toolName(server, remoteName);
          expect(keepsName).toBe(key(tool) === key(first ?? tool));
        }
      }),
    );
  });

  it("gives every other tool eight digits of its pair's hash while that name is free", () => {
    expect(
      resolveCollisions([pair("a", "b_c"), pair("a_b", "c"), pair("a.b", "c"), pair("a", "b.c")]),
    ).toEqual({
      tools: [
        { server: "a", remoteName: "b_c", name: "a_b_c" },
        { server: "a.b", remoteName: "c", name: `a_b_c_${hash("a.b", "c", 8)}` },
        { server: "a_b", remoteName: "c", name: `a_b_c_${hash("a_b", "c", 8)}` },
        { server: "a", remoteName: "b.c", name: `a_b_c_${hash("a", "b.c", 8)}` },
      ].toSorted(byName),
      collisions: [
        {
          name: "a_b_c",
          winner: { server: "a", remoteName: "b_c" },
          others: [
            { server: "a_b", remoteName: "c", name: `a_b_c_${hash("a_b", "c", 8)}` },
            { server: "a", remoteName: "b.c", name: `a_b_c_${hash("a", "b.c", 8)}` },
            { server: "a.b", remoteName: "c", name: `a_b_c_${hash("a.b", "c", 8)}` },
          ],
          reason: "replaced",
        },
      ],
      repeated: [],
    });
  });

  it("says that nothing was replaced when only the joint differs", () => {
    const { collisions } = resolveCollisions([pair("a_b", "c"), pair("a", "b_c")]);
    expect(collisions.map(({ reason, winner }) => [reason, winner])).toEqual([
      ["joint", { server: "a", remoteName: "b_c" }],
    ]);
  });

  it("hashes the UTF-8 of the pair, a lone surrogate as its escape", () => {
    const { tools } = resolveCollisions([pair("s", "é"), pair("s", "ü"), pair("s", "\ud800")]);
    expect(tools.map(({ name }) => name)).toEqual(
      ["s__", `s___${hash("s", "ü", 8)}`, `s___${hash("s", "\ud800", 8)}`].toSorted(),
    );
    expect(hash("s", "\ud800", 8)).toBe(
      createHash("sha256").update('["s","\\ud800"]').digest("hex").slice(0, 8),
    );
  });

  it("leaves a name that looks hashed to the tool that is called so, on any server", () => {
    const hashed = `a_b_c_${hash("a", "b.c", 8)}`;
    const { tools } = resolveCollisions([
      pair("a", "b.c"),
      pair("a", "b_c"),
      pair("a_b", hashed.slice("a_b_".length)),
    ]);
    expect(tools.map(({ server, name }) => [server, name])).toEqual([
      ["a", "a_b_c"],
      ["a_b", hashed],
      ["a", `a_b_c_${hash("a", "b.c", 16)}`],
    ]);
  });

  it("takes more digits, then a count, where a server lists the hashed names on purpose", () => {
    const victim = pair("s", "a.b");
    const listed = hostileTo(victim);
    const { tools } = resolveCollisions(listed);
    expect(tools).toHaveLength(listed.length);
    expect(tools.find(({ remoteName }) => remoteName === "a.b")?.name).toBe(
      `s_a_b_${hash("s", "a.b", 64)}_3`,
    );
  });

  it("gives the second of two tools with the same eight digits sixteen", () => {
    const { tools } = resolveCollisions([...TWINS, pair("s", "a_b_c_d_e")]);
    expect(tools.map(({ remoteName, name }) => [remoteName, name])).toEqual([
      ["a_b_c_d_e", "s_a_b_c_d_e"],
      [TWINS[0].remoteName, "s_a_b_c_d_e_360fa6d6"],
      [TWINS[1].remoteName, `s_a_b_c_d_e_${hash("s", TWINS[1].remoteName, 16)}`],
    ]);
  });
});

describe("the stable rule", () => {
  it("renames nothing when tools are added, for any tools", () => {
    fc.assert(
      fc.property(anyPairs(), fc.infiniteStream(fc.boolean()), (pairs, coins) => {
        const some = pairs.filter(() => coins.next().value);
        const all = resolveCollisions(pairs, "stable").tools;
        const kept = all.filter((tool) => some.some((other) => key(other) === key(tool)));
        expect(resolveCollisions(some, "stable").tools).toEqual(kept);
      }),
    );
  });

  it("gives each tool the name that its pair alone says, for any tools", () => {
    fc.assert(
      fc.property(anyPairs(), (pairs) => {
        const { tools, collisions } = resolveCollisions(pairs, "stable");
        for (const { server, remoteName, name } of tools) {
          expect(name).toBe(stableName(server, remoteName));
        }
        expect(collisions).toEqual([]);
      }),
    );
  });

  it("reports two tools with one hash and keeps them apart", () => {
    const [first, second] = TWINS;
    const name = "s_a_b_c_d_e_360fa6d6";
    const other = `s_a_b_c_d_e_${hash("s", second.remoteName, 16)}`;
    expect(resolveCollisions([second, first], "stable")).toEqual({
      tools: [
        { ...first, name },
        { ...second, name: other },
      ],
      collisions: [{ name, winner: first, others: [{ ...second, name: other }], reason: "hash" }],
      repeated: [],
    });
  });

  it.each([32, 40, 64])("reports such two cut at %i, and both keep the cap", (maxLength) => {
    const { tools, collisions } = resolveCollisions(LONG_TWINS, { kind: "stable", maxLength });
    const [winner, other] = LONG_TWINS;
    const name = `s_${"x".repeat(maxLength - 11)}_259ea514`;
    expect(Math.max(...tools.map(({ name }) => name.length))).toBe(maxLength);
    expect(collisions.map(({ name, winner }) => [name, winner])).toEqual([[name, winner]]);
    expect(collisions[0]?.others).toEqual([
      {
        ...other,
        name: `s_${"x".repeat(maxLength - 19)}_${hash("s", other.remoteName, 16)}`,
      },
    ]);
  });
});

function pair(server: string, remoteName: string): { server: string; remoteName: string } {
  return { server, remoteName };
}

/** A pair that will not get its plain name, and tools that bear the next five it would take. */
function hostileTo({ server, remoteName }: ToolPair): { server: string; remoteName: string }[] {
  const tool = remoteName.replaceAll(".", "_");
  const ends = [8, 16, 32, 64].map((digits) => `_${hash(server, remoteName, digits)}`);
  return ["", ...ends, `${ends.at(-1)}_2`]
    .map((end) => pair(server, tool + end))
    .concat(pair(server, remoteName));
}

function hash(server: string, remoteName: string, digits: number): string {
  const text = JSON.stringify([server, remoteName]);
  return createHash("sha256").update(Buffer.from(text, "utf8")).digest("hex").slice(0, digits);
}

function wanted({ server, remoteName }: ToolPair, rule: NamingRule): string {
  if (rule === "plain") return toolName(server, remoteName);
  return stableName(server, remoteName, rule === "stable" ? undefined : rule.maxLength);
}

function key({ server, remoteName }: ToolPair): string {
  return JSON.stringify([server, remoteName]);
}

function byName(left: { name: string }, right: { name: string }): number {
  return compareCodePoints(left.name, right.name);
}

function byPair(left: ToolPair, right: ToolPair): number {
  return (
    compareCodePoints(left.server, right.server) ||
    compareCodePoints(left.remoteName, right.remoteName)
  );
}
