import { Buffer } from "node:buffer";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Json } from "../../../src/json.ts";
import { JUNK_BYTES } from "../../../src/transport/stdio/line-reader.ts";
import {
  createMessageReader,
  pushChunk,
  pushEnd,
  unfinishedBytes,
  unfinishedJunk,
} from "../../../src/transport/stdio/message-reader.ts";
import type { Received } from "../../../src/transport/stdio/message-reader.ts";
import { anyJsonObject, anyText } from "../../support/arbitraries.ts";

const LIMIT = 4096;

/** Everything that a stream holds, cut into chunks at these places. */
function readAll(bytes: Buffer, cuts: readonly number[] = [], limit = LIMIT): readonly Received[] {
  const reader = createMessageReader(limit);
  const places = [0, ...cuts.map((cut) => Math.min(cut, bytes.length)).sort((a, b) => a - b)];
  const chunks = places.map((place, index) => bytes.subarray(place, places[index + 1]));
  return [...chunks.flatMap((chunk) => pushChunk(reader, chunk)), ...pushEnd(reader)];
}

function read(text: string): readonly Received[] {
  return readAll(Buffer.from(text));
}

function valuesOf(received: readonly Received[]): readonly Json[] {
  return received.flatMap((one) => (one.kind === "value" ? [one.value] : []));
}

function kindsOf(received: readonly Received[]): readonly string[] {
  return received.map((one) => one.kind);
}

const value = (json: Json): Received => ({ kind: "value", value: json });
const junk = (text: string): Received => ({ kind: "junk", text });

/** Anything a child may write: messages in every form, logs, broken messages, raw bytes. */
const anyPiece = (): fc.Arbitrary<Buffer> =>
  fc.oneof(
    anyJsonObject().map((json) => Buffer.from(`${JSON.stringify(json)}\n`)),
    anyJsonObject().map((json) => Buffer.from(`${JSON.stringify(json, null, 2)}\r\n`)),
    anyJsonObject().map((json) => Buffer.from(JSON.stringify(json).slice(0, -1))),
    anyText().map((text) => Buffer.from(text)),
    fc.uint8Array({ maxLength: 12 }).map((bytes) => Buffer.from(bytes)),
    fc
      .constantFrom(
        "\n",
        "\r\n",
        " ",
        "{",
        "[",
        "}",
        "]",
        '"',
        ",",
        "\u{feff}",
        "log\n",
        "{\n",
        "[\n",
      )
      .map((text) => Buffer.from(text)),
  );

const anyStream = (): fc.Arbitrary<Buffer> =>
  fc.array(anyPiece(), { maxLength: 12 }).map((pieces) => Buffer.concat(pieces));

const anyCuts = (): fc.Arbitrary<number[]> => fc.array(fc.nat(400), { maxLength: 12 });

