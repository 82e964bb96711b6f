/**
 * A load depends on the config and on what servers answer, and on nothing else.
 */
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import fc from "fast-check";
import { expect, it, onTestFinished } from "vitest";
import { compareCodePoints, disconnectAll, fromConfig } from "../../src/index.ts";
import type { Load } from "../../src/index.ts";
import { memoryTransport } from "../../src/transport/memory.ts";
import type { OpenTransport } from "../../src/transport/transport.ts";
import { scripted } from "../support/memory-server.ts";
import { peerLog, stdioEntry } from "../support/legs.ts";

const run = promisify(execFile);

/** What must be the same, byte by byte. */
function outcomeOf({ tools, statuses, errors, collisions }: Load): string {
  return JSON.stringify([tools, statuses, errors, collisions]);
}

it("connects one server at a time, in name order, by the servers' own clocks (C011)", async () => {
  const names = ["b", "a", "10", "9", "B"];
  const logs = names.map(() => peerLog());
  onTestFinished(() => logs.forEach((log) => log.remove()));
  const mcpServers = Object.fromEntries(
    names.map((name, i) => [
      name,
      stdioEntry({ PEER_LOG: logs[i]!.path, PEER_DELAYS: `${(i * 37) % 50},20,0,30` }),
    ]),
  );
  const load = await fromConfig({ mcpServers });
  const spans = names
    .map((name, i) => ({ name, times: logs[i]!.entries().map(({ at }) => at) }))
    .sort((one, other) => one.times[0]! - other.times[0]!);
  const together = await fromConfig({ mcpServers }, { concurrency: 8 });
  await Promise.all([disconnectAll(load), disconnectAll(together)]);
  expect(spans.map(({ name }) => name)).toEqual(["10", "9", "B", "a", "b"]);
  for (const [i, { times }] of spans.entries()) {
    const next = spans[i + 1];
    if (next !== undefined) expect(next.times[0]).toBeGreaterThanOrEqual(times.at(-1)!);
  }
  expect(load.errors).toEqual({});
  expect(outcomeOf(together)).toBe(outcomeOf(load));
});

it("gives the same bytes, for any delays in the servers, one or eight at once (C012)", async () => {
  const names = ["a", "a_b", "aa", "dead", "off"];
  const delaysOf = (count: number): fc.Arbitrary<number[]> =>
    fc.array(fc.nat(2), { minLength: count, maxLength: count });
  const load = async (delays: number[], concurrency: number): Promise<string> => {
    const mcpServers = Object.fromEntries(
      names.map((name, i) => [
        name,
        { open: delayed(name, delays.slice(i * 4, i * 4 + 4)), disabled: name === "off" },
      ]),
    );
    const loaded = await fromConfig({ mcpServers }, { concurrency });
    await disconnectAll(loaded);
    return outcomeOf(loaded);
  };
  const expected = await load([], 1);
  expect(expected).toContain('"dead":"mcp server');
  await fc.assert(
    fc.asyncProperty(
      delaysOf(names.length * 4),
      fc.constantFrom(1, 8),
      async (delays, concurrency) => {
        expect(await load(delays, concurrency)).toBe(expected);
      },
    ),
    { numRuns: 100 },
  );
});

/** A server with a few tools, some under names that others want too, and a delay before each answer. */
function delayed(name: string, delays: number[]): OpenTransport {
  const left = [...delays];
  const tools = ["c", "b_c", "Z", "aa", name].map((tool) => ({ name: tool, inputSchema: {} }));
  const answer = scripted(name === "dead" ? {} : { "tools/list": () => ({ tools }) });
  return memoryTransport(async (message, send) => {
    await sleep(left.shift() ?? 0);
    return answer(message, send);
  });
}

it("gives the same bytes in every locale, over the compiled library (C012)", async () => {
  const library = resolve(import.meta.dirname, "../../dist/index.js");
  expect(existsSync(library), "npm run build comes first").toBe(true);
  const script = resolve(import.meta.dirname, "../fixtures/peers/loads.mjs");
  const outcomes = await Promise.all(
    [
      ["C", "1"],
      ["da_DK.UTF-8", "1"],
      ["tr_TR.UTF-8", "8"],
      ["da_DK.UTF-8", "8"],
    ].map(async ([locale = "", concurrency = ""]) => {
      const env = { ...process.env, LC_ALL: locale, LANG: locale };
      return (await run(process.execPath, [script, library, "5", concurrency], { env })).stdout;
    }),
  );
  expect(new Set(outcomes).size).toBe(1);
  const [tools, statuses]: [{ name: string }[], Record<string, string>] = JSON.parse(outcomes[0]!);
  expect(outcomes[0]!.trimEnd().split("\n")).toHaveLength(1);
  const names = tools.map(({ name }) => name);
  expect(names).toEqual(names.toSorted(compareCodePoints));
  expect(Object.values(statuses).filter((status) => status === "connected")).toHaveLength(12);
});
