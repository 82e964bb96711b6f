import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createIdTable } from "../../src/transport/id-table.ts";

/** What is done to a table: an id is set, as many counted up as it says, or one is taken out. */
type Step = { readonly set: number } | { readonly delete: number };

function anySteps(): fc.Arbitrary<readonly Step[]> {
  const step = fc.oneof(
    { weight: 3, arbitrary: fc.record({ set: fc.integer({ min: 1, max: 70 }) }) },
    fc.record({ delete: fc.nat(400) }),
  );
  return fc.array(step, { maxLength: 300, size: "max" });
}

describe("a table by counting ids", () => {
  it("holds what a Map would hold, for any coming and going", () => {
    fc.assert(
      fc.property(anySteps(), (steps) => {
        const table = createIdTable<string>();
        const map = new Map<number, string>();
        let next = 1;
        for (const step of steps) {
          if ("set" in step) {
            const id = (next += step.set);
            table.set(id, `v${id}`);
            map.set(id, `v${id}`);
          } else {
            const id = [...map.keys()][step.delete] ?? step.delete;
            table.delete(id);
            map.delete(id);
          }
          expect(table.size).toBe(map.size);
        }
        expect(table.values()).toEqual([...map.values()]);
        for (let id = 0; id <= next; id++) expect(table.get(id)).toBe(map.get(id));
      }),
    );
  });

  it("knows nothing under what is no number", () => {
    const table = createIdTable<string>();
    table.set(1, "one");
    expect(["1", null, undefined, {}, 1.5, -1, NaN].map((id) => table.get(id))).toEqual(
      Array(7).fill(undefined),
    );
  });
});