describe("reading a stream", () => {
  it("gives the same for any bytes in any chunks", () => {
    fc.assert(
      fc.property(anyStream(), anyCuts(), fc.constantFrom(LIMIT, 40), (bytes, cuts, limit) => {
        expect(readAll(bytes, cuts, limit)).toEqual(readAll(bytes, [], limit));
      }),
      { examples: [[Buffer.from('\ufeff{"é":"🧪"}\n'), [1, 2, 5, 9, 10, 11], LIMIT]] },
    );
  });

  it("gives the same byte by byte, for any bytes", () => {
    fc.assert(
      fc.property(anyStream(), (bytes) => {
        const everywhere = Array.from({ length: bytes.length }, (_, place) => place);
        expect(readAll(bytes, everywhere)).toEqual(readAll(bytes));
      }),
    );
  });

  it("gives back each message that was written, for any messages, line ends and junk between", () => {
    const message = anyJsonObject().map((params) => ({ jsonrpc: "2.0", params }));
    const lineEnd = fc.constantFrom("\n", "\r\n", "\n\n", "\n \t\r\n");
    const noise = fc.constantFrom(
      "",
      "\ufeff",
      "  ",
      "loading…\n",
      "[info] {x}\n",
      "}\n",
      "\u001b[0m\n",
    );
    const indent = fc.constantFrom(0, 0, 2, 4, "\t");
    const line = fc.tuple(noise, message, indent, lineEnd);
    fc.assert(
      fc.property(fc.array(line, { maxLength: 8 }), anyCuts(), (lines, cuts) => {
        const text = lines.map(
          ([noise, json, indent, end]) => noise + JSON.stringify(json, null, indent) + end,
        );
        const written = lines.map(([, json]) => JSON.parse(JSON.stringify(json)) as Json);
        const bytes = Buffer.from(text.join(""));
        expect(valuesOf(readAll(bytes, cuts, 1 << 20))).toEqual(written);
      }),
    );
  });

  it("never throws and keeps no more than a line, for any bytes", () => {
    fc.assert(
      fc.property(anyStream(), (bytes) => {
        const reader = createMessageReader(64);
        pushChunk(reader, bytes);
        expect(reader.lines.size).toBeLessThanOrEqual(JUNK_BYTES);
        expect(unfinishedBytes(reader)).toBeLessThanOrEqual(2 * 64 + 1);
      }),
    );
  });
});

describe("a line", () => {
  it("may end in LF, CRLF or the end of the stream, and be blank", () => {
    const reader = createMessageReader(LIMIT);
    const stream = Buffer.from('{"a":1}\n\n  \r\n{"a":2}\r\n{"a":3}');
    expect([...pushChunk(reader, stream), ...pushEnd(reader)]).toEqual([
      value({ a: 1 }),
      value({ a: 2 }),
      value({ a: 3 }),
    ]);
    expect([...reader.oddities]).toEqual(["crlf"]);
  });

  it("may start with a byte order mark", () => {
    const reader = createMessageReader(LIMIT);
    expect(pushChunk(reader, Buffer.from('\ufeff{"a":1}\n'))).toEqual([value({ a: 1 })]);
    expect([...reader.oddities]).toEqual(["bom"]);
  });

  it("has U+FFFD where it is not UTF-8", () => {
    const bytes = Buffer.concat([
      Buffer.from('{"a":"'),
      Buffer.from([0xff, 0xfe]),
      Buffer.from('"}\n'),
    ]);
    expect(readAll(bytes, [7])).toEqual([value({ a: "\ufffd\ufffd" })]);
  });

  it("ends nowhere else: U+2028, U+2029 and U+0085 are text", () => {
    const text = "a\u2028b\u2029c\u0085d";
    expect(read(`${JSON.stringify({ text })}\n`)).toEqual([value({ text })]);
  });

  it("that starts with neither { nor [ is junk, and only its start is kept", () => {
    const reader = createMessageReader(LIMIT);
    const flood = Buffer.alloc(1 << 20, "x");
    for (let left = 8; left > 0; left--) expect(pushChunk(reader, flood)).toEqual([]);
    expect(reader.lines.size).toBe(JUNK_BYTES);
    expect(unfinishedJunk(reader)).toBe("x".repeat(JUNK_BYTES));
    expect(pushChunk(reader, Buffer.from('\n{"a":1}\n'))).toEqual([
      junk("x".repeat(JUNK_BYTES)),
      value({ a: 1 }),
    ]);
  });

  it("that starts like a message and is none is junk, and hides nothing", () => {
    expect(read('{starting}\n[info] {"x":1}\n{"a":1}\n')).toEqual([
      junk("{starting}"),
      junk('[info] {"x":1}'),
      value({ a: 1 }),
    ]);
    expect(read('Loading model... {"jsonrpc":"2.0","id":1,"result":{}}\n')).toEqual([
      junk('Loading model... {"jsonrpc":"2.0","id":1,"result":{}}'),
    ]);
  });

  it("that was cut off by the end of the stream is junk", () => {
    expect(read('{"jsonrpc":"2.0","id":1,"result":{"a')).toEqual([
      junk('{"jsonrpc":"2.0","id":1,"result":{"a'),
    ]);
  });

  it("longer than allowed ends the reading, whether it ends or not", () => {
    const fits = `{"a":"${"x".repeat(LIMIT - 8)}"}`;
    expect(kindsOf(read(`${fits}\n`))).toEqual(["value"]);
    expect(kindsOf(read(`${fits} \n{"b":1}\n`))).toEqual(["overlong"]);
    expect(kindsOf(read(`{"b":1}\n${fits} `))).toEqual(["value", "overlong"]);
  });

  it("of any number of small chunks is kept in few buffers", () => {
    const reader = createMessageReader(1 << 20);
    pushChunk(reader, Buffer.from('{"a":"'));
    for (let left = 100_000; left > 0; left--) pushChunk(reader, Buffer.from("x"));
    expect(reader.lines.parts.length).toBeLessThan(1200);
    expect(pushChunk(reader, Buffer.from('"}\n'))).toEqual([value({ a: "x".repeat(100_000) })]);
  });
});

