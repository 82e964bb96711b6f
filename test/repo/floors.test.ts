import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ROOT, run } from "./run-source.ts";

/** A line that the linter must refuse in that file, and the rule it breaks. */
const planted: readonly (readonly [file: string, line: string, rule: string])[] = [
  ["json.ts", 'import "./naming/names.ts";', "no-restricted-imports"],
  ["failure.ts", 'import "node:crypto";', "no-restricted-imports"],
  ["order.ts", "setTimeout(() => undefined, 1);", "no-restricted-globals"],
  ["naming/names.ts", 'import "../config/server.ts";', "no-restricted-imports"],
  ["naming/filter.ts", "Math.random();", "no-restricted-properties"],
  ["config/server.ts", 'import "../protocol/versions.ts";', "no-restricted-imports"],
  ["config/codes.ts", 'import "node:fs";', "no-restricted-imports"],
  ["config/parse-config.ts", "process.cwd();", "no-restricted-globals"],
  ["config/load-config-file.ts", 'import "../lifecycle/connect.ts";', "no-restricted-imports"],
  ["protocol/messages.ts", 'import "../naming/names.ts";', "no-restricted-imports"],
  ["protocol/versions.ts", "new Date();", "no-restricted-globals"],
  ["transport/exchange.ts", 'import "../config/server.ts";', "no-restricted-imports"],
  ["transport/stdio/reaper.ts", 'import "../../lifecycle/connect.ts";', "no-restricted-imports"],
  ["lifecycle/connect.ts", 'import "../operations/ping.ts";', "no-restricted-imports"],
  [
    "lifecycle/paging.ts",
    'import "../transport/stdio/stdio-transport.ts";',
    "no-restricted-imports",
  ],
  ["operations/ping.ts", 'import "../cli/main.ts";', "no-restricted-imports"],
  ["operations/call.ts", 'import "../transport/http/answer.ts";', "no-restricted-imports"],
  ["testing/plan.ts", 'import "fast-check";', "no-restricted-imports"],
  ["testing/peer.ts", 'import "../cli/main.ts";', "no-restricted-imports"],
  ["cli/main.ts", 'import "../lifecycle/connect.ts";', "no-restricted-imports"],
  ["naming/loud.ts", "console.log(1);", "no-console"],
  ["transport/plain.ts", "export default 1;", "no-default-export"],
];

/** A line that it must let through in that file. */
const allowed: readonly (readonly [file: string, line: string])[] = [
  ["naming/hash.ts", 'import { createHash } from "node:crypto";'],
  ["lifecycle/open-server.ts", 'import "../transport/stdio/stdio-transport.ts";'],
  ["operations/tools.ts", 'import "../lifecycle/connect.ts";'],
  ["cli/list.ts", 'import "../index.ts";'],
];

describe("the linter", () => {
  const folder = mkdtempSync(join(tmpdir(), "floors-"));
  let found: readonly { readonly filename: string; readonly code: string }[] = [];

  beforeAll(async () => {
    cpSync(join(ROOT, ".oxlintrc.json"), join(folder, ".oxlintrc.json"));
    // Without one the linter walks up through the whole temporary folder.
    writeFileSync(join(folder, ".gitignore"), "");
    for (const [file, line] of [...planted, ...allowed]) {
      const path = join(folder, "src", file);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, `${line}\n`);
    }
    const oxlint = join(ROOT, "node_modules/oxlint/bin/oxlint");
    const ran = await run(process.execPath, [oxlint, "--format", "json", "src"], folder);
    found = JSON.parse(ran.stdout).diagnostics;
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it.each(planted)("refuses in src/%s the line %s", (file, _line, rule) => {
    const here = found.filter(({ filename }) => filename.endsWith(`src/${file}`));
    expect(here.map(({ code }) => code)).toContainEqual(expect.stringContaining(rule));
  });

  it.each(allowed)("takes in src/%s the line %s", (file) => {
    const here = found.filter(({ filename }) => filename.endsWith(`src/${file}`));
    expect(here.map(({ code }) => code)).not.toContainEqual(expect.stringContaining("restricted"));
  });
});
