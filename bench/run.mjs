#!/usr/bin/env node
// Measures the built library against bare loops, as ratios of CPU time within one run.
//   node bench/run.mjs [--rounds 7] [--only REGEXP]
import { execFileSync, spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { callTool, connect, disconnect } from "../dist/index.js";
import { bareHttp, bareStdio } from "./bare.mjs";

const { values: options } = parseArgs({
  options: { rounds: { type: "string", default: "7" }, only: { type: "string", default: "" } },
});
const rounds = Number(options.rounds);
const servers = fileURLToPath(new URL("./servers.mjs", import.meta.url));
const library = new URL("../dist/index.js", import.meta.url).href;

const http = spawn(process.execPath, [servers, "http"], { stdio: ["pipe", "pipe", "inherit"] });
const url = await new Promise((resolve) => {
  http.stdout.once("data", (line) => resolve(String(line).trim()));
});

/** A connection of the library as the bare loops have it. */
async function ours(entry) {
  const connection = await connect({ name: "bench", era: "legacy", ...entry });
  if (connection.status !== "connected") throw new Error(connection.message);
  return {
    call: (args) => callTool(connection, "echo", args),
    close: () => disconnect(connection),
  };
}

/** CPU milliseconds of a piece of work in this process. */
async function cpuOf(work) {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/** So many calls, at most so many in flight. */
async function calls(client, count, inFlight, args) {
  let left = count;
  const worker = async () => {
    while (left-- > 0) await client.call(args);
  };
  await Promise.all(Array.from({ length: inFlight }, worker));
}

const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];

async function compare(name, clients, work) {
  if (!new RegExp(options.only).test(name)) return;
  const [bare, library] = clients;
  for (const client of clients) await work(client);
  const ratios = [];
  for (let round = 0; round < rounds; round++) {
    // Taking turns in going first, so that neither always meets the warmer machine.
    const order = round % 2 === 0 ? [bare, library] : [library, bare];
    const spent = new Map();
    for (const client of order) spent.set(client, await cpuOf(() => work(client)));
    ratios.push(spent.get(library) / spent.get(bare));
  }
  const [low, high] = [Math.min(...ratios), Math.max(...ratios)];
  console.log(
    `${name.padEnd(28)} ×${median(ratios).toFixed(2)}  (${low.toFixed(2)} to ${high.toFixed(2)})`,
  );
}

const SMALL = { text: "x".repeat(200) };
const stdio = [
  await bareStdio(process.execPath, [servers]),
  await ours({ command: process.execPath, args: [servers] }),
];
for (const inFlight of [1, 64, 1024]) {
  await compare(`stdio, ${inFlight} in flight`, stdio, (client) =>
    calls(client, 4096, inFlight, SMALL),
  );
}
await compare("stdio, a 32 MiB answer", stdio, (client) => client.call({ bytes: 2 ** 25 }));

const overHttp = [await bareHttp(url), await ours({ type: "http", url })];
for (const inFlight of [1, 64]) {
  await compare(`HTTP, ${inFlight} in flight`, overHttp, (client) =>
    calls(client, 2048, inFlight, SMALL),
  );
}

for (const client of [...stdio, ...overHttp]) await client.close();
http.stdin.end();

const importing = `const c = process.cpuUsage(); await import(${JSON.stringify(library)});
const { user, system } = process.cpuUsage(c); console.log((user + system) / 1000);`;
const imports = Array.from({ length: rounds }, () =>
  Number(
    execFileSync(process.execPath, ["--input-type=module", "-e", importing], { encoding: "utf8" }),
  ),
);
console.log(`${"importing the library".padEnd(28)} ${median(imports).toFixed(0)} ms of CPU`);
