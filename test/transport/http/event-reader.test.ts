import { createParser } from "eventsource-parser";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createBody } from "../../../src/transport/http/body.ts";
import type { PipedBody } from "../../../src/transport/http/body.ts";
import { readEvents } from "../../../src/transport/http/event-reader.ts";
import type { StreamEnd } from "../../../src/transport/http/event-reader.ts";
import { anyText } from "../../support/arbitraries.ts";

/** What came out of a stream. */
interface Heard {
  readonly events: unknown[];
  readonly retries: number[];
  readonly end: StreamEnd;
  readonly isDropped: boolean;
}

const encoder = new TextEncoder();

/** Feeds bytes in the given pieces, each as an own chunk. */
async function hear(
  pieces: readonly Uint8Array[],
  options: {
    readonly maxBytes?: number;
    readonly finish?: (body: PipedBody) => void;
    readonly most?: number;
  } = {},
): Promise<Heard> {
  const { maxBytes = 1e9, finish = (body) => body.end(), most = Infinity } = options;
  let isDropped = false;
  const stay = (): void => undefined;
  const body = createBody({ drop: () => void (isDropped = true), pause: stay, resume: stay });
  const events: unknown[] = [];
  const retries: number[] = [];
  const reading = readEvents(
    body,
    { maxBytes, createParser },
    {
      retry: (ms) => void retries.push(ms),
      event: ({ event, id, data }) => events.push({ event, id, data }) < most,
    },
  );
  for (const piece of pieces) body.data(piece);
  finish(body);
  return { events, retries, end: await reading, isDropped };
}

function bytes(text: string): Uint8Array {
  return encoder.encode(text);
}

/** The same bytes, cut at some places. */
function cutAt(whole: Uint8Array, places: readonly number[]): Uint8Array[] {
  const ends = [...new Set(places.map((place) => place % (whole.length + 1)))].sort(
    (a, b) => a - b,
  );
  return [0, ...ends].map((start, at) => whole.subarray(start, ends[at] ?? whole.length));
}

/** Streams with every kind of line end, comments, names, ids, data of any script. */
function anyStream(): fc.Arbitrary<string> {
  const lineEnd = fc.constantFrom("\n", "\r\n", "\r");
  const text = fc
    .oneof(fc.constantFrom("{}", "ä€🧪", "", "x"), anyText())
    .map((line) => line.replaceAll(/[\r\n]/g, " "));
  const line = fc.oneof(
    text.map((data) => `data: ${data}`),
    text.map((data) => `data:${data}`),
    text.map((comment) => `: ${comment}`),
    fc.constantFrom("id: 1", "id", "event: message", "event: ping", "retry: 20", "data", ""),
  );
  return fc
    .tuple(fc.boolean(), fc.array(fc.tuple(line, lineEnd), { maxLength: 30 }))
    .map(([hasBom, lines]) => (hasBom ? "\ufeff" : "") + lines.flat().join(""));
}

describe("an event stream", () => {
  it("gives the same events however it is cut, for any stream", async () => {
    await fc.assert(
      fc.asyncProperty(anyStream(), fc.array(fc.nat(), { maxLength: 40 }), async (text, places) => {
        const whole = await hear([bytes(text)]);
        expect(await hear(cutAt(bytes(text), places))).toEqual(whole);
      }),
      {
        examples: [
          ["data: ä🧪\r\rdata: b\r\n\r\n", [7, 8, 9, 10, 11, 12, 13]],
          ["\ufeffdata: a\n\n", [1, 2]],
        ],
      },
    );
  });

  it("gives the same events byte by byte, also for broken UTF-8", async () => {
    const broken = Uint8Array.from([...bytes("data: "), 0xe2, 0x82, 0x41, 0xff, ...bytes("\n\n")]);
    const whole = await hear([broken]);
    expect(whole.events).toHaveLength(1);
    expect(await hear([...broken].map((byte) => Uint8Array.of(byte)))).toEqual(whole);
  });

  it("does not keep back an event that ends in CR until the next one", async () => {
    const kept = await hear([bytes("data: a\r\r")], { most: 1, finish: () => undefined });
    expect(kept.events).toEqual([{ event: undefined, id: undefined, data: "a" }]);
  });

  it("begins with a byte order mark that is no part of it", async () => {
    const { events } = await hear([
      Uint8Array.of(0xef),
      Uint8Array.of(0xbb, 0xbf),
      bytes("data: a\n\n"),
    ]);
    expect(events).toHaveLength(1);
  });

  it("ends with its last event when it ends cleanly, without it when it breaks", async () => {
    const last = bytes("data: a\n");
    expect((await hear([last])).events).toHaveLength(1);
    const failure = { tag: "transport", reason: "reset", detail: "x" } as const;
    const broken = await hear([last], { finish: (body) => body.broken(failure) });
    expect([broken.events, broken.end]).toEqual([[], failure]);
  });

  it("joins lines of data, and tells ids, names and the wish for a wait", async () => {
    const text = "retry: 500\nid: 7\nevent: message\ndata: a\ndata: b\n\n";
    const { events, retries } = await hear([bytes(text)]);
    expect(events).toEqual([{ event: "message", id: "7", data: "a\nb" }]);
    expect(retries).toEqual([500]);
  });

  it("is read no further than its handler wants", async () => {
    const { events, end } = await hear([bytes("data: a\n\ndata: b\n\n"), bytes("data: c\n\n")], {
      most: 1,
    });
    expect([events.length, end]).toEqual([1, null]);
  });

  it.each([
    ["in one piece", [20]],
    ["in many", Array.from({ length: 60 }, (_, at) => at)],
  ])("may hold an event of the largest size and no larger one, %s", async (_, places) => {
    const fits = bytes(`data: ${"é".repeat(16)}\n\n`);
    expect((await hear(cutAt(fits, places), { maxBytes: 32 })).events).toHaveLength(1);
    const tooLong = await hear(cutAt(bytes(`data: ${"é".repeat(16)}x\n\n`), places), {
      maxBytes: 32,
    });
    expect(tooLong).toMatchObject({
      events: [],
      isDropped: true,
      end: { tag: "limit", limit: "message-bytes", value: 32 },
    });
  });

  it("that never ends a line is given up", async () => {
    const flood = Array.from({ length: 40 }, () => bytes("x".repeat(4096)));
    const heard = await hear(flood, { maxBytes: 10, finish: () => undefined });
    expect(heard.end).toMatchObject({ tag: "limit" });
  });
});
