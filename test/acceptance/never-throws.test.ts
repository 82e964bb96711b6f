/**
 * Whatever is handed in, what comes back is a value: no function of the library throws, no promise of
 * its rejects, and nothing is said on the console.
 */
import fc from "fast-check";
import { afterAll, afterEach, beforeAll, expect, it, vi } from "vitest";
import * as library from "../../src/index.ts";
import { createPeer } from "../fixtures/peers/peer.mjs";
import { httpServerForTest } from "../support/http-server.ts";
import { stdioEntry } from "../support/legs.ts";
import { connected } from "../support/results.ts";

/** What a caller may call; the one that throws says so in its name. */
const FUNCTIONS = Object.entries(library).flatMap(([name, value]) =>
  typeof value === "function" && name !== "orThrow" ? [[name, value as Callable] as const] : [],
);

type Callable = (...args: unknown[]) => unknown;

const anything = (): fc.Arbitrary<unknown> =>
  fc.anything({
    withBigInt: true,
    withBoxedValues: true,
    withDate: true,
    withMap: true,
    withNullPrototype: true,
    withObjectString: true,
    withSet: true,
    withSparseArray: true,
    withTypedArray: true,
  });

/** Things of the right kind for one place, to be put into any other. */
function known(live: readonly unknown[]): fc.Arbitrary<unknown> {
  const signal = AbortSignal.abort();
  return fc.oneof(
    fc.constantFrom(...live),
    fc.constantFrom("echo", "remote/echo", "tools/call", "file:///x{y}", { name: "echo" }, signal),
    fc.constantFrom(
      () => undefined,
      () => Promise.resolve("later"),
    ),
    fc.record(
      {
        timeoutMs: fc.oneof(fc.constantFrom(0, 1, NaN, -1, "1"), anything()),
        signal: fc.oneof(fc.constant(signal), anything()),
        onProgress: anything(),
        meta: anything(),
        name: fc.oneof(fc.constant("x"), anything()),
        open: anything(),
        servers: anything(),
        mcpServers: anything(),
        env: anything(),
        headers: anything(),
        url: fc.oneof(fc.constant("http://127.0.0.1:1/mcp"), anything()),
        waitFor: anything(),
        concurrency: anything(),
        onEvent: anything(),
      },
      { requiredKeys: [] },
    ),
  );
}

const said: string[] = [];
const stray: unknown[] = [];
const onStray = (reason: unknown): void => void stray.push(reason);
const onWarning = (warning: Error): void => void said.push(warning.message);

beforeAll(() => {
  for (const method of ["log", "info", "warn", "error", "debug", "trace"] as const) {
    vi.spyOn(console, method).mockImplementation((...words) => void said.push(words.join(" ")));
  }
  process.on("unhandledRejection", onStray);
  process.on("warning", onWarning);
});
afterAll(() => {
  vi.restoreAllMocks();
  process.off("unhandledRejection", onStray);
  process.off("warning", onWarning);
});

afterEach(() => {
  said.length = 0;
  stray.length = 0;
});

/** Values of the library's own, alive: the test that uses them up ends them. */
async function liveValues(): Promise<readonly unknown[]> {
  const load = await library.fromConfig({
    mcpServers: { a: { open: library.memoryTransport(createPeer()) }, off: { disabled: true } },
  });
  const parsed = library.parseConfig({ mcpServers: { a: { url: "http://127.0.0.1:1/mcp" } } });
  const connection = connected(load.connections[0]);
  return [connection, load, load.tools, load.connections[1], parsed, load.tools[0]];
}

it("is the whole library that is tried here", () => {
  expect(FUNCTIONS.length).toBeGreaterThan(50);
});

it.each(FUNCTIONS)("%s gives a value for anything in every argument", async (_, call) => {
  const anyArgument = fc.oneof(anything(), fc.constant(undefined));
  await fc.assert(
    fc.asyncProperty(
      fc.array(anyArgument, { maxLength: 5 }),
      fc.array(anyArgument, { maxLength: 3 }),
      (args, more) => settles(call, args, more),
    ),
  );
  expect([said, stray]).toEqual([[], []]);
});

it.each(FUNCTIONS)("%s gives a value for what belongs elsewhere", async (_, call) => {
  const live = await liveValues();
  const anyArgument = fc.oneof(anything(), known(live));
  await fc.assert(
    fc.asyncProperty(
      fc.oneof(fc.constantFrom(...live), anyArgument),
      fc.array(anyArgument, { maxLength: 4 }),
      fc.array(anyArgument, { maxLength: 3 }),
      (first, rest, more) => settles(call, [first, ...rest], more),
    ),
    { numRuns: 50 },
  );
  expect([said, stray]).toEqual([[], []]);
});

it("says nothing on the console, whatever goes wrong (C084, C116)", async () => {
  const written: unknown[] = [];
  for (const stream of [process.stdout, process.stderr]) {
    vi.spyOn(stream, "write").mockImplementation((text) => {
      written.push(text);
      return true;
    });
  }
  const hung = await httpServerForTest(() => undefined);
  const mcpServers = {
    bad: {},
    dead: { url: "http://127.0.0.1:1/mcp" },
    filtered: { ...stdioEntry(), tools: { gone: true } },
    gone: { command: "/no/such/program" },
    hung: { url: hung.url, timeout: 100 },
    loud: {
      command: [process.execPath, "-e", "console.log(1); console.error(2); process.exit(1)"],
    },
  };
  const loads = [
    await library.fromConfig({ mcpServers }),
    await library.fromConfig({ mcpServers }, { concurrency: 8, signal: AbortSignal.timeout(150) }),
  ];
  const results = loads.flatMap((load) =>
    load.tools.map((tool) => tool.execute({}, { timeoutMs: 1 })),
  );
  await Promise.all(results);
  await Promise.all(loads.map((load) => library.disconnectAll(load)));
  vi.mocked(process.stdout.write).mockRestore();
  vi.mocked(process.stderr.write).mockRestore();
  expect([written, said, stray]).toEqual([[], [], []]);
});

/** Calls a function, and what it gives where that is a function too; waits for promises. */
async function settles(
  call: Callable,
  args: readonly unknown[],
  more: readonly unknown[],
): Promise<void> {
  const given = await call(...args);
  // A function of the caller's own, handed back, may do what it likes.
  const isOurs = typeof given === "function" && !args.includes(given);
  if (isOurs) await (given as Callable)(...more);
  // A rejection that nobody waits for shows a turn later.
  await new Promise((resolve) => setImmediate(resolve));
}
