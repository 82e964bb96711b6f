import fc from "fast-check";
import { expect, it } from "vitest";
import { readCommandLine } from "../../src/cli/program.ts";
import { anyText } from "../support/arbitraries.ts";

const command = (...argv: string[]) => {
  const line = readCommandLine(argv);
  return line.kind === "run" ? line.command : line;
};

it("reads each command with its arguments", () => {
  expect(command("list", "a", "b")).toEqual({ name: "list", servers: ["a", "b"] });
  expect(command("doctor")).toEqual({ name: "doctor", servers: [] });
  expect(command("check", "a.json", "--strict")).toEqual({
    name: "check",
    files: ["a.json"],
    isStrict: true,
  });
  expect(
    command("call", "t", "a=-1", "--timeout", "500", "--args", "{}", "--answers", "f"),
  ).toEqual({
    name: "call",
    tool: "t",
    words: ["a=-1"],
    args: "{}",
    timeoutMs: 500,
    answers: "f",
  });
});

it("takes the common options before and after the command", () => {
  const before = readCommandLine(["--json", "-c", "x", "--color", "never", "list"]);
  const after = readCommandLine(["list", "--json", "-c", "x", "--color", "never"]);
  expect(before).toEqual(after);
  expect(after).toMatchObject({ settings: { isJson: true, configs: ["x"], color: "never" } });
});

it.each([
  [[], "name a command"],
  [["lits"], "unknown command 'lits' (Did you mean list?)"],
  [["call"], "missing required argument 'tool'"],
  [["list", "--jsno"], "unknown option '--jsno' (Did you mean --json?)"],
  [["list", "-c", "a", "-c", "b"], "list takes one --config; 2 are given"],
  [
    ["call", "t", "--timeout", "soon"],
    "--timeout takes milliseconds, a number above 0, such as 5000",
  ],
] as const)("says what is wrong with %j", (argv, message) => {
  expect(readCommandLine(argv)).toMatchObject({ kind: "wrong", message });
});

it.each(["list", "call", "check", "doctor"])("explains %s with examples", (name) => {
  const line = readCommandLine([name, "--help"]);
  expect(line.kind === "show" && line.text).toMatch(
    new RegExp(`Usage: mcp-source ${name}[^]*Examples:`),
  );
});

it("gives the package's version", () => {
  expect(readCommandLine(["--version"])).toEqual({ kind: "show", text: "0.1.0\n" });
});

it("never throws and writes nothing, for any words", () => {
  const words = fc.oneof(
    anyText(),
    fc.constantFrom("list", "call", "check", "-c", "--json", "--", "--color"),
  );
  fc.assert(
    fc.property(fc.array(words), (argv) => {
      expect(["run", "show", "wrong"]).toContain(readCommandLine(argv).kind);
    }),
  );
});
