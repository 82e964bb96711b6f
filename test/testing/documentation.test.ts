import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, it } from "vitest";
import { arbitraries } from "../../src/testing/index.ts";
import { ROOT } from "../repo/run-source.ts";

const guide = readFileSync(join(ROOT, "docs/testing.md"), "utf8");
const any = arbitraries(fc);
const plans = fc.sample(any.faultPlan(), { numRuns: 500, seed: 7 });
const kinds = [...new Set(plans.flat().map(({ kind }) => kind))];

it.each(kinds)("the guide has a row for the fault %s", (kind) => {
  expect(guide).toMatch(new RegExp(`^\\| \`${kind}\` +\\|`, "m"));
});

it.each(Object.keys(any))("the guide names the generator %s", (name) => {
  expect(guide).toMatch(new RegExp(`\`${name}(?:\\([a-z]*\\))?\``));
});
