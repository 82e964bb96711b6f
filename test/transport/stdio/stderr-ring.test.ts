import { Buffer } from "node:buffer";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createStderrRing } from "../../../src/transport/stdio/stderr-ring.ts";
import { anyText } from "../../support/arbitraries.ts";

const same = (text: string): string => text;

function linesOf(chunks: readonly Buffer[], redact = same): readonly string[] {
  const ring = createStderrRing(redact);
  for (const chunk of chunks) ring.push(chunk);
  ring.end();
  return ring.lines();
}

describe("the last lines of stderr", () => {
  it("are the same for any text in any chunks", () => {
    const anyCuts = fc.array(fc.nat(100), { maxLength: 10 });
    fc.assert(
      fc.property(fc.array(anyText()), anyCuts, (lines, cuts) => {
        const bytes = Buffer.from(lines.join("\n"));
        const places = [0, ...cuts.map((cut) => Math.min(cut, bytes.length)).sort((a, b) => a - b)];
        const chunks = places.map((place, index) => bytes.subarray(place, places[index + 1]));
        expect(linesOf(chunks)).toEqual(linesOf([bytes]));
      }),
    );
  });

  it("are at most 200, the newest, with their indentation and without their line ends", () => {
    const text = Array.from({ length: 205 }, (_, index) => `  line ${index}\r\n`).join("");
    const lines = linesOf([Buffer.from(text)]);
    expect(lines.length).toBe(200);
    expect(lines[0]).toBe("  line 5");
    expect(lines[199]).toBe("  line 204");
  });

  it("are cut at 64 KiB, and hardly more of them is kept", () => {
    const kept: number[] = [];
    const redact = (text: string): string => {
      kept.push(text.length);
      return text;
    };
    const [line] = linesOf(
      Array.from({ length: 32 }, () => Buffer.alloc(65_536, "x")),
      redact,
    );
    expect(line).toBe(`${"x".repeat(65_536)}…`);
    expect(kept).toEqual([80 * 1024]);
  });

  it("hold no secret, not even across the cut", () => {
    const redact = (text: string): string => text.replaceAll("hunter2", "«PASSWORD»");
    const long = `${"x".repeat(65_533)}hunter2`;
    expect(linesOf([Buffer.from("a hun"), Buffer.from(`ter2\n${long}\n`)], redact)).toEqual([
      "a «PASSWORD»",
      `${"x".repeat(65_533)}«PA…`,
    ]);
  });

  it("include one that has not ended, such as a question nobody will answer", () => {
    const ring = createStderrRing(same);
    ring.push(Buffer.from("one\nProceed? "));
    expect(ring.lines()).toEqual(["one", "Proceed? "]);
  });
});

describe("the caller's window on stderr", () => {
  it("sees each line once, and may throw", () => {
    const seen: string[] = [];
    const ring = createStderrRing(same, (line) => {
      seen.push(line);
      throw new Error("the window broke");
    });
    ring.push(Buffer.from("one\ntwo\nth"));
    ring.push(Buffer.from("ree"));
    ring.end();
    expect(seen).toEqual(["one", "two", "three"]);
    expect(ring.lines()).toEqual(["one", "two", "three"]);
  });
});
