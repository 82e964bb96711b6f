import { spawn } from "node:child_process";
import { mkdir, mkdtemp, readFile, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import ts from "typescript";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { fixture, isRunning, until } from "./peer.ts";

const SOURCE = resolve(import.meta.dirname, "../../../src");
const ROOTS = ["json.ts", "failure.ts", "redact.ts", "protocol", "transport"];
let library = "";

/** Compiles what the transport consists of, for hosts that are processes of their own. */
beforeAll(async () => {
  library = await mkdtemp(join(tmpdir(), "stdio-host-"));
  await writeFile(join(library, "package.json"), '{"type":"module"}');
  const files = await readdir(SOURCE, { recursive: true, encoding: "utf8" });
  for (const file of files.filter((file) => file.endsWith(".ts"))) {
    if (!ROOTS.some((root) => file === root || file.startsWith(`${root}/`))) continue;
    const { outputText } = ts.transpileModule(await readFile(join(SOURCE, file), "utf8"), {
      compilerOptions: {
        module: ts.ModuleKind.ESNext,
        target: ts.ScriptTarget.ES2023,
        verbatimModuleSyntax: true,
        rewriteRelativeImportExtensions: true,
      },
    });
    const target = join(library, file.replace(/\.ts$/, ".js"));
    await mkdir(dirname(target), { recursive: true });
    await writeFile(target, outputText);
  }
});

afterAll(() => rm(library, { recursive: true, force: true }));

interface Host {
  readonly lines: readonly string[];
  readonly stderr: string;
  readonly code: number | null;
  readonly signal: string | null;
}

/** Runs a host to its end; `onReady` sees the process ids of its peer before that. */
function runHost(
  peer: string,
  way: string,
  onReady: (pids: readonly number[], kill: () => void) => void,
): Promise<Host> {
  return new Promise((resolve) => {
    const args = [fixture("host"), library, fixture(peer), way];
    const host = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "pipe"] });
    let text = "";
    let stderr = "";
    host.stdout.setEncoding("utf8").on("data", (chunk: string) => {
      const isFirst = !text.includes("\n");
      text += chunk;
      if (!isFirst || !text.includes("\n")) return;
      const facts = JSON.parse(text.slice(0, text.indexOf("\n"))) as Record<string, number>;
      onReady(Object.values(facts), () => host.kill("SIGKILL"));
    });
    host.stderr.setEncoding("utf8").on("data", (chunk: string) => (stderr += chunk));
    host.once("close", (code, signal) => {
      resolve({ lines: text.trimEnd().split("\n").slice(1), stderr, code, signal });
    });
  });
}

async function endOf(peer: string, way: string): Promise<Host> {
  let pids: readonly number[] = [];
  const host = await runHost(peer, way, (ready) => {
    pids = ready;
  });
  expect(pids.length).toBeGreaterThan(0);
  await until(() => !pids.some(isRunning));
  return host;
}

describe("when the host ends", () => {
  it.each(["behaves", "ignores-sigterm", "leaves-grandchild"])(
    "by process.exit, nothing of %s is left",
    async (peer) => {
      expect(await endOf(peer, "exit")).toMatchObject({ code: 0, stderr: "" });
    },
  );

  it("by an uncaught error, nothing is left", async () => {
    const host = await endOf("ignores-sigterm", "throw");
    expect(host.code).toBe(1);
    expect(host.stderr).toContain("the host broke");
  });

  it("naturally, an idle connection does not keep it alive, and nothing is left", async () => {
    expect(await endOf("ignores-sigterm", "idle")).toMatchObject({ code: 0, stderr: "" });
  });

  it("by a signal, a child that heeds the end of its stdin is gone", async () => {
    let pids: readonly number[] = [];
    const host = await runHost("behaves", "pending-for-ever", (ready, kill) => {
      pids = ready;
      kill();
    });
    expect(host.signal).toBe("SIGKILL");
    await until(() => !pids.some(isRunning));
  });
});

describe("the host is kept alive", () => {
  it("by a pending call", async () => {
    expect(await endOf("behaves", "pending")).toMatchObject({ lines: ["waited"], code: 0 });
  });

  it("by a call without a timeout", async () => {
    expect(await endOf("answers-later", "no-timer")).toMatchObject({
      lines: ["answered"],
      code: 0,
    });
  });

  it("by whoever listens, for as long as that", async () => {
    expect(await endOf("answers-later", "hold")).toMatchObject({ lines: ["heard"], code: 0 });
  });

  it("by a close, until the child is gone", async () => {
    const host = await endOf("ignores-eof", "close");
    expect(host).toMatchObject({ lines: ["0 listeners left"], code: 0, stderr: "" });
  });
});
