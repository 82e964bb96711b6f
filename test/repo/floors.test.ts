import { appendFileSync, cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
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
  ["json.ts", 'import "undici";', "no-restricted-imports"],
  ["naming/names.ts", 'import "../lock/lock.ts";', "no-restricted-imports"],
  ["naming/filter.ts", "Math.random();", "no-restricted-properties"],
  ["naming/old.ts", 'import "fs";', "no-restricted-imports"],
  ["naming/random.ts", 'export { randomUUID } from "node:crypto";', "no-restricted-imports"],
  ["naming/web.ts", "crypto.randomUUID();", "no-restricted-globals"],
  ["config/server.ts", 'import "../protocol/versions.ts";', "no-restricted-imports"],
  ["config/codes.ts", 'import "node:fs";', "no-restricted-imports"],
  ["config/parse-config.ts", "process.cwd();", "no-restricted-globals"],
  ["config/foreign.ts", 'import "undici";', "no-restricted-imports"],
  ["config/load-config-file.ts", 'import "../lifecycle/connect.ts";', "no-restricted-imports"],
  ["protocol/messages.ts", 'import "../naming/names.ts";', "no-restricted-imports"],
  ["protocol/versions.ts", "new Date();", "no-restricted-globals"],
  ["protocol/clock.ts", "globalThis.Date.now();", "no-restricted-globals"],
  ["protocol/timer.ts", 'import "node:timers";', "no-restricted-imports"],
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
  ["naming/collisions.ts", 'import { compareCodePoints } from "../order.ts";'],
  ["naming/sibling.ts", 'import { sanitize } from "./names.ts";'],
  ["config/read-text.ts", 'import { parseTree } from "jsonc-parser";'],
  ["protocol/headers.ts", 'import { isObject } from "../json.ts";'],
  ["lifecycle/open-server.ts", 'import "../transport/stdio/stdio-transport.ts";'],
  ["operations/tools.ts", 'import "../lifecycle/connect.ts";'],
  ["cli/list.ts", 'import "../index.ts";'],
];

interface Finding {
  readonly filename: string;
  readonly code: string;
  readonly labels: readonly { readonly span: { readonly line: number } }[];
}

describe("the linter", () => {
  const folder = mkdtempSync(join(tmpdir(), "floors-"));
  const written = new Map<string, readonly string[]>();
  let findings: readonly Finding[] = [];

  beforeAll(async () => {
    cpSync(join(ROOT, ".oxlintrc.json"), join(folder, ".oxlintrc.json"));
    // Without one the linter walks up through the whole temporary folder.
    writeFileSync(join(folder, ".gitignore"), "");
    for (const [file, line] of [...planted, ...allowed]) {
      const path = join(folder, "src", file);
      mkdirSync(dirname(path), { recursive: true });
      appendFileSync(path, `${line}\n`);
      written.set(file, [...(written.get(file) ?? []), line]);
    }
    const oxlint = join(ROOT, "node_modules/oxlint/bin/oxlint");
    const ran = await run(process.execPath, [oxlint, "--format", "json", "src"], folder);
    findings = JSON.parse(ran.stdout).diagnostics;
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  function codesOf(file: string, line: string): readonly string[] {
    const number = (written.get(file) ?? []).indexOf(line) + 1;
    return findings
      .filter(({ filename }) => filename.endsWith(`src/${file}`))
      .filter(({ labels }) => labels.some(({ span }) => span.line === number))
      .map(({ code }) => code);
  }

  it.each(planted)("refuses in src/%s the line %s", (file, line, rule) => {
    expect(codesOf(file, line)).toContainEqual(expect.stringContaining(rule));
  });

  it.each(allowed)("takes in src/%s the line %s", (file, line) => {
    expect(codesOf(file, line)).not.toContainEqual(expect.stringContaining("restricted"));
  });
});
