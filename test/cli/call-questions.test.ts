import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { folderWith, runCli, runInTerminal, server } from "./run-cli.ts";

const folder = (): string => folderWith({ mcpServers: { t: server("tools.mjs") } });

it("asks a person one field after the other, and again when the type is wrong", async () => {
  const { code, stdout } = await runInTerminal(
    ["call", "t_ask"],
    [
      { after: "Answer? [y/n] ", type: "y\n" },
      { after: "Your name\r\n  text: ", type: "Ada\n" },
      { after: "a whole number from 0: ", type: "ten\n" },
      { after: "expected a whole number from 0\r\n  a whole number from 0: ", type: "36\n" },
      { after: "Enter leaves it out: ", type: "2\n" },
      { after: "Enter for false: ", type: "\n" },
    ],
    { cwd: folder() },
  );
  expect(stdout).toContain('Server "t" asks: Who are you?');
  expect(stdout).toContain("1  red\r\n  2  green");
  expect(stdout).toMatch(
    /\{"action":"accept","content":\{"news":false,"name":"Ada","age":36,"colour":"green"\}\}/,
  );
  expect(code).toBe(0);
});

it.each([
  ["no", "n\n", '{"action":"decline"}'],
  ["the end of input", "\u0004", '{"action":"cancel"}'],
])("takes %s for an answer", async (_, type, result) => {
  const typing = [{ after: "Answer? [y/n] ", type }];
  const { code, stdout } = await runInTerminal(["call", "t_ask"], typing, { cwd: folder() });
  expect(stdout).toContain(result);
  expect(code).toBe(0);
});

it("shows a url in full and opens nothing", async () => {
  const typing = [{ after: "Done? [y/n] ", type: "y\n" }];
  const { stdout } = await runInTerminal(["call", "t_visit"], typing, { cwd: folder() });
  expect(stdout).toContain("  https://example.com/login?state=a\\u{202e}b\r\n");
  expect(stdout).toContain('{"action":"accept"}');
});

it("declines where there is no terminal, and says so", async () => {
  const { code, stdout, stderr } = await runCli(["call", "t_ask"], { cwd: folder() });
  expect(stdout).toBe('{"action":"decline"}\n');
  expect(stderr).toContain(
    'Server "t" asks: Who are you? (declined: this is no terminal; --answers can answer)',
  );
  expect(code).toBe(0);
});

it("answers from a file, and declines when no answer is left", async () => {
  const cwd = folder();
  writeFileSync(join(cwd, "answers.json"), '[{"ok":true,"data":{"name":"Ada","age":36}}]');
  const answered = await runCli(["call", "t_ask", "--answers", "@answers.json"], { cwd });
  expect(JSON.parse(answered.stdout)).toMatchObject({
    action: "accept",
    content: { name: "Ada", age: 36 },
  });
  const declined = await runCli(["call", "t_ask", "--answers", "[]"], { cwd });
  expect(declined.stdout).toBe('{"action":"decline"}\n');
});

it("says which prepared answers nobody asked for, and what was meant", async () => {
  const answers = '[{"ok":true,"data":{"nam":"Ada","name":"Ada","age":36}}]';
  const { stderr, stdout } = await runCli(["call", "t_ask", "--answers", answers], {
    cwd: folder(),
  });
  expect(stderr).toContain('"nam" in --answers is not asked for; did you mean "name"?');
  expect(stdout).toContain('"action":"accept"');
});

it("says that answers are a list when they are an object", async () => {
  const { code, stderr } = await runCli(["call", "t_ask", "--answers", '{"ok":true}'], {
    cwd: folder(),
  });
  expect(stderr).toContain("--answers is not a list of answers");
  expect(code).toBe(2);
});
