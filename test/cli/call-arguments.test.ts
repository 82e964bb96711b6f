import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { folderWith, runCli, server } from "./run-cli.ts";

const folder = (): string =>
  folderWith({ mcpServers: { t: server("tools.mjs", { env: { PEER_LOG: "${PEER_LOG}" } }) } });

/** The arguments a call arrived with, and the methods the server heard. */
async function called(args: readonly string[], input = "") {
  const cwd = folder();
  writeFileSync(join(cwd, "args.json"), '{"message":"from a file"}');
  const log = join(cwd, "log");
  const ended = await runCli(["call", ...args], { cwd, input, env: { PEER_LOG: log } });
  const heard = existsSync(log) ? readFileSync(log, "utf8") : "";
  return { ...ended, wasCalled: heard.includes("tools/call") };
}

it.each([
  [
    "key=value",
    ["t_echo", "message=5", "count=5", "loud=true"],
    '{"message":"5","count":5,"loud":true}',
  ],
  ["server/tool", ["t/echo", "message=hi"], '{"message":"hi"}'],
  [
    "nested keys",
    ["t_echo", "message=hi", "place.floor=2"],
    '{"message":"hi","place":{"floor":2}}',
  ],
  ["JSON values", ["t_echo", "message=hi", 'tags=["a","b"]'], '{"message":"hi","tags":["a","b"]}'],
  ["--args", ["t_echo", "--args", '{"message":"hi"}'], '{"message":"hi"}'],
  ["--args @file", ["t_echo", "--args", "@args.json"], '{"message":"from a file"}'],
  [
    "--args and key=value",
    ["t_echo", "--args", "@args.json", "count=1"],
    '{"message":"from a file","count":1}',
  ],
])("sends %s", async (_, args, sent) => {
  const { code, stdout } = await called(args);
  expect(stdout).toBe(`${sent}\n`);
  expect(code).toBe(0);
});

it("sends --args - from stdin", async () => {
  const { stdout } = await called(["t_echo", "--args", "-"], '{"message":"from stdin"}');
  expect(stdout).toBe('{"message":"from stdin"}\n');
});

it.each([
  [[], 'argument "message" is missing (expected: text)'],
  [
    ["message=hi", "count=many"],
    'argument "count" cannot be many (expected: a whole number from 1 to 10)',
  ],
  [["message=hi", "count=11"], 'argument "count" is too large'],
  [["mesage=hi"], 'argument "mesage" is not known; did you mean "message"?'],
  [["message=hi", "colour=blue"], '(expected: "red" or "green")'],
  [
    ["message=hi", "tags=a"],
    'argument "tags" cannot be a (expected: a JSON list, such as ["text"])',
  ],
])("says what is wrong with %j and sends nothing", async (words, message) => {
  const { code, stdout, stderr, wasCalled } = await called(["t_echo", ...words]);
  expect(stderr).toContain(message);
  expect(stderr).toContain("Fix: call it like this: mcp-source call t_echo message=text");
  expect(stdout).toBe("");
  expect(wasCalled).toBe(false);
  expect(code).toBe(2);
});

it.each([
  [["t_echo", "hello"], '"hello" is not an argument of the form key=value'],
  [["t_echo", "--args", "{message:1}"], "--args: the text is not JSON"],
  [["t_echo", "--args", "[1]"], "--args is not a JSON object"],
  [["t_echo", "--args", "@none.json"], "--args: cannot read none.json (ENOENT)"],
  [["t_echo", "--answers", "[1]"], "--answers is not a list of answers"],
  [["t_echo", "--timeout", "0"], "--timeout takes milliseconds"],
])("refuses %j before any server is started", async (args, message) => {
  const { code, stderr, wasCalled } = await called(args);
  expect(stderr).toContain(message);
  expect(wasCalled).toBe(false);
  expect(code).toBe(2);
});
