import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Failure } from "../src/failure.ts";
import { cut, describeFailure, err, ok, visible } from "../src/failure.ts";
import { anyFailure, anyText } from "./support/arbitraries.ts";

const texts: [string, Failure][] = [
  [
    "transport (connect-failed)",
    { tag: "transport", reason: "connect-failed", code: "ECONNREFUSED", detail: "refused" },
  ],
  [
    "transport (spawn-failed): no such program: npxx",
    { tag: "transport", reason: "spawn-failed", detail: "no such program: npxx" },
  ],
  ["transport (tls): expired", { tag: "transport", reason: "tls", detail: "expired" }],
  ["transport (tls)", { tag: "transport", reason: "tls", detail: "" }],
  ["http-status (HTTP 503)", { tag: "http-status", status: 503, body: "busy" }],
  [
    "http-status (HTTP 308): redirects to https://b.example/mcp; put that into the config",
    { tag: "http-status", status: 308, body: "", location: "https://b.example/mcp" },
  ],
  [
    "rpc-error (code -32601): Method not found",
    { tag: "rpc-error", code: -32601, message: "Method not found", data: { a: 1 } },
  ],
  ["rpc-error (code 0)", { tag: "rpc-error", code: 0, message: "" }],
  ["peer-exited (status 3)", { tag: "peer-eof", exitCode: 3, signal: null }],
  ["peer-exited (status 0)", { tag: "peer-eof", exitCode: 0, signal: null }],
  ["peer-exited (signal SIGKILL)", { tag: "peer-eof", exitCode: null, signal: "SIGKILL" }],
  [
    "peer-eof (stdout closed, exit status unknown)",
    { tag: "peer-eof", exitCode: null, signal: null },
  ],
  ["timeout (300 ms)", { tag: "timeout", timeoutMs: 300 }],
  ["timeout (300 ms); 2 junk lines", { tag: "timeout", timeoutMs: 300, detail: "2 junk lines" }],
  ["malformed-body: not JSON", { tag: "malformed-body", detail: "not JSON" }],
  ["malformed-body", { tag: "malformed-body", detail: "" }],
  ["limit (pages 1000)", { tag: "limit", limit: "pages", value: 1000 }],
  ["config (neither command nor url)", { tag: "config", detail: "neither command nor url" }],
  ["closed (by client)", { tag: "closed", by: "client" }],
  ["closed (by session-expired)", { tag: "closed", by: "session-expired" }],
  ["cancelled", { tag: "cancelled" }],
  ["invalid-argument: name is empty", { tag: "invalid-argument", detail: "name is empty" }],
  ["unsupported: ping", { tag: "unsupported", detail: "ping" }],
  [
    "unsupported: resources/subscribe; use subscriptions/listen",
    { tag: "unsupported", detail: "resources/subscribe", use: "subscriptions/listen" },
  ],
];

