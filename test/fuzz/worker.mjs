// Runs slices of targets, one after the other, until it is told to end; says what it is about to do,
// so that whoever watches can name the slice that never ends.
import { parentPort, workerData } from "node:worker_threads";
import fc from "fast-check";
import { arbitraries } from "../../dist/testing/index.js";
import { TARGETS } from "./targets.mjs";

const { names, endsAt, replay } = workerData;
const any = arbitraries(fc);
const { postMessage } = parentPort;
const say = postMessage.bind(parentPort);
const strays = [];
process.on("unhandledRejection", (error) => strays.push(String(error?.stack ?? error)));

if (replay === null) {
  for (let turn = 0, isLate = false; !isLate; turn++) {
    const target = TARGETS.get(names[turn % names.length]);
    // The seed is the only randomness, and it is printed with a find.
    const seed = Math.floor(Math.random() * 2 ** 31);
    await slice(target, { seed, numRuns: 300, interruptAfterTimeLimit: 4000 });
    isLate = Date.now() > endsAt;
  }
} else {
  const { name, ...parameters } = replay;
  await slice(TARGETS.get(name), { numRuns: 300, ...parameters });
}
say({ kind: "over" });

async function slice(target, parameters) {
  say({ kind: "slice", name: target.name, seed: parameters.seed });
  const property = fc.asyncProperty(target.input(fc, any), async (input) => {
    await target.check(input);
    if (strays.length > 0) throw new Error(`unhandled: ${strays.splice(0).join("; ")}`);
  });
  const found = await fc.check(property, parameters);
  const { numRuns, failed, seed, counterexamplePath: path, counterexample, errorInstance } = found;
  say({ kind: "runs", name: target.name, count: numRuns });
  if (!failed || counterexample === null) return;
  const error = String(errorInstance?.stack ?? errorInstance).slice(0, 2000);
  say({
    kind: "find",
    find: { name: target.name, seed, path, input: counterexample[0], error },
  });
}
