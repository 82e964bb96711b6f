import fc from "fast-check";
import { expect, it } from "vitest";
import { COMMAND_NAMES } from "../../src/cli/commands.ts";
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
    command("call", "t", "a=-1", "--timeout", "500", "--args", "{}", "--answers", "f", "--task"),
  ).toEqual({
    name: "call",
    tool: "t",
    words: ["a=-1"],
    args: "{}",
    timeoutMs: 500,
    answers: "f",
    isTask: true,
  });
});

it("reads each command about prompts and resources with its arguments", () => {
  expect(command("prompts", "a", "--server", "b")).toEqual({
    name: "prompts",
    servers: ["a", "b"],
  });
  expect(command("resources")).toEqual({ name: "resources", servers: [] });
  expect(command("prompt", "p", "a=1", "--server", "s", "--timeout", "500")).toEqual({
    name: "prompt",
    prompt: "p",
    words: ["a=1"],
    server: "s",
    timeoutMs: 500,
  });
  expect(command("read", "x://y", "--answers", "f")).toEqual({
    name: "read",
    uri: "x://y",
    answers: "f",
  });
  expect(command("complete", "p", "a", "", "--context", "b=1", "--context", "c=2")).toEqual({
    name: "complete",
    reference: "p",
    argument: "a",
    value: "",
    context: ["b=1", "c=2"],
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
  [
    ["read", "x://y", "--timeout", "0"],
    "--timeout takes milliseconds, a number above 0, such as 5000",
  ],
  [["check", "--era", "modern"], "check connects no server, so no --era"],
] as const)("says what is wrong with %j", (argv, message) => {
  expect(readCommandLine(argv)).toMatchObject({ kind: "wrong", message });
});

it.each(COMMAND_NAMES)("explains %s with examples", (name) => {
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
