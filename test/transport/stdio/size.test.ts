import { describe, expect, it } from "vitest";
import { openPeer } from "./peer.ts";
import type { Peer } from "./peer.ts";

const MIB = 1 << 20;

/** The shortest of some calls for a text of this size, in milliseconds. */
async function fastest(peer: Peer, bytes: number): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < 3; round++) {
    const start = performance.now();
    const { text } = await peer.call("large", { bytes });
    times.push(performance.now() - start);
    expect(typeof text === "string" && text.length).toBe(bytes);
  }
  return Math.min(...times);
}

describe("a large message", () => {
  it("of 64 MiB takes about eight times as long as one of 8 MiB", async () => {
    const peer = await openPeer("writes-large");
    await fastest(peer, MIB);
    const small = await fastest(peer, 8 * MIB);
    const large = await fastest(peer, 64 * MIB);
    // Joining the buffer at each chunk makes it more than fifty times.
    expect(large / small).toBeLessThan(20);
  });
});

describe("a flood", () => {
  it.each(["x", "\n", `${"log ".repeat(20)}\n`])(
    "of %j on stdout, larger than any message may be, is dropped as it arrives",
    async (unit) => {
      const peer = await openPeer("writes-large");
      await peer.call("junk", { bytes: MIB, unit });
      const before = process.memoryUsage().rss;
      await peer.call("junk", { bytes: 192 * MIB, unit });
      expect((process.memoryUsage().rss - before) / MIB).toBeLessThan(128);
    },
  );

  it("of stderr blocks no answer", async () => {
    const peer = await openPeer("floods-stderr");
    for (let call = 0; call < 8; call++) {
      expect(await peer.call("echo", { call })).toEqual({ params: { call } });
    }
    expect(peer.transport.stderr?.().length).toBe(200);
  });
});
