// A long life in a short time: npm run soak [-- --minutes 10]
//
// Connects and closes a thousand times, makes a hundred thousand calls, and loads 500 servers over
// HTTP and 100 over stdio at once; then says what is left of it: children, sockets, listeners,
// memory. Work that does not fit into the time is cut and said to be. The last line is
// "N passed, N failed".
import { spawn, spawnSync } from "node:child_process";
import { getEventListeners } from "node:events";
import { createInterface } from "node:readline";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { disconnectAll, execute, fromConfig } from "../../dist/index.js";
import { scriptedPeer } from "../../dist/testing/index.js";

const { values } = parseArgs({ options: { minutes: { type: "string", default: "10" } } });
const SHELL_SERVER = join(import.meta.dirname, "stdio-server.sh");
const MOST_GROWTH_MB = 5;
const ROUNDS = 1000;
const CALLS = 100_000;
/** Growth is measured from here on, when everything has been loaded and warmed up. */
const WARM_ROUND = 200;

const findings = [];
const startedAt = Date.now();
// Half of the time is for the rounds, a third for the calls, the rest for the large load.
const rest = (share) => startedAt + Number(values.minutes) * 60_000 * share;
const abort = new AbortController();
const listenersBefore = listenerCount();
const stdio = { command: "sh", args: [SHELL_SERVER] };
const servers = await startServers(500);

await rounds();
await calls();
await largeLoad();
await whatIsLeft();
servers.stop();
const failed = findings.filter(({ ok }) => !ok).length;
console.log(`${findings.length - failed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;

function report(what, ok, figure) {
  findings.push({ ok });
  console.log(`${ok ? "ok    " : "FAILED"} ${what}: ${figure} (${seconds()} s)`);
}

function seconds() {
  return ((Date.now() - startedAt) / 1000).toFixed(1);
}

async function rounds() {
  const samples = [];
  let round = 0;
  let bad = 0;
  for (; round < ROUNDS && Date.now() < rest(1 / 2); round++) {
    // A scripted peer remembers all it receives, so each round has its own.
    const { open } = scriptedPeer({ tools: [{ name: "t", inputSchema: {} }] });
    const mcpServers = { a: { url: servers.urls[0] }, b: stdio, c: { open } };
    const load = await fromConfig({ mcpServers }, { concurrency: 3, signal: abort.signal });
    bad += Object.values(load.statuses).filter((status) => status !== "connected").length;
    for (const tool of load.tools) bad += (await tool.execute()).isError ? 1 : 0;
    await disconnectAll(load);
    if (round >= WARM_ROUND && round % 100 === 0) samples.push({ round, ...memory() });
  }
  samples.push({ round, ...memory() });
  report("rounds of connect, call and close over HTTP, stdio and memory", bad === 0, `${round}`);
  if (round < ROUNDS) console.log(`       cut: ${ROUNDS - round} rounds did not fit into the time`);
  for (const { round, heapMb, residentMb } of samples)
    console.log(`       round ${round}: heap ${heapMb} MB, resident ${residentMb} MB`);
  const [first] = samples;
  const last = samples.at(-1);
  const growth = (last.heapMb - first.heapMb).toFixed(2);
  if (round > WARM_ROUND)
    report(`heap growth since round ${WARM_ROUND}`, growth <= MOST_GROWTH_MB, `${growth} MB`);
}

function memory() {
  globalThis.gc?.();
  const { heapUsed, rss } = process.memoryUsage();
  const mb = (bytes) => Number((bytes / 1024 / 1024).toFixed(2));
  return { heapMb: mb(heapUsed), residentMb: mb(rss) };
}

async function calls() {
  const mcpServers = { a: { url: servers.urls[1] }, b: stdio };
  const load = await fromConfig({ mcpServers }, { signal: abort.signal });
  const before = memory();
  let begun = 0;
  let bad = 0;
  const caller = async () => {
    while (begun < CALLS && Date.now() < rest(5 / 6)) {
      const name = begun++ % 2 === 0 ? "a_t" : "b_t";
      const { output } = await execute(load, name, {}, { signal: abort.signal });
      if (output !== "hi") bad++;
    }
  };
  await Promise.all(Array.from({ length: 64 }, caller));
  const growth = (memory().heapMb - before.heapMb).toFixed(2);
  const waiting = getEventListeners(abort.signal, "abort").length;
  await disconnectAll(load);
  report("calls over HTTP and stdio, 64 at a time", bad === 0, `${begun}`);
  if (begun < CALLS) console.log(`       cut: ${CALLS - begun} calls did not fit into the time`);
  report("heap growth over the calls", growth <= MOST_GROWTH_MB, `${growth} MB`);
  report("listeners on the signal of all calls", waiting <= 1, `${waiting}`);
}

async function largeLoad() {
  const mcpServers = Object.fromEntries([
    ...servers.urls.map((url, i) => [`h${i}`, { url, timeout: 120_000 }]),
    ...Array.from({ length: 100 }, (_, i) => [`s${i}`, { ...stdio, timeout: 120_000 }]),
  ]);
  const load = await fromConfig({ mcpServers }, { concurrency: 32, signal: abort.signal });
  const connected = Object.values(load.statuses).filter((status) => status === "connected").length;
  const results = await Promise.all(load.tools.map((tool) => tool.execute()));
  const bad = results.filter(({ output }) => output !== "hi").length;
  await disconnectAll(load);
  const figure = `${connected} connected, ${load.tools.length - bad} called`;
  report(
    "500 servers over HTTP and 100 over stdio in one load",
    connected === 600 && bad === 0,
    figure,
  );
}

async function whatIsLeft() {
  // A socket that was closed here is gone at the other end a moment later.
  let sockets = await servers.openSockets();
  for (let i = 0; i < 50 && sockets > 0; i++) sockets = await servers.openSockets();
  const children = childrenOf(process.pid).filter((pid) => pid !== servers.pid);
  const handles = process.getActiveResourcesInfo().filter((kind) => /TCP|Timeout/.test(kind));
  const listeners = listenerCount() - listenersBefore;
  const onSignal = getEventListeners(abort.signal, "abort").length;
  report("children left", children.length === 0, `${children.length}`);
  report("sockets left at the servers", sockets === 0, `${sockets}`);
  report("sockets and timers left here", handles.length === 0, handles.join(" ") || "0");
  report(
    "listeners left on the process and the signal",
    listeners + onSignal === 0,
    `${listeners + onSignal}`,
  );
}

function listenerCount() {
  const events = ["exit", "SIGINT", "SIGTERM", "beforeExit", "uncaughtException"];
  return events.reduce((sum, event) => sum + process.listenerCount(event), 0);
}

function childrenOf(pid) {
  const { stdout } = spawnSync("ps", ["-eo", "pid=,ppid=,stat=,comm="], { encoding: "utf8" });
  return stdout
    .split("\n")
    .map((line) => line.trim().split(/\s+/))
    .filter(
      ([, parent, state, name]) =>
        Number(parent) === pid && !state.startsWith("Z") && name !== "ps",
    )
    .map(([child]) => Number(child));
}

async function startServers(count) {
  const file = join(import.meta.dirname, "http-servers.mjs");
  const child = spawn(process.execPath, [file, String(count)], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const urls = JSON.parse((await lines.next()).value);
  return {
    urls,
    pid: child.pid,
    openSockets: async () => {
      child.stdin.write("\n");
      return Number((await lines.next()).value);
    },
    stop: () => child.stdin.end(),
  };
}
