import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ROOT } from "./run-source.ts";

/** What must stay on the machine where it was written; spelt so that this file does not hold it. */
const forbidden: readonly (readonly [what: string, pattern: RegExp])[] = [
  ["a folder of one machine", /(?<![\w.}*])\/(?:work|farm)\//],
  ["the host of a package registry", /registry\.(?:npm|yarn)[a-z]*\.[a-z]/],
];

describe("a tracked file", () => {
  // A copy without its history, such as an unpacked archive, tracks nothing.
  it.skipIf(!existsSync(join(ROOT, ".git"))).each(forbidden)("names nowhere %s", (_, pattern) => {
    const files = execFileSync("git", ["ls-files", "-z"], { cwd: ROOT, encoding: "utf8" })
      .split("\0")
      .filter((file) => file !== "" && existsSync(join(ROOT, file)));
    const telling = files.filter((file) => pattern.test(readFileSync(join(ROOT, file), "latin1")));
    expect(files).toContain("package.json");
    expect(telling).toEqual([]);
  });

  it("is seen when it does", () => {
    const planted = [["", "work", "main"].join("/"), ["registry", "npmjs", "org"].join(".")];
    expect(forbidden.map(([, pattern], i) => pattern.test(`cd ${planted[i]}`))).toEqual([
      true,
      true,
    ]);
    expect(forbidden.map(([, pattern]) => pattern.test("./work/a, npmjs.com"))).toEqual([
      false,
      false,
    ]);
  });
});

it("locks packages by what they hold, not by where one machine got them", () => {
  const lock = readFileSync(join(ROOT, "package-lock.json"), "utf8");
  expect(lock).toContain('"integrity"');
  expect(lock).not.toContain('"resolved"');
});
