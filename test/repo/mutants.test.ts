import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, it } from "vitest";
import { mutants } from "../mutants/list.mjs";
import { ROOT } from "./run-source.ts";

function textOf(file: string): string {
  const path = resolve(ROOT, file);
  return existsSync(path) ? readFileSync(path, "utf8") : "";
}

// `npm run mutants` plants them; here only what keeps the list from going stale.
it("has a place in src for every planted fault, and one only", () => {
  const lost = mutants.filter(({ file, find }) => textOf(file).split(find).length !== 2);
  expect(lost.map(({ file, find }) => `${file}: ${find}`)).toEqual([]);
});

it("plants at least 30 faults, and some on every floor", () => {
  expect(mutants.length).toBeGreaterThanOrEqual(30);
  for (const folder of ["naming", "config", "transport", "lifecycle", "cli"]) {
    expect(mutants.some(({ file }) => file.startsWith(`src/${folder}/`))).toBe(true);
  }
});
