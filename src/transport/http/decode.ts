/**
 * Undoes the content coding of a body while it flows.
 */
import type * as Zlib from "node:zlib";
import type { Transform } from "node:stream";
import type { Failure } from "../../failure.ts";
import type { Body } from "./body.ts";

/**
 * The same body without its content coding, or undefined for a coding nobody here can undo.
 *
 * Bytes that do not fit their declared coding break the body with `malformed-body`.
 */
export function decodedBody(
  body: Body,
  coding: string | undefined,
  zlib: typeof Zlib,
): Body | undefined {
  const name = (coding ?? "").trim().toLowerCase();
  if (name === "" || name === "identity") return body;
  const create = decoderFor(name, zlib);
  return create === undefined ? undefined : throughDecoder(body, name, create);
}

type CreateDecoder = (firstByte: number) => Transform;

function decoderFor(coding: string, zlib: typeof Zlib): CreateDecoder | undefined {
  switch (coding) {
    case "gzip":
    case "x-gzip":
      return () => zlib.createGunzip();
    case "br":
      return () => zlib.createBrotliDecompress();
    case "deflate":
      // HTTP means the zlib format; some servers send the raw one, whose first byte differs.
      return (firstByte) =>
        (firstByte & 0x0f) === 8 ? zlib.createInflate() : zlib.createInflateRaw();
    default:
      return undefined;
  }
}

function throughDecoder(body: Body, coding: string, create: CreateDecoder): Body {
  let decoder: Transform | null = null;
  const drop = (): void => {
    decoder?.destroy();
    body.drop();
  };
  return {
    drop,
    pause: () => decoder?.pause(),
    resume: () => decoder?.resume(),
    flow: (sink) => {
      const start = (firstByte: number): Transform => {
        const created = create(firstByte);
        created.on("data", sink.data);
        created.on("end", sink.end);
        created.on("drain", body.resume);
        created.on("error", () => {
          sink.broken(undecodable(coding));
          body.drop();
        });
        return created;
      };
      body.flow({
        data: (chunk) => {
          decoder ??= start(chunk[0] ?? 0);
          if (!decoder.write(chunk)) body.pause();
        },
        end: () => (decoder === null ? sink.end() : void decoder.end()),
        broken: (failure) => {
          decoder?.destroy();
          sink.broken(failure);
        },
      });
    },
  };
}

function undecodable(coding: string): Failure {
  return { tag: "malformed-body", detail: `the body is not ${coding}, as its header says` };
}
