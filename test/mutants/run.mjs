// npm run mutants [REGEXP]: plants each fault of list.mjs into a copy of the project, one at a time,
// and expects the test it names to fail. A fault that no test sees is a hole in the tests.
import { spawn } from "node:child_process";
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { mutants } from "./list.mjs";

const ROOT = resolve(import.meta.dirname, "../..");
const WORKERS = 2;
const COPIED = [
  "src",
  "test",
  "examples",
  "schema",
  "package.json",
  "tsconfig.json",
  "vitest.config.ts",
];

const wanted = mutants.filter(({ file, test }) =>
  new RegExp(process.argv[2] ?? "").test(`${file} ${test}`),
);
const home = await mkdtemp(join(tmpdir(), "mutants-"));
const tally = { passed: 0, failed: 0 };

try {
  // Some tests read the protocol's own schemas, which lie beside the repository.
  await symlink(resolve(ROOT, "../shared"), join(home, "shared"));
  const copies = await Promise.all(Array.from({ length: WORKERS }, (_, index) => makeCopy(index)));
  const files = [...new Set(wanted.map(({ testFile }) => testFile))];
  await share(copies, files, checkUnharmed);
  await share(copies, wanted, plant);
} finally {
  await rm(home, { recursive: true, force: true });
}
console.log(`${tally.passed} passed, ${tally.failed} failed`);
process.exitCode = tally.failed === 0 ? 0 : 1;

async function makeCopy(index) {
  const copy = join(home, String(index));
  await mkdir(copy);
  await symlink(join(ROOT, "node_modules"), join(copy, "node_modules"));
  const filter = (path) => !path.slice(ROOT.length).includes("node_modules");
  for (const name of COPIED) {
    await cp(join(ROOT, name), join(copy, name), { recursive: true, filter });
  }
  return copy;
}

/** Each copy takes the next piece of work as soon as it is free. */
async function share(copies, work, act) {
  const queue = [...work];
  await Promise.all(
    copies.map(async (copy) => {
      for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
        await act(copy, next);
      }
    }),
  );
}

/** Every test that is to see a fault exists, and passes as long as there is none. */
async function checkUnharmed(copy, testFile) {
  const names = new Set(wanted.filter((m) => m.testFile === testFile).map(({ test }) => test));
  const { results, output } = await runTests(copy, testFile, [...names]);
  for (const name of names) {
    const found = results.filter((result) => matches(result, name));
    if (found.length > 0 && found.every(({ status }) => status === "passed")) continue;
    tally.failed += 1;
    console.log(`NOT GREEN  ${testFile}: ${found.length === 0 ? "there is no test" : ""} ${name}`);
    if (found.length === 0) console.log(output.slice(-500));
  }
}

async function plant(copy, { file, find, replace, testFile, test }) {
  const path = join(copy, file);
  const original = await readFile(path, "utf8");
  const places = original.split(find).length - 1;
  if (places !== 1) return report("NO PLACE", file, `${places} places hold ${find}`);
  await writeFile(
    path,
    original.replace(find, () => replace),
  );
  const { results } = await runTests(copy, testFile, [test]);
  await writeFile(path, original);
  const isSeen = results.some((result) => matches(result, test) && result.status === "failed");
  report(isSeen ? "killed" : "SURVIVED", file, `${find.trim()} -> ${replace.trim()} (${test})`);
}

function report(word, file, text) {
  tally[word === "killed" ? "passed" : "failed"] += 1;
  console.log(`${word.padEnd(9)} ${file}: ${text.replaceAll(/\s+/g, " ")}`);
}

function matches(result, name) {
  return result.title === name || result.fullName.endsWith(name);
}

/** The results of the tests of one file that have these names. */
async function runTests(copy, testFile, names) {
  const report = join(copy, "report.json");
  await rm(report, { force: true });
  const pattern = names.map((name) => name.replaceAll(/[.*+?^${}()|[\]\\/]/g, "\\$&")).join("|");
  const vitest = join(ROOT, "node_modules/vitest/vitest.mjs");
  const args = [vitest, "run", testFile, "-t", pattern, "--reporter=json", "--outputFile", report];
  const output = await ended(spawn(process.execPath, args, options(copy)));
  const text = await readFile(report, "utf8").catch(() => '{"testResults":[]}');
  const files = JSON.parse(text).testResults;
  return { output, results: files.flatMap(({ assertionResults }) => assertionResults) };
}

function options(copy) {
  const env = { ...process.env, FC_SEED: "1", FC_RUNS: "300", NO_COLOR: "1" };
  return { cwd: copy, env, stdio: ["ignore", "pipe", "pipe"], timeout: 120_000 };
}

function ended(child) {
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (data) => (output += data));
  return new Promise((resolve) => child.once("close", () => resolve(output)));
}
