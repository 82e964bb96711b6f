import { expect, it } from "vitest";
import type { Host } from "../../src/cli/host.ts";
import { run } from "../../src/cli/run.ts";

/** A host whose folder cannot be told: an error that no command expects. */
function brokenHost(): { readonly host: Host; readonly written: { out: string; err: string } } {
  const written = { out: "", err: "" };
  const host: Host = {
    env: {},
    get cwd(): string {
      throw new Error("no folder\u001b[2J");
    },
    isTerminal: { stdin: false, stdout: false, stderr: false },
    columns: null,
    signal: new AbortController().signal,
    endingExit: () => null,
    writeOut: (text) => (written.out += text),
    writeErr: (text) => (written.err += text),
    readStdin: async () => "",
    readLine: async () => null,
  };
  return { host, written };
}

it("says in one line that the error is ours, and exits 70, also under --exit-zero", async () => {
  const { host, written } = brokenHost();
  expect(await run(["check", "a.json", "--exit-zero"], host)).toBe(70);
  expect(written).toEqual({
    out: "",
    err: "error: this is an error in mcp-source, please report it: no folder\\u{1b}[2J\n",
  });
});

it("is one document under --json then too", async () => {
  const { host, written } = brokenHost();
  expect(await run(["check", "a.json", "--json"], host)).toBe(70);
  expect(JSON.parse(written.out)).toMatchObject({
    ok: false,
    exitCode: 70,
    errors: [{ tag: "bug" }],
  });
  expect(written.err).toBe("");
});
