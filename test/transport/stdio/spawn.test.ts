import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import type { Failure } from "../../../src/failure.ts";
import { stdioTransport } from "../../../src/transport/stdio/stdio-transport.ts";
import type { StdioSpec } from "../../../src/transport/stdio/stdio-transport.ts";
import type { Inbound } from "../../../src/transport/transport.ts";
import { failureOf, isRunning, memberOf, openPeer, specOf } from "./peer.ts";

const inbound: Inbound = { request: () => Promise.resolve(null), notification: () => undefined };

async function refusal(spec: StdioSpec): Promise<Failure> {
  return failureOf(await stdioTransport(spec)(inbound, {}));
}

const folders: string[] = [];

/** An empty folder, gone after the tests. */
async function folder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), "stdio-"));
  folders.push(path);
  return path;
}

afterAll(() => Promise.all(folders.map((path) => rm(path, { recursive: true }))));

const spawnFailed = (code: string, detail: string): object => ({
  tag: "transport",
  reason: "spawn-failed",
  code,
  detail: expect.stringContaining(detail),
});

describe("a command that cannot be started", () => {
  it("names itself and how many places were searched", async () => {
    const env = { PATH: "/nowhere:/else:" };
    expect(await refusal({ command: "no-such-binary", env })).toEqual(
      spawnFailed("ENOENT", '"no-such-binary" was not found in the 2 entries of PATH'),
    );
    expect(await refusal({ command: "/no/such/binary", env })).toEqual(
      spawnFailed("ENOENT", '"/no/such/binary" was not found'),
    );
  });

  it("hints at args when it contains a space", async () => {
    expect(await refusal({ command: "npx -y server", env: { PATH: "/nowhere" } })).toEqual(
      spawnFailed("ENOENT", "arguments belong in args"),
    );
  });

  it("says when it is not executable, or lies below a file", async () => {
    const file = join(await folder(), "server");
    await writeFile(file, "");
    expect(await refusal({ command: file })).toEqual(spawnFailed("EACCES", "may not be executed"));
    expect(await refusal({ command: `${file}/x` })).toEqual(
      spawnFailed("ENOTDIR", "is not a directory"),
    );
  });

  it("says when a script's interpreter is missing", async () => {
    const file = join(await folder(), "server");
    await writeFile(file, "#!/no/such/interpreter\n");
    await chmod(file, 0o755);
    expect(await refusal({ command: file })).toEqual(
      spawnFailed("ENOENT", "the program that runs it"),
    );
  });

  it("is refused when it is blank", async () => {
    expect(await refusal({ command: "" })).toEqual(spawnFailed("EINVAL", "the command is empty"));
    expect(await refusal({ command: " \t" })).toEqual(spawnFailed("EINVAL", "empty"));
  });

  it("says where a NUL is", async () => {
    const { command } = specOf("behaves");
    expect(await refusal({ command: "a\0b" })).toEqual(spawnFailed("EINVAL", "the command"));
    expect(await refusal({ command, args: ["a", "b\0"] })).toEqual(
      spawnFailed("EINVAL", "argument 2"),
    );
    expect(await refusal({ command, env: { A: "\0" } })).toEqual(
      spawnFailed("EINVAL", 'the variable "A"'),
    );
    expect(await refusal({ command, cwd: "\0" })).toEqual(
      spawnFailed("EINVAL", "the working directory"),
    );
  });

  it("says when arguments and variables are too long", async () => {
    const { command } = specOf("behaves");
    expect(await refusal({ command, args: ["x".repeat(3_000_000)] })).toEqual(
      spawnFailed("E2BIG", "too long"),
    );
  });

  it("blames a missing working directory and not itself", async () => {
    const { command } = specOf("behaves");
    expect(await refusal({ command, cwd: "/no/such/directory" })).toEqual(
      spawnFailed("ENOENT", 'the working directory "/no/such/directory" does not exist'),
    );
    expect(await refusal({ command, cwd: import.meta.filename })).toEqual(
      spawnFailed("ENOTDIR", "is not a directory"),
    );
  });

  it("is told without its secrets", async () => {
    const redact = (text: string): string => text.replaceAll("hunter2", "«PASSWORD»");
    expect(await refusal({ command: "/no/hunter2", redact })).toEqual(
      spawnFailed("ENOENT", '"/no/«PASSWORD»"'),
    );
  });
});

