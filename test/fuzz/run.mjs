// A fuzz of everything that reads what others write, for as long as it is told to:
//
//   npm run fuzz                      two minutes
//   npm run fuzz -- --minutes 20      twenty
//   npm run fuzz -- --target naming --seed 5 --path 0:1    one find again
//
// A find is printed with the line that repeats it, and written to cases/, where a test of `npm test`
// replays it from then on. The last line is "N passed, N failed": inputs and finds.
import { createHash } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { Worker } from "node:worker_threads";
import { TARGETS } from "./targets.mjs";

/** No single input takes this long; whatever does hangs. */
const HANGS_AFTER_MS = 60_000;

const { values } = parseArgs({
  options: {
    minutes: { type: "string", default: "2" },
    target: { type: "string", multiple: true, default: [] },
    seed: { type: "string" },
    path: { type: "string" },
  },
});
const names = values.target.length === 0 ? [...TARGETS.keys()] : values.target;
const unknown = names.filter((name) => !TARGETS.has(name));
if (unknown.length > 0) {
  console.error(`no target ${unknown.join(", ")}; there are ${[...TARGETS.keys()].join(", ")}`);
  process.exit(2);
}
const endsAt = Date.now() + Number(values.minutes) * 60_000;
const counts = new Map(names.map((name) => [name, 0]));
const finds = new Map();

do {
  await watch(new Worker(new URL("./worker.mjs", import.meta.url), { workerData: workOf() }));
} while (values.seed === undefined && Date.now() < endsAt);

for (const [name, count] of counts) console.log(`${name.padEnd(16)} ${count} inputs`);
const passed = [...counts.values()].reduce((sum, count) => sum + count, 0) - finds.size;
console.log(`${Math.max(0, passed)} passed, ${finds.size} failed`);
process.exitCode = finds.size === 0 ? 0 : 1;

function workOf() {
  if (values.seed === undefined) return { names, endsAt, replay: null };
  const path = values.path === undefined ? {} : { path: values.path };
  return { names, endsAt, replay: { name: names[0], seed: Number(values.seed), ...path } };
}

/** Resolves when the worker is over, or hangs and was ended. */
function watch(worker) {
  let current = { name: names[0], seed: 0 };
  return new Promise((resolve) => {
    let timer = setTimeout(hangs, HANGS_AFTER_MS);
    worker.on("message", (message) => {
      clearTimeout(timer);
      timer = setTimeout(hangs, HANGS_AFTER_MS);
      if (message.kind === "slice") current = message;
      else if (message.kind === "runs")
        counts.set(message.name, (counts.get(message.name) ?? 0) + message.count);
      else if (message.kind === "find") keep(message.find);
    });
    worker.on("error", (error) => keep({ ...current, error: String(error?.stack ?? error) }));
    worker.on("exit", () => {
      clearTimeout(timer);
      resolve();
    });
    function hangs() {
      keep({ ...current, error: `no input was done within ${HANGS_AFTER_MS} ms` });
      void worker.terminate();
    }
  });
}

function keep({ name, seed, path, input, error }) {
  const first = error.split("\n")[0];
  const key = `${name}: ${first}`;
  if (finds.has(key)) return;
  finds.set(key, true);
  console.log(`\nFIND in ${name}: ${error}`);
  const place = path === undefined ? "" : ` --path ${path}`;
  console.log(`replay: npm run fuzz -- --target ${name} --seed ${seed}${place}`);
  if (input === undefined) return;
  const text = `${JSON.stringify({ target: name, why: first, input }, null, 2)}\n`;
  const digest = createHash("sha256").update(text).digest("hex").slice(0, 8);
  const file = join(import.meta.dirname, "cases", `${name}-${digest}.json`);
  writeFileSync(file, text);
  console.log(`kept as ${file}`);
}
