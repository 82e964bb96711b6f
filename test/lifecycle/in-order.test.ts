import fc from "fast-check";
import { expect, it } from "vitest";
import { inOrder } from "../../src/lifecycle/in-order.ts";

it("gives the results in the order of the items, whatever finishes first", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.integer(), { maxLength: 10 }),
      fc.integer({ min: 1, max: 12 }),
      fc.scheduler(),
      async (items, concurrency, scheduler) => {
        let running = 0;
        let most = 0;
        const begun: number[] = [];
        const results = inOrder([...items.entries()], concurrency, {
          run: async ([index, item]) => {
            begun.push(index);
            most = Math.max(most, ++running);
            await scheduler.schedule(Promise.resolve());
            running--;
            return `${index} ${item}`;
          },
          isOver: () => false,
        });
        await scheduler.waitFor(results);
        expect(await results).toEqual(items.map((item, index) => `${index} ${item}`));
        expect(most).toBeLessThanOrEqual(concurrency);
        expect(begun).toEqual([...items.keys()]);
      },
    ),
  );
});

it("begins nothing more once it is over, and keeps what was begun, for any moment", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.nat(10),
      fc.nat(12),
      fc.integer({ min: 1, max: 4 }),
      async (count, end, concurrency) => {
        let begun = 0;
        const results = await inOrder([...Array(count).keys()], concurrency, {
          run: (item) => {
            begun++;
            return Promise.resolve(item);
          },
          isOver: () => begun >= end,
        });
        expect(results).toEqual([...Array(Math.min(count, end)).keys()]);
      },
    ),
  );
});