describe("opening", () => {
  it("resolves with a value, for any spec", async () => {
    const anySpec = fc.oneof(
      fc.anything(),
      fc.record({ command: fc.anything(), args: fc.anything() }),
      fc.record({
        command: fc.constant("/no/such/binary"),
        env: fc.anything(),
        cwd: fc.anything(),
      }),
    );
    await fc.assert(
      fc.asyncProperty(anySpec, async (spec) => {
        expect((await stdioTransport(spec as StdioSpec)(inbound, {})).ok).toBe(false);
      }),
    );
  });

  it("gives the child its arguments, variables and directory as they are", async () => {
    const args = ["", "a b", '"', "'", "\\", "$HOME", "*", "é🧪", "-", "--x=y", "\n"];
    const env = { PATH: "/nowhere", A: "1 2", É: "🧪", __proto__x: "p" };
    const peer = await openPeer({ ...specOf("behaves", args), env, cwd: tmpdir() });
    const seen = await peer.call("environment");
    expect(seen["argv"]).toEqual(args);
    expect(seen["cwd"]).toBe(tmpdir());
    expect(memberOf(seen, "env")).toMatchObject(env);
  });

  it("leaves the parent's variables out when there are none in the spec", async () => {
    process.env["STDIO_CANARY"] = "s3";
    const { command, args } = specOf("behaves");
    const peer = await openPeer({ command, args: args! });
    delete process.env["STDIO_CANARY"];
    expect(memberOf(await peer.call("environment"), "env")["STDIO_CANARY"]).toBe(undefined);
  });

  it("starts nothing when the signal has fired, and leaves nothing when it fires meanwhile", async () => {
    const marker = join(await folder(), "started");
    const spec = { command: "/bin/sh", args: ["-c", `echo x > ${marker}; cat`], cwd: tmpdir() };
    const aborted = await stdioTransport(spec)(inbound, { signal: AbortSignal.abort() });
    expect(failureOf(aborted)).toEqual({ tag: "cancelled" });

    const abort = new AbortController();
    const opening = stdioTransport(spec)(inbound, { signal: abort.signal });
    abort.abort();
    expect(failureOf(await opening)).toEqual({ tag: "cancelled" });
    await expect(import("node:fs/promises").then(({ stat }) => stat(marker))).rejects.toThrow(
      "ENOENT",
    );
  });

  it("leaves nothing when the signal fires as the child starts", async () => {
    const pids: number[] = [];
    const { command, args } = specOf("ignores-sigterm");
    const onStderr = (line: string): void => void pids.push(Number(line));
    const shell = `echo $$ >&2; exec "${command}" "${args?.join('" "')}"`;
    const spec = { ...specOf("behaves"), command: "/bin/sh", args: ["-c", shell], onStderr };
    let reads = 0;
    const signal = { aborted: false } as AbortSignal;
    Object.defineProperty(signal, "aborted", { get: () => ++reads > 2 });
    expect(failureOf(await stdioTransport(spec)(inbound, { signal }))).toEqual({
      tag: "cancelled",
    });
    expect(reads).toBe(3);
    expect(pids.map(isRunning)).toEqual([false]);
  });

  it("has no hold on the child afterwards: a signal that fires later ends nothing", async () => {
    const abort = new AbortController();
    const opened = await stdioTransport(specOf("behaves"))(inbound, { signal: abort.signal });
    abort.abort();
    if (!opened.ok) expect.fail("not opened");
    const answer = await opened.value.rpc("pid", {}, { timeoutMs: 20_000 });
    expect(answer.ok).toBe(true);
    await opened.value.close();
  });
});
