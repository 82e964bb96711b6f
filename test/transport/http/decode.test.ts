import { promisify } from "node:util";
import zlib from "node:zlib";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Failure } from "../../../src/failure.ts";
import { createBody, readText } from "../../../src/transport/http/body.ts";
import { decodedBody } from "../../../src/transport/http/decode.ts";
import { failureOf, valueOf } from "../../support/results.ts";
import { httpServerForTest } from "../../support/http-server.ts";
import { answerTo, event, openClient } from "./peer.ts";

const ENCODERS: Readonly<Record<string, (text: string) => Buffer>> = {
  gzip: (text) => zlib.gzipSync(text),
  "x-gzip": (text) => zlib.gzipSync(text),
  deflate: (text) => zlib.deflateSync(text),
  br: (text) => zlib.brotliCompressSync(text),
  identity: (text) => Buffer.from(text),
};

/** The text of a body that arrives in one-byte chunks or whole, under a coding. */
function decode(bytes: Uint8Array, coding: string, max = 1e6): Promise<string | Failure> {
  const stay = (): void => undefined;
  const source = createBody({ drop: stay, pause: stay, resume: stay });
  const body = decodedBody(source, coding, zlib);
  if (body === undefined) return Promise.resolve("unknown");
  const reading = readText(body, max).then((read) => (read.ok ? read.value : read.failure));
  for (const byte of bytes) source.data(Uint8Array.of(byte));
  source.end();
  return reading;
}

describe("a coding", () => {
  it("is undone, for any text under any of them", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...Object.keys(ENCODERS)),
        fc.string({ unit: "grapheme", minLength: 1 }),
        async (coding, text) => {
          expect(await decode(ENCODERS[coding]!(text), ` ${coding.toUpperCase()} `)).toBe(text);
        },
      ),
      { numRuns: 40 },
    );
  });

  it("called deflate may be raw", async () => {
    expect(await decode(zlib.deflateRawSync("text"), "deflate")).toBe("text");
  });

  it.each(["zstd", "gzip, br", "nonsense"])("%s is not ours", async (coding) => {
    expect(await decode(Buffer.from("x"), coding)).toBe("unknown");
  });

  it.each(["gzip", "deflate", "br"])("%s that is a lie is malformed", async (coding) => {
    expect(await decode(Buffer.from('{"a":1}'), coding)).toMatchObject({ tag: "malformed-body" });
  });

  it.each(["gzip", "deflate", "br"])("%s that is cut off is malformed", async (coding) => {
    const whole = ENCODERS[coding]!("x".repeat(3000));
    const half = whole.subarray(0, whole.length - 4);
    expect(await decode(half, coding)).toMatchObject({ tag: "malformed-body" });
  });

  it("is undone no further once the body is dropped", async () => {
    const stay = (): void => undefined;
    const source = createBody({ drop: stay, pause: stay, resume: stay });
    const body = decodedBody(source, "gzip", zlib);
    let chunks = 0;
    const first = new Promise<void>((resolve) => {
      const data = (): void => {
        chunks++;
        body?.drop();
        resolve();
      };
      body?.flow({ data, end: stay, broken: stay });
    });
    source.data(zlib.gzipSync(Buffer.alloc(5_000_000)));
    source.end();
    await first;
    // As much again is decoded elsewhere meanwhile: what would still come has come by then.
    expect(await decode(zlib.gzipSync(Buffer.alloc(5_000_000)), "gzip", 1e7)).toHaveLength(
      5_000_000,
    );
    expect(chunks).toBe(1);
  });

  it("counts the bytes that come out, and stops at the limit", async () => {
    const bomb = zlib.gzipSync(Buffer.alloc(50_000_000));
    expect(await decode(bomb, "gzip", 1000)).toEqual({
      tag: "limit",
      limit: "message-bytes",
      value: 1000,
    });
  });
});

describe("a compressed answer", () => {
  it.each(["gzip", "deflate", "br"])("in %s is read, as JSON and as events", async (coding) => {
    const server = await httpServerForTest((seen, response) => {
      expect(seen.headers["accept-encoding"]).toContain(coding);
      const isJson = seen.message["method"] === "json";
      const type = isJson ? "application/json" : "text/event-stream";
      response.writeHead(200, { "content-type": type, "content-encoding": coding });
      const text = isJson ? JSON.stringify(answerTo(seen)) : event(answerTo(seen));
      response.end(ENCODERS[coding]!(text));
    });
    const client = await openClient(server.url);
    expect(await client.call("json")).toEqual({ ok: true });
    expect(await client.call("events")).toEqual({ ok: true });
  });

  it("streams: the answer arrives while the stream stays open", async () => {
    const server = await httpServerForTest(async (seen, response) => {
      const headers = { "content-type": "text/event-stream", "content-encoding": "gzip" };
      response.writeHead(200, headers);
      const gzip = zlib.createGzip();
      gzip.pipe(response);
      gzip.write(event(answerTo(seen)));
      await promisify((done: () => void) => gzip.flush(done))();
    });
    expect(await (await openClient(server.url)).call("m")).toEqual({ ok: true });
  });

  it("of a refusal is read too", async () => {
    const server = await httpServerForTest((_, response) => {
      response.writeHead(500, { "content-encoding": "br" }).end(ENCODERS["br"]!("why"));
    });
    expect(await (await openClient(server.url)).fail("m")).toMatchObject({ body: "why" });
  });

  it("in a coding nobody asked for is malformed", async () => {
    const server = await httpServerForTest((_, response) => {
      response.writeHead(200, { "content-type": "application/json", "content-encoding": "zstd" });
      response.end("x");
    });
    const client = await openClient(server.url);
    expect(await client.fail("m")).toMatchObject({ tag: "malformed-body" });
  });
});

describe("a body", () => {
  it("that comes before anybody reads it is kept, in order", async () => {
    const stay = (): void => undefined;
    const body = createBody({ drop: stay, pause: stay, resume: stay });
    for (const part of ["a", "b"]) body.data(Buffer.from(part));
    body.end();
    expect(valueOf(await readText(body, 10))).toBe("ab");
  });

  it("that broke before anybody read it is broken", async () => {
    const stay = (): void => undefined;
    const body = createBody({ drop: stay, pause: stay, resume: stay });
    const failure = { tag: "transport", reason: "reset", detail: "x" } as const;
    body.broken(failure);
    expect(failureOf(await readText(body, 10))).toEqual(failure);
  });
});
