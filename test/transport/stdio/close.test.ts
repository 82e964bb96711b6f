import { describe, expect, it } from "vitest";
import { stdioTransport } from "../../../src/transport/stdio/stdio-transport.ts";
import { LONG, isRunning, openPeer, specOf, valueOf } from "./peer.ts";

/** How long an ending took, in milliseconds. */
async function timed(end: () => Promise<void>): Promise<number> {
  const start = performance.now();
  await end();
  return performance.now() - start;
}

const GRACES = { stdinGraceMs: 60_000, termGraceMs: 60_000 };

describe("closing", () => {
  it("lets a child exit by itself when its stdin ends, and waits no longer", async () => {
    const peer = await openPeer({ ...specOf("behaves"), ...GRACES });
    const pid = await peer.fact();
    await peer.transport.close();
    expect(isRunning(pid)).toBe(false);
    expect(await peer.closed).toEqual({ failure: null, exitCode: 0, signal: null, stderr: [] });
  });

  it("sends SIGTERM to a child that stays", async () => {
    const peer = await openPeer({ ...specOf("ignores-eof"), ...GRACES, stdinGraceMs: 50 });
    const pid = await peer.fact();
    await peer.transport.close();
    expect(isRunning(pid)).toBe(false);
    expect(await peer.closed).toMatchObject({ failure: null, exitCode: null, signal: "SIGTERM" });
  });

  it("kills a child that stays even then, and waits until it is dead", async () => {
    const spec = { ...specOf("ignores-sigterm"), stdinGraceMs: 50, termGraceMs: 50 };
    const peer = await openPeer(spec);
    const pid = await peer.fact();
    await peer.transport.close();
    expect(isRunning(pid)).toBe(false);
    expect(await peer.closed).toMatchObject({ signal: "SIGKILL" });
  });

  it("in a hurry does not wait the polite time", async () => {
    const peer = await openPeer({ ...specOf("ignores-sigterm"), ...GRACES });
    const pid = await peer.fact();
    await peer.transport.close({ hurry: true });
    expect(isRunning(pid)).toBe(false);
  });

  it("in a hurry hastens a polite close that runs", async () => {
    const peer = await openPeer({ ...specOf("ignores-sigterm"), ...GRACES });
    const pid = await peer.fact();
    const polite = peer.transport.close();
    await peer.transport.close({ hurry: true });
    await polite;
    expect(isRunning(pid)).toBe(false);
  });

  it("is idempotent: any number of closes at any time end with one end", async () => {
    const peer = await openPeer({ ...specOf("ignores-eof"), ...GRACES, stdinGraceMs: 50 });
    const closes = Array.from({ length: 5 }, () => peer.transport.close());
    await Promise.all(closes);
    await peer.transport.close();
    await peer.transport.close({ hurry: true });
    expect(await timed(() => peer.transport.close())).toBeLessThan(50);
  });

  it("ends what is pending and what comes later with closed, and delivers nothing after", async () => {
    const peer = await openPeer("behaves");
    await peer.fact();
    const pending = peer.fail("hold");
    const release = peer.fail("release");
    const closing = peer.transport.close();
    const closed = { tag: "closed", by: "client" };
    expect(await pending).toEqual({ ...closed, maybeExecuted: true });
    expect(await release).toMatchObject(closed);
    expect(await peer.fail("echo")).toEqual({ ...closed, maybeExecuted: false });
    expect(await peer.transport.notify("x")).toMatchObject({ ok: false, failure: closed });
    await closing;
    expect(peer.notes).toEqual([]);
  });

  it("in the middle of a chunk delivers nothing of the rest", async () => {
    const seen: unknown[] = [];
    const opened = await stdioTransport(specOf("writes-raw"))(
      {
        request: () => Promise.resolve(null),
        notification: ({ method }) => {
          seen.push(method);
          void transport.close();
        },
      },
      {},
    );
    const transport = valueOf(opened);
    const text = ["a", "b"].map((method) => `${JSON.stringify({ jsonrpc: "2.0", method })}\n`);
    const given = await transport.rpc("raw", { text: text.join("") }, LONG);
    expect(given).toMatchObject({ ok: false, failure: { tag: "closed" } });
    await transport.close();
    expect(seen).toEqual(["a"]);
  });

  it("still sends what was handed over before", async () => {
    const lines: string[] = [];
    const peer = await openPeer({
      command: "/bin/sh",
      args: ["-c", "cat >&2"],
      env: { PATH: process.env["PATH"]! },
      onStderr: (line) => lines.push(line),
    });
    void peer.transport.notify("notifications/last");
    await peer.transport.close();
    expect(lines).toEqual(['{"jsonrpc":"2.0","method":"notifications/last"}']);
  });

  it("resolves for a child that never reads", async () => {
    const peer = await openPeer({ ...specOf("never-reads"), stdinGraceMs: 50 });
    const waiting = peer.transport.notify("x", { text: "x".repeat(10_000_000) });
    await peer.transport.close();
    expect(await waiting).toMatchObject({ ok: false, failure: { tag: "closed" } });
  });
});

describe("closing a child that has started others", () => {
  // Where PID 1 reaps nobody, a grandchild is a zombie of the group after SIGTERM; that must not
  // cost the time a living one is given.
  it.each([
    ["apart", [], 60_000],
    ["inherit", [], 60_000],
    ["apart", ["--ignore-sigterm"], 100],
    ["inherit", ["--ignore-sigterm"], 100],
  ])("ends those too: pipes %s, %j", async (pipes, args, termGraceMs) => {
    const spec = { ...specOf("leaves-grandchild", [pipes, ...args]), ...GRACES, termGraceMs };
    const peer = await openPeer(spec);
    const started = await Promise.all([peer.fact(), peer.fact("grandchild")]);
    expect(started.map(isRunning)).toEqual([true, true]);
    await peer.transport.close();
    expect(started.map(isRunning)).toEqual([false, false]);
  });
});

describe("the host's exit listener", () => {
  it("is there once while children live, and not after", async () => {
    const before = process.listenerCount("exit");
    const peers = await Promise.all(Array.from({ length: 12 }, () => openPeer("behaves")));
    expect(process.listenerCount("exit")).toBe(before + 1);
    await Promise.all(peers.map((peer) => peer.transport.close()));
    expect(process.listenerCount("exit")).toBe(before);
  });

  it("is not left by a child that exits by itself, or that was never started", async () => {
    const before = process.listenerCount("exit");
    const peer = await openPeer("exits-3");
    await peer.closed;
    expect(process.listenerCount("exit")).toBe(before);
  });
});
