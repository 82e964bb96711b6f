import { describe, expect, it } from "vitest";
import { everything, folderWith, garden, runCli, runInTerminal, server } from "./run-cli.ts";

const both = (): string => folderWith({ mcpServers: { everything, garden } });
const shelves = (): string =>
  folderWith({ mcpServers: { a: server("shelf.mjs"), b: server("shelf.mjs"), garden } });

describe("prompts", () => {
  it("lists the prompts of every server with their arguments, optional ones in brackets", async () => {
    const { code, stdout, stderr } = await runCli(["prompts"], { cwd: both() });
    expect(stdout).toMatch(/^PROMPT +SERVER +ARGUMENTS +DESCRIPTION\n/);
    expect(stdout).toMatch(/\nargs-prompt +everything +city \[state\] +A prompt with two/);
    expect(stdout).toMatch(/\ndescribe +garden +plant\n/);
    expect(stdout).toMatch(/\nSERVER +STATUS +PROMPTS +DETAIL\neverything +connected +4 /);
    expect(stderr).toBe("Using mcp.json\n");
    expect(code).toBe(0);
  });

  it("is one document under --json, in the order of servers and names", async () => {
    const { stdout } = await runCli(["prompts", "--json"], { cwd: both() });
    const report = JSON.parse(stdout);
    expect(report).toMatchObject({ command: "prompts", ok: true, errors: [] });
    expect(report.prompts.map((one: { name: string }) => one.name)).toEqual([
      "args-prompt",
      "completable-prompt",
      "resource-prompt",
      "simple-prompt",
      "describe",
    ]);
    expect(report.prompts[4]).toEqual({
      name: "describe",
      server: "garden",
      arguments: [{ name: "plant", required: true }],
    });
  });

  it("starts only the servers that are named, and takes one without prompts as it is", async () => {
    const cwd = folderWith({ mcpServers: { t: server("tools.mjs"), crash: server("crash.mjs") } });
    const { code, stdout } = await runCli(["prompts", "--server", "t"], { cwd });
    expect(stdout).toBe(
      "No prompts.\n\nSERVER  STATUS     PROMPTS  DETAIL\nt       connected  0        fixture 1.0.0, MCP 2025-11-25\n",
    );
    expect(code).toBe(0);
  });

  it("exits 4 when a server failed or its list could not be had, and shows the others", async () => {
    const entry = server("shelf.mjs");
    const broken = { ...entry, args: [...(entry as { args: string[] }).args, "broken"] };
    const cwd = folderWith({ mcpServers: { broken, crash: server("crash.mjs"), garden } });
    const { code, stdout, stderr } = await runCli(["prompts"], { cwd });
    expect(stdout).toMatch(/\ndescribe +garden/);
    expect(stderr).toContain('mcp server "crash" failed at initialize');
    expect(stderr).toContain('mcp server "broken" failed at prompts/list: malformed-body');
    expect(code).toBe(4);
  });
});

describe("prompt", () => {
  it("fills in the arguments of the one server that has it", async () => {
    const args = ["prompt", "args-prompt", "city=Ulm", "state=BW"];
    const { code, stdout } = await runCli(args, { cwd: both() });
    expect(stdout).toBe("user:\nWhat's weather in Ulm, BW?\n");
    expect(code).toBe(0);
  });

  it("takes server/name and --server, and starts no other server", async () => {
    for (const words of [["garden/describe"], ["describe", "--server", "garden"]]) {
      const args = ["prompt", ...words, "plant=mint", "--json"];
      const { stdout } = await runCli(args, { cwd: both() });
      expect(JSON.parse(stdout)).toMatchObject({
        command: "prompt",
        exitCode: 0,
        servers: [{ name: "garden" }],
        prompt: { server: "garden", name: "describe" },
        result: {
          messages: [{ role: "user", content: { type: "text", text: "Describe mint." } }],
        },
      });
    }
  });

  it("says which argument is missing or unknown before anything is sent", async () => {
    const args = ["prompt", "args-prompt", "stat=BW"];
    const { code, stderr } = await runCli(args, { cwd: both() });
    expect(stderr).toContain('argument "stat" is not known; did you mean "state"?');
    expect(stderr).toContain('argument "city" is missing (expected: text)');
    expect(stderr).toContain("Fix: call it like this: mcp-source prompt args-prompt city=text");
    expect(code).toBe(2);
  });

  it("sends texts only, also to a prompt that lists no arguments", async () => {
    const { stdout } = await runCli(["prompt", "a/free", "n=1", "on=true"], { cwd: shelves() });
    expect(stdout).toBe('user:\n{"n":"1","on":"true"}\n');
  });

  it("shows each message under its role, and describes what is no text", async () => {
    const shown = "user:\nLook:\u001b[2J\n\nuser:\n[resource shelf://a 6 characters]\ninside\n\n";
    const { stdout } = await runCli(["prompt", "a/talk"], { cwd: shelves() });
    expect(stdout).toBe(`${shown}assistant:\n[image image/png 3 bytes]\n`);
    const terminal = await runInTerminal(["prompt", "a/talk", "-q"], [], { cwd: shelves() });
    expect(terminal.stdout).toContain("Look:\\u{1b}[2J");
  });

  it("does not choose between servers that both have it", async () => {
    const { code, stderr } = await runCli(["prompt", "talk"], { cwd: shelves() });
    expect(stderr).toContain('several servers have the prompt "talk": "a", "b"');
    expect(stderr).toContain("Fix: name the server: mcp-source prompt a/talk");
    expect(code).toBe(2);
  });

  it("exits 5 for a name no server has, with what may have been meant", async () => {
    const { code, stderr } = await runCli(["prompt", "descibe"], { cwd: both() });
    expect(stderr).toContain('unknown prompt: descibe; did you mean "describe"');
    expect(stderr).toContain("mcp-source prompts");
    expect(code).toBe(5);
  });

  it("exits as the server that may have had it failed", async () => {
    const cwd = folderWith({ mcpServers: { crash: server("crash.mjs"), garden } });
    const missing = await runCli(["prompt", "nope"], { cwd });
    expect(missing.stderr).toContain('mcp server "crash" failed');
    expect(missing.code).toBe(4);
    const there = await runCli(["prompt", "describe", "plant=bay"], { cwd });
    expect(there).toMatchObject({ code: 0, stdout: "user:\nDescribe bay.\n" });
  });

  it("is one document also when nothing can be run", async () => {
    const { code, stdout, stderr } = await runCli(["prompt", "x", "bare", "--json"], {
      cwd: both(),
    });
    expect(JSON.parse(stdout)).toMatchObject({
      command: "prompt",
      exitCode: 2,
      servers: [],
      prompt: null,
      result: null,
      errors: [{ tag: "usage" }],
    });
    expect(stderr).toBe("");
    expect(code).toBe(2);
  });
});