describe("describeFailure", () => {
  it.each(texts)("says %s", (text, failure) => {
    expect(describeFailure(failure)).toBe(text);
    expect(describeFailure(failure, { server: "x", phase: "initialize" })).toBe(
      `mcp server "x" failed at initialize: ${text}`,
    );
  });

  it("ends in what the child wrote", () => {
    const exited: Failure = { tag: "peer-eof", exitCode: 3, signal: null };
    const stderr = ["first line", "second line"];
    expect(describeFailure(exited, { server: "x", phase: "initialize", stderr })).toBe(
      'mcp server "x" failed at initialize: peer-exited (status 3); stderr: first line | second line',
    );
    expect(describeFailure(exited, { stderr: [] })).toBe("peer-exited (status 3)");
  });

  it("keeps the last five stderr lines that are not blank, each cut at 400 characters", () => {
    const line = fc.oneof(
      fc
        .string({ unit: "grapheme-ascii" })
        .map((text) => (text.trim() === "" ? text : `- ${text}`)),
      fc.nat({ max: 900 }).map(longLine),
    );
    const lines = fc.array(line);
    fc.assert(
      fc.property(lines, (lines) => {
        const kept = lines.filter((line) => line.trim() !== "").slice(-5);
        const tail = kept.map((line) => (line.length > 400 ? `${line.slice(0, 400)}…` : line));
        const end = tail.length === 0 ? "" : `; stderr: ${tail.join(" | ")}`;
        expect(describeFailure({ tag: "cancelled" }, { stderr: lines })).toBe(`cancelled${end}`);
      }),
      { examples: [[["1", "2", "3", "4", "5", "6"]], [["a", " ", ""]]] },
    );
  });

  it("keeps of a crash the lines that say why, and of brackets alone the brackets", () => {
    const crash = [
      "node:internal/modules/cjs/loader:1210",
      "  throw err;",
      "  ^",
      "",
      "Error: Cannot find module '/x/typo.js'",
      "    at Module._resolveFilename (node:internal/modules/cjs/loader:1207:15)",
      "    at node:internal/main/run_main_module:28:49 {",
      "  code: 'MODULE_NOT_FOUND',",
      "  requireStack: []",
      "}",
      "",
      "Node.js v20.20.2",
    ];
    expect(describeFailure({ tag: "cancelled" }, { stderr: crash })).toBe(
      "cancelled; stderr: node:internal/modules/cjs/loader:1210 |   throw err; | Error: Cannot find module '/x/typo.js'",
    );
    expect(describeFailure({ tag: "cancelled" }, { stderr: ["}", ""] })).toBe(
      "cancelled; stderr: }",
    );
  });

  it("is one line of visible text, for any failure, server, phase and stderr", () => {
    fc.assert(
      fc.property(
        anyFailure(),
        fc.record({ server: anyText(), phase: anyText(), stderr: fc.array(anyText()) }),
        (failure, context) => {
          expectVisible(describeFailure(failure, context));
        },
      ),
    );
  });

  it("begins with the server and the phase and names the tag, for any failure", () => {
    fc.assert(
      fc.property(anyFailure(), (failure) => {
        const named = failure.tag === "peer-eof" ? /^peer-e(of|xited)/ : failure.tag;
        const text = describeFailure(failure);
        expect(text).toMatch(named);
        expect(text.search(named)).toBe(0);
        expect(describeFailure(failure, { server: "s", phase: "p" })).toBe(
          `mcp server "s" failed at p: ${text}`,
        );
      }),
    );
  });

  it("stays short, however long the peer's text is", () => {
    const long = "x".repeat(1_000_000);
    const stderr = Array.from({ length: 200 }, () => long);
    const failure: Failure = { tag: "rpc-error", code: 1, message: long };
    expect(describeFailure(failure, { server: "x", phase: "p", stderr }).length).toBeLessThan(2600);
  });
});

describe("visible", () => {
  it("leaves no character that acts or cannot be seen, for any text", () => {
    fc.assert(fc.property(anyText(), (text) => expectVisible(visible(text))));
  });

  it("is idempotent, for any text", () => {
    fc.assert(
      fc.property(anyText(), (text) => {
        expect(visible(visible(text))).toBe(visible(text));
      }),
    );
  });

  it("leaves no control, separator or lone surrogate of all there are", () => {
    const all = Array.from({ length: 0x110000 }, (_, point) => String.fromCodePoint(point));
    expect(all.filter((text) => ACTS.test(text) && visible(text) === text)).toEqual([]);
  });

  it.each([
    ["a\nb\r\tc", "a\\nb\\r\\tc"],
    ["\u001b[31mred", "\\u{1b}[31mred"],
    ["\u202egnp.exe", "\\u{202e}gnp.exe"],
    ["a\u200bb", "a\\u{200b}b"],
    ["\ud800", "\\u{d800}"],
    ["hi\u{e0041}\u{e0100}", "hi\\u{e0041}\\u{e0100}"],
    ["é 日本 🧪 ⚠\ufe0f", "é 日本 🧪 ⚠\ufe0f"],
  ])("writes %j as %j", (text, expected) => {
    expect(visible(text)).toBe(expected);
  });
});

describe("cut", () => {
  it("gives the start of the text and no half of a pair, for any text and length", () => {
    fc.assert(
      fc.property(anyText(), fc.nat({ max: 20 }), (text, length) => {
        const start = cut(text, length);
        if (text.length <= length) expect(start).toBe(text);
        else {
          expect(start.endsWith("…")).toBe(true);
          expect(length + 1 - start.length).toBeOneOf([0, 1]);
          const points = Array.from(start).slice(0, -1);
          expect(points).toEqual(Array.from(text).slice(0, points.length));
        }
      }),
      {
        examples: [
          ["a🧪", 2],
          ["🧪🧪", 1],
          ["\ud83d\ud83d\udd2c", 2],
          ["abc", 0],
        ],
      },
    );
  });
});

describe("ok and err", () => {
  it("tell the value from the failure by `ok` alone", () => {
    expect(ok(undefined)).toEqual({ ok: true, value: undefined });
    expect(err({ tag: "cancelled" })).toEqual({ ok: false, failure: { tag: "cancelled" } });
  });
});

function longLine(length: number): string {
  return "x".repeat(length);
}

const ACTS = /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}\p{Bidi_Control}]/u;

function expectVisible(text: string): void {
  expect(text).not.toMatch(ACTS);
}
