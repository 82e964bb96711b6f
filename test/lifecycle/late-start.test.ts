/**
 * How fast a process starts must not decide what is made of it: the same peer, awake at once or up
 * to eight seconds late on a clock of our own, is judged the same.
 */
import fc from "fast-check";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { err, ok } from "../../src/failure.ts";
import type { Failure, Result } from "../../src/failure.ts";
import type { Json, JsonObject } from "../../src/json.ts";
import { connect } from "../../src/lifecycle/connect.ts";
import type { Connection } from "../../src/lifecycle/records.ts";
import type { OpenTransport } from "../../src/transport/transport.ts";
import { fact } from "../support/until.ts";

const MODERN = "2026-07-28";
const LEGACY = "2025-06-18";

type Reply = Result<JsonObject> | "silence" | "exit";
/** What a process does with a request; `seen` holds the methods of the requests before. */
type Behaviour = (method: string, seen: readonly string[]) => Reply;

const refuse = (code: number, data?: Json): Reply =>
  err({ tag: "rpc-error", code, message: "no", ...(data === undefined ? {} : { data }) });
const shake = (): Reply => ok({ protocolVersion: LEGACY, capabilities: { tools: {} } });
const discover = (...supportedVersions: string[]): Reply => ok({ supportedVersions });

/** A process that answers `server/discover` and `initialize` in these ways, and lists one tool. */
function peer(onDiscover: Reply, onInitialize: Behaviour): Behaviour {
  return (method, seen) => {
    if (method === "server/discover") return onDiscover;
    if (method === "initialize") return onInitialize(method, seen);
    return ok({ tools: [{ name: "a", inputSchema: {} }] });
  };
}

const isFirst: Behaviour = (_, seen) => (seen.length === 0 ? shake() : refuse(0));

/** Peers, and what each is to be taken for. */
const PEERS: readonly (readonly [string, Behaviour, string])[] = [
  ["an older server", peer(refuse(-32601), shake), "legacy"],
  ["an older server that is silent before the handshake", peer("silence", shake), "legacy"],
  ["an older server that exits before the handshake", peer("exit", shake), "legacy"],
  ["an older server that answers oddly", peer(ok({ what: 1 }), shake), "legacy"],
  [
    "an older server that refuses the handshake",
    peer(refuse(-32601), () => refuse(-32600)),
    "rpc-error -32600",
  ],
  ["a server of both eras", peer(discover(MODERN, LEGACY), shake), "modern"],
  ["a modern server", peer(discover(MODERN), () => refuse(-32601)), "modern"],
  [
    "a modern server that is silent to a handshake",
    peer(discover(MODERN), () => "silence"),
    "modern",
  ],
  ["a modern server that exits at a handshake", peer(discover(MODERN), () => "exit"), "modern"],
  ["a server that names older versions only", peer(discover(LEGACY), shake), "legacy"],
  ["one that wants those on a fresh process", peer(discover(LEGACY), isFirst), "legacy"],
  [
    "one that names no version of ours, and shakes hands",
    peer(discover("2031-01-01"), shake),
    "unsupported",
  ],
  [
    "one that misses a capability, and shakes hands",
    peer(refuse(-32021), shake),
    "rpc-error -32021",
  ],
  [
    "one that finds headers wrong, and shakes hands",
    peer(refuse(-32020), shake),
    "rpc-error -32020",
  ],
  [
    "one without a common version, that shakes hands",
    peer(refuse(-32022, { supported: ["2031-01-01"] }), shake),
    "unsupported",
  ],
  [
    "one that names an older version in its refusal",
    peer(refuse(-32022, { supported: [LEGACY] }), shake),
    "legacy",
  ],
  [
    "one that contradicts itself",
    peer(refuse(-32022, { supported: [MODERN] }), shake),
    "rpc-error -32022",
  ],
  ["a process that exits whatever it is asked", () => "exit", "peer-eof"],
];

const EOF: Failure = { tag: "peer-eof", exitCode: 1, signal: null };

/** A process that reads nothing until it is awake, and then everything in order. */
function lateProcess(behave: Behaviour, lateMs: number, starts: string[][]): OpenTransport {
  return () => {
    const seen: string[] = [];
    const exited = fact<Result<JsonObject>>();
    const awake = new Promise<void>((resolve) => {
      setTimeout(resolve, lateMs);
    });
    let isDead = false;
    starts.push(seen);
    const rpc = async (method: string): Promise<Result<JsonObject>> => {
      await awake;
      if (isDead) return err(EOF);
      const reply = behave(method, [...seen]);
      seen.push(method);
      if (reply === "silence") return exited.promise;
      if (reply !== "exit") return reply;
      isDead = true;
      exited.resolve(err(EOF));
      return err(EOF);
    };
    return Promise.resolve(
      ok({
        kind: "stdio",
        rpc: (method) => Promise.race([rpc(method), exited.promise]),
        notify: () => Promise.resolve(ok(undefined)),
        close: () => {
          isDead = true;
          exited.resolve(err(EOF));
          return Promise.resolve();
        },
      }),
    );
  };
}

/** What was made of a peer: the era of a connection with its tool, or the failure. */
async function verdict(behave: Behaviour, lateMs: number): Promise<string> {
  const starts: string[][] = [];
  const made: Connection[] = [];
  const open = lateProcess(behave, lateMs, starts);
  void connect({ name: "p", open }).then((connection) => made.push(connection));
  while (made.length === 0) await vi.advanceTimersByTimeAsync(100);
  expect(starts.length).toBeLessThanOrEqual(3);
  const connection = made[0]!;
  if (connection.status === "connected") {
    const { era, protocolVersion, tools } = connection;
    expect(tools.map((tool) => tool.name)).toEqual(["p_a"]);
    expect(protocolVersion).toBe(era === "modern" ? MODERN : LEGACY);
    return era;
  }
  if (connection.status === "disabled") return "disabled";
  const { failure } = connection;
  return failure.tag === "rpc-error" ? `rpc-error ${failure.code}` : failure.tag;
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
});
afterEach(() => {
  vi.useRealTimers();
});

it.each(PEERS)(
  "%s is judged the same, for any start up to 8 s late",
  async (_, behave, expected) => {
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(fc.nat(8000), fc.integer({ min: 4990, max: 5010 })),
        async (lateMs) => {
          expect(await verdict(behave, lateMs)).toBe(expected);
        },
      ),
      { numRuns: 12, examples: [[0], [4900], [5001], [8000]] },
    );
  },
);
