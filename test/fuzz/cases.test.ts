/**
 * Whatever `npm run fuzz` found holds from then on, and some inputs that are hard to come by.
 */
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { TARGETS } from "./targets.mjs";

interface Case {
  readonly target: string;
  readonly why: string;
  readonly input: unknown;
}

const folder = join(import.meta.dirname, "cases");
const cases = readdirSync(folder).map((file): readonly [string, Case] => {
  const kept: Case = JSON.parse(readFileSync(join(folder, file), "utf8"));
  return [file, kept];
});

it.each(cases)("%s holds", async (_, { target, input }) => {
  await expect(Promise.resolve(TARGETS.get(target)!.check(input))).resolves.not.toThrow();
});

it("keeps cases of targets that exist", () => {
  expect(cases.length).toBeGreaterThan(0);
  expect(cases.filter(([, { target }]) => !TARGETS.has(target))).toEqual([]);
});
