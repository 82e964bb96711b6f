import { Writable } from "node:stream";
import { describe, expect, it } from "vitest";
import type { Failure } from "../../../src/failure.ts";
import { createWriter } from "../../../src/transport/stdio/writer.ts";

const BROKEN: Failure = { tag: "peer-eof", exitCode: 1, signal: null };

/** A stream that takes a write when the test says so. */
function manualStream(): {
  readonly stream: Writable;
  readonly writes: string[];
  take(error?: Error): Promise<void>;
} {
  const writes: string[] = [];
  let taken: ((error?: Error) => void) | undefined;
  const stream = new Writable({
    decodeStrings: false,
    highWaterMark: 1,
    write: (text, _, done) => {
      writes.push(String(text));
      taken = done;
    },
  });
  const take = async (error?: Error): Promise<void> => {
    await turn();
    taken?.(error);
    await turn();
  };
  return { stream, writes, take };
}

/** One turn of the event loop. */
function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

describe("writing lines", () => {
  it("joins the lines of one tick, microtasks included, in their order", async () => {
    const { stream, writes, take } = manualStream();
    const writer = createWriter(stream, () => Promise.resolve(BROKEN));
    const first = writer.send("1\n");
    void Promise.resolve().then(() => writer.send("3\n"));
    const second = writer.send("2\n");
    await take();
    expect(writes).toEqual(["1\n2\n3\n"]);
    expect(await Promise.all([first, second])).toEqual([null, null]);
  });

  it("starts no write before the last one was taken, and never listens for drain", async () => {
    const { stream, writes, take } = manualStream();
    const writer = createWriter(stream, () => Promise.resolve(BROKEN));
    void writer.send("0\n");
    await take();
    const sent = Array.from({ length: 1000 }, (_, index) => writer.send(`${index}\n`));
    await turn();
    expect(writes.length).toBe(2);
    for (let index = 1000; index < 1100; index++) {
      sent.push(writer.send(`${index}\n`));
      await turn();
    }
    const inFlight = writes[1]!.length;
    expect(stream.writableLength).toBe(inFlight);
    expect(stream.listenerCount("drain")).toBe(0);
    await take();
    await take();
    expect(writes.slice(1).join("")).toBe(
      Array.from({ length: 1100 }, (_, index) => `${index}\n`).join(""),
    );
    expect(new Set(await Promise.all(sent))).toEqual(new Set([null]));
  });

  it("asks once why the stream broke, and fails every line with that", async () => {
    const { stream, take } = manualStream();
    const asked: unknown[] = [];
    const writer = createWriter(stream, (code) => {
      asked.push(code);
      return Promise.resolve(BROKEN);
    });
    const first = writer.send("1\n");
    await turn();
    const second = writer.send("2\n");
    await take(Object.assign(new Error("write EPIPE"), { code: "EPIPE" }));
    expect(await Promise.all([first, second, writer.send("3\n")])).toEqual([
      BROKEN,
      BROKEN,
      BROKEN,
    ]);
    expect(asked).toEqual(["EPIPE"]);
  });

  it("ends the stream after the lines that wait", async () => {
    const { stream, writes, take } = manualStream();
    const writer = createWriter(stream, () => Promise.resolve(BROKEN));
    const sent = writer.send("1\n");
    writer.end();
    await take();
    expect(await sent).toBe(null);
    expect(writes).toEqual(["1\n"]);
    expect(stream.writableFinished).toBe(true);
    expect(await writer.send("2\n")).toEqual(BROKEN);
  });
});
