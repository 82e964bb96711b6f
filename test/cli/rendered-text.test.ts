import fc from "fast-check";
import { expect, it } from "vitest";
import type { Connection, Load } from "../../src/index.ts";
import { findingLines } from "../../src/cli/finding-text.ts";
import { listText } from "../../src/cli/list-text.ts";
import type { Finding, TextStyle } from "../../src/cli/outcome.ts";
import { plain } from "../../src/cli/style.ts";
import { anyFailure, anyText } from "../support/arbitraries.ts";

const STYLE: TextStyle = { paint: plain, isTerminal: true, columns: 80, isWorkflowLog: false };
const CONTROL = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u{e0000}-\u{e007f}]/u;

const anyConnection = (): fc.Arbitrary<Connection> =>
  fc.tuple(anyText(), anyText(), anyFailure()).map(([name, stderr, failure]): Connection => ({
    status: "failed",
    name,
    phase: "initialize",
    failure,
    message: stderr,
    stderr: [stderr],
    exitCode: null,
    serverInfo: null,
    protocolVersion: null,
    notes: [],
  }));
const anyTool = (): fc.Arbitrary<Load["tools"][number]> =>
  fc.tuple(anyText(), anyText(), anyText()).map(([name, server, description]) => ({
    name,
    server,
    description,
    remoteName: name,
    inputSchema: {},
    source: "mcp",
    definition: {},
    execute: async () => ({ output: "", isError: false, content: [] }),
  }));
const anyLoad = (): fc.Arbitrary<Load> =>
  fc.tuple(fc.array(anyTool()), fc.array(anyConnection())).map(([tools, connections]) => ({
    tools,
    connections,
    statuses: {},
    errors: {},
    collisions: [],
    diagnostics: [],
    failure: null,
    [Symbol.asyncDispose]: async () => undefined,
  }));
const anyFinding = (): fc.Arbitrary<Finding> =>
  fc.record<Finding>({
    id: fc.constant("timeout"),
    severity: fc.constantFrom("error", "warning", "info"),
    message: anyText(),
    fix: anyText(),
    pointer: anyText(),
    location: fc.record({ file: anyText(), line: fc.nat(), column: fc.nat() }),
    details: fc.array(anyText()),
  });

it("shows a load without a control character and each thing on a line, for any load", () => {
  fc.assert(
    fc.property(anyLoad(), (load) => {
      const text = listText(load, null, STYLE);
      expect(text).not.toMatch(CONTROL);
      expect(text.split("\n")).toHaveLength(load.tools.length + load.connections.length + 3);
    }),
  );
});

it("shows a finding without a control character, its way out last, for any finding", () => {
  fc.assert(
    fc.property(anyFinding(), (finding) => {
      const lines = findingLines(finding, STYLE);
      for (const line of lines) expect(line).not.toMatch(new RegExp(`${CONTROL.source}|\n`, "u"));
      expect(lines.at(-1)).toMatch(/^ {2}Fix: /);
    }),
  );
});
