import fc from "fast-check";
import { expect, it } from "vitest";
import type { TextStyle } from "../../src/cli/outcome.ts";
import { promptText } from "../../src/cli/prompt-text.ts";
import { readRemarks, readResult } from "../../src/cli/read-text.ts";
import { withoutWorkflowCommands } from "../../src/cli/safe-text.ts";
import { plain } from "../../src/cli/style.ts";
import { anyJson, anyText } from "../support/arbitraries.ts";

const PIPE: TextStyle = { paint: plain, isTerminal: false, columns: null, isWorkflowLog: false };
const TERMINAL: TextStyle = { ...PIPE, isTerminal: true, columns: 80 };
const LOG: TextStyle = { ...PIPE, isWorkflowLog: true };
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u{e0000}-\u{e007f}]/u;
const AGAIN = "mcp-source read a/b";

const anyMember = (): fc.Arbitrary<unknown> => fc.oneof(anyText(), fc.base64String(), anyJson());
const anyContents = (): fc.Arbitrary<Record<string, never>[]> =>
  fc.array(
    fc.dictionary(fc.constantFrom("uri", "mimeType", "text", "blob"), anyMember()) as never,
    { maxLength: 3 },
  );
const read = (contents: readonly object[], style: TextStyle): string | Uint8Array =>
  readResult(contents as never, AGAIN, style);

it("gives a pipe the very bytes of one blob, for any bytes", () => {
  fc.assert(
    fc.property(fc.uint8Array(), (bytes) => {
      const blob = Buffer.from(bytes).toString("base64");
      expect(Buffer.from(read([{ uri: "x", blob }], PIPE))).toEqual(Buffer.from(bytes));
    }),
  );
});

it("gives a pipe the very text of one text, for any text", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), (text) => {
      expect(Buffer.from(read([{ uri: "x", text }], PIPE)).toString("utf8")).toBe(text);
    }),
  );
});

it("gives a terminal text with nothing to act on, for any contents", () => {
  fc.assert(
    fc.property(anyContents(), (contents) => {
      const shown = read(contents, TERMINAL);
      expect(typeof shown).toBe("string");
      expect(shown).not.toMatch(CONTROL);
    }),
    { examples: [[[{ uri: "\u001b[2J", mimeType: "\n---", text: 1, blob: "AA==" } as never]]] },
  );
});

it("writes no byte to the log of a job that its runner would act on, for any text as bytes", () => {
  const anyLines = fc.array(fc.oneof(anyText(), fc.constantFrom("::x::", " ::", "##[y]", "\n")));
  fc.assert(
    fc.property(anyLines, (lines) => {
      const text = lines.join("\n");
      const shown = read([{ uri: "x", blob: Buffer.from(text).toString("base64") }], LOG);
      if (typeof shown === "string") return;
      const said = new TextDecoder().decode(shown);
      expect(withoutWorkflowCommands(said)).toBe(said);
    }),
  );
  expect(read([{ uri: "x", blob: btoa("a\n::b") }], LOG)).toBe(
    "[blob 5 bytes]\nTo keep it: mcp-source read a/b --json",
  );
});

it("says that there is nothing, or that more is elsewhere", () => {
  const remarks = (contents: readonly object[]): readonly string[] =>
    readRemarks(contents as never, AGAIN, PIPE);
  expect(remarks([])).toEqual(["The resource is empty."]);
  expect(remarks([{ blob: "" }])).toEqual([]);
  expect(remarks([{ text: "" }, { blob: "" }])).toEqual([
    "Bytes are in the report, as base64: mcp-source read a/b --json",
  ]);
});

it("shows messages of a prompt on a terminal with nothing to act on, for any JSON", () => {
  const anyMessage = fc.oneof(
    anyJson(),
    fc.record({
      role: fc.oneof(fc.constant("user"), anyJson()),
      content: fc.oneof(fc.record({ type: fc.constant("text"), text: anyText() }), anyJson()),
    }),
  );
  fc.assert(
    fc.property(fc.oneof(fc.array(anyMessage), anyJson()), (messages) => {
      expect(promptText({ messages }, TERMINAL)).not.toMatch(CONTROL);
    }),
  );
});