describe("an answer that is no JSON", () => {
  it("is told by its id, wherever that stands", () => {
    const broken = (text: string): unknown => read(`${text}\n`)[0];
    expect(broken('{"jsonrpc":"2.0","id":7,"result":{"v":NaN}}')).toMatchObject({ id: 7 });
    expect(broken('{ "jsonrpc": "2.0", "id": "7", "error": {x}}')).toMatchObject({ id: 7 });
    expect(broken('{"result":{"v":Infinity},"jsonrpc":"2.0","id":8}')).toMatchObject({ id: 8 });
  });

  it("is not made out of a request, a notification or what merely holds one", () => {
    const lines = [
      '{"jsonrpc":"2.0","id":7,"method":"ping","params":NaN}',
      '{"jsonrpc":"2.0","method":"m","params":{x,"id":7}}',
      '{"log":NaN,"jsonrpc":"2.0","id":8}',
      '{"text":"{\\"jsonrpc\\":\\"2.0\\",\\"id\\":7,\\"result\\":"NaN}',
    ];
    expect(kindsOf(read(`${lines.join("\n")}\n`))).toEqual(["junk", "junk", "junk", "junk"]);
  });
});

describe("a message spread over lines", () => {
  const message = { jsonrpc: "2.0", id: 1, result: { tools: [{ name: 'a"}[{' }], empty: {} } };

  it("is understood and noted", () => {
    const reader = createMessageReader(LIMIT);
    const text = `log\n${JSON.stringify(message, null, 2)}\n${JSON.stringify([message], null, "\t")}\n`;
    expect(pushChunk(reader, Buffer.from(text))).toEqual([
      junk("log"),
      value(message),
      value([message]),
    ]);
    expect([...reader.oddities]).toEqual(["spread-message"]);
  });

  it("may lack the last newline", () => {
    expect(read(JSON.stringify(message, null, 1))).toEqual([value(message)]);
  });

  it("that is cut off hides no later message", () => {
    const next = { jsonrpc: "2.0", id: 2, result: {} };
    const received = read(`{\n  "jsonrpc": "2.0",\n${JSON.stringify(next)}\n{"a":1}\n`);
    expect(received).toEqual([junk('{\n  "jsonrpc": "2.0",'), value(next), value({ a: 1 })]);
  });

  it("with a string over two lines is junk", () => {
    expect(kindsOf(read('{\n"a": "b\nc"\n}\n{"a":1}\n'))).toEqual([
      "junk",
      "junk",
      "junk",
      "value",
    ]);
  });

  it("counts against the size of a message", () => {
    expect(kindsOf(read(`{\n${' "a": 1,\n'.repeat(LIMIT / 8)}`))).toEqual(["overlong"]);
    expect(kindsOf(read(`{\n${"\n".repeat(LIMIT)}`))).toEqual(["overlong"]);
  });
});
