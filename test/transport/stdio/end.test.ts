import { describe, expect, it } from "vitest";
import { LONG, failureOf, isRunning, openPeer, specOf, until } from "./peer.ts";

const eof = (exitCode: number | null, signal: string | null = null): object => ({
  tag: "peer-eof",
  exitCode,
  signal,
});

describe("a child that exits", () => {
  it("before it answers gives its status and its stderr, every time", async () => {
    for (let round = 0; round < 20; round++) {
      const peer = await openPeer("exits-3");
      expect(await peer.fail("initialize")).toMatchObject(eof(3));
      expect(peer.transport.stderr?.()).toEqual(["fatal: API_TOKEN not set"]);
      expect(await peer.closed).toEqual({
        failure: eof(3),
        exitCode: 3,
        signal: null,
        stderr: ["fatal: API_TOKEN not set"],
      });
    }
  });

  it("in the middle of calls ends them all, and later ones at once", async () => {
    const peer = await openPeer("dies-when-told");
    const pending = [peer.fail("never"), peer.fail("never"), peer.fail("exit", { code: 9 })];
    for (const failure of await Promise.all(pending)) {
      expect(failure).toEqual({ ...eof(9), maybeExecuted: true });
    }
    expect(await peer.fail("echo")).toEqual({ ...eof(9), maybeExecuted: false });
    expect(await peer.transport.notify("x")).toMatchObject({ ok: false, failure: eof(9) });
  });

  it("by a signal gives the signal", async () => {
    const peer = await openPeer("dies-when-told");
    expect(await peer.fail("kill", { signal: "SIGSEGV" })).toMatchObject(eof(null, "SIGSEGV"));
  });

  it("because it was killed from outside gives the signal", async () => {
    const peer = await openPeer("behaves");
    const pid = await peer.fact();
    const pending = peer.fail("never");
    process.kill(pid, "SIGKILL");
    expect(await pending).toMatchObject(eof(null, "SIGKILL"));
  });

  it("some time after its stdout ended gives its status all the same", async () => {
    const peer = await openPeer("dies-when-told");
    expect(await peer.fail("exit-after-stdout", { code: 4 })).toMatchObject(eof(4));
  });

  it("after half an answer gives its status, and not half an answer", async () => {
    const peer = await openPeer("dies-when-told");
    expect(await peer.fail("half")).toMatchObject(eof(0));
  });

  it("after an answer without a newline has answered", async () => {
    const peer = await openPeer("dies-when-told");
    const [last, other] = await Promise.all([peer.call("unterminated"), peer.fail("never")]);
    expect(last).toEqual({ last: true });
    expect(other).toMatchObject(eof(0));
  });

  it("while much is written to it is the cause, and not the broken pipe", async () => {
    const peer = await openPeer("dies-when-told");
    await peer.fact();
    const exit = peer.fail("exit", { code: 5 });
    const calls = Array.from({ length: 50 }, () =>
      peer.fail("echo", { text: "x".repeat(100_000) }),
    );
    for (const failure of await Promise.all([exit, ...calls]))
      expect(failure).toMatchObject(eof(5));
  });

  it("leaves its own children to nobody: they end with it", async () => {
    const peer = await openPeer(specOf("leaves-grandchild", ["apart", "--ignore-sigterm"]));
    const [pid, grandchild] = await Promise.all([peer.fact(), peer.fact("grandchild")]);
    const pending = peer.fail("never");
    process.kill(pid, "SIGKILL");
    expect(await pending).toMatchObject(eof(null, "SIGKILL"));
    await peer.transport.close({ hurry: true });
    expect(isRunning(grandchild)).toBe(false);
  });
});

describe("a wrapper that exits", () => {
  it("leaves the connection alive while the real server holds the pipes", async () => {
    const peer = await openPeer("wraps-and-exits");
    const pid = await peer.fact();
    expect(await peer.call("echo", { a: 1 })).toEqual({ params: { a: 1 } });
    const given = await peer.transport.rpc("never", {}, { timeoutMs: 50 });
    expect(failureOf(given)).toMatchObject({
      tag: "timeout",
      detail: "the process has exited (0), but its stdout is open",
    });
    await peer.transport.close();
    expect(isRunning(pid)).toBe(false);
    expect(await peer.closed).toMatchObject({ failure: null, exitCode: 0 });
  });
});

describe("a child that closes a pipe and lives on", () => {
  it("ends the connection when it is stdout, and is ended then", async () => {
    const peer = await openPeer({ ...specOf("closes-stdout"), stdinGraceMs: 50 });
    const pid = await peer.fact();
    expect(await peer.fail("close-stdout")).toMatchObject(eof(null));
    expect(await peer.closed).toMatchObject({ failure: eof(null), exitCode: null });
    await until(() => !isRunning(pid));
    expect(await peer.fail("echo")).toMatchObject(eof(null));
    await peer.transport.close();
    expect(await peer.fail("echo")).toMatchObject({ tag: "closed", by: "client" });
  });

  it("was the first cause, even when we close a moment later", async () => {
    const lines: string[] = [];
    const onStderr = (line: string): void => void lines.push(line);
    const peer = await openPeer({ ...specOf("closes-stdout"), onStderr, stdinGraceMs: 50 });
    await peer.fact();
    const pending = peer.fail("close-stdout");
    await until(() => lines.includes("closed"));
    await peer.transport.close();
    expect(await pending).toMatchObject(eof(null));
    expect(await peer.closed).toMatchObject({ failure: eof(null) });
  });

  it("fails what is written when it is stdin, and what was written before is still answered", async () => {
    const peer = await openPeer({ ...specOf("closes-stdin"), stdinGraceMs: 50 });
    const pid = await peer.fact();
    expect(await peer.fail("echo")).toMatchObject({
      tag: "transport",
      reason: "write-failed",
      code: "EPIPE",
    });
    expect(await peer.transport.notify("x")).toMatchObject({ ok: false });
    expect(isRunning(pid)).toBe(true);
  });
});

describe("a child that does not read", () => {
  it("delays writes without harm, and a notification no longer than its signal", async () => {
    const warnings: Error[] = [];
    const onWarning = (warning: Error): void => void warnings.push(warning);
    process.on("warning", onWarning);
    const peer = await openPeer("never-reads");
    await until(() => peer.notifications.length === 1);
    const options = { timeoutMs: 300 };
    const text = "x".repeat(100_000);
    const calls = Array.from({ length: 64 }, () => peer.transport.rpc("echo", { text }, options));
    for (const call of await Promise.all(calls)) expect(call).toMatchObject({ ok: false });
    const signal = AbortSignal.timeout(10);
    expect(failureOf(await peer.transport.notify("x", {}, { signal }))).toEqual({
      tag: "cancelled",
    });
    process.off("warning", onWarning);
    expect(warnings).toEqual([]);
  });
});

describe("a message larger than allowed", () => {
  it("ends the connection with the limit, and the child with it", async () => {
    const peer = await openPeer({ ...specOf("writes-large"), maxMessageBytes: 1000 });
    const pid = await peer.fact();
    const limit = { tag: "limit", limit: "message-bytes", value: 1000 };
    expect(await peer.call("large", { bytes: 900 })).toEqual({
      text: "x".repeat(0) + "a".repeat(900),
    });
    expect(await peer.fail("large", { bytes: 1000 })).toMatchObject(limit);
    expect(await peer.closed).toMatchObject({ failure: limit });
    await until(() => !isRunning(pid));
    expect(failureOf(await peer.transport.rpc("echo", {}, LONG))).toMatchObject(limit);
  });
});
