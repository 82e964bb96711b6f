/**
 * The servers of the protocol's own makers, as they are published.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { disconnectAll, execute, fromConfig, makeAnswer } from "../../src/index.ts";
import type { Load, Request } from "../../src/index.ts";
import { connected } from "../support/results.ts";
import { untilGone } from "../support/processes.ts";
import { until } from "../support/until.ts";

const PACKAGES = resolve(import.meta.dirname, "../../node_modules/@modelcontextprotocol");

/** The program of an official server. */
function program(name: string, ...args: readonly string[]): string[] {
  return [process.execPath, join(PACKAGES, `server-${name}`, "dist/index.js"), ...args];
}

const ANSWER = { name: "Ada", check: true };
const waitFor = ({ id }: Request): ReturnType<typeof makeAnswer> => makeAnswer(id, true, ANSWER);

/** What both ways to the everything server must show. */
async function expectEverything(load: Load): Promise<void> {
  expect(load.errors).toEqual({});
  const connection = connected(load.connections[0]);
  expect(connection).toMatchObject({ era: "legacy", protocolVersion: "2025-11-25", notes: [] });
  expect(connection.serverInfo).toMatchObject({ name: "mcp-servers/everything" });
  const names = load.tools.map((tool) => tool.name);
  expect(names).toContain("everything_echo");
  expect(names).toEqual(names.toSorted());
  expect(await execute(load, "everything_echo", { message: "hello" })).toMatchObject({
    output: "Echo: hello",
    isError: false,
  });
  expect(await execute(load, "everything_get-sum", { a: 2, b: 3 })).toMatchObject({
    output: "The sum of 2 and 3 is 5.",
  });
  const weather = await execute(load, "everything_get-structured-content", { location: "Chicago" });
  expect(weather).not.toHaveProperty("findings");
  expect(JSON.parse(weather.output)).toEqual(weather.structuredContent);
  const seen: number[] = [];
  const long = await execute(
    load,
    "everything_trigger-long-running-operation",
    { duration: 0.1, steps: 3 },
    { onProgress: ({ progress }) => seen.push(progress) },
  );
  expect(long.isError).toBe(false);
  expect(seen).toEqual([1, 2, 3]);
  const asked = await execute(load, "everything_trigger-elicitation-request");
  expect(asked.isError).toBe(false);
  expect(asked.output).toContain("Ada");
  const wrong = await execute(load, "everything_get-sum", { a: "two" });
  expect(wrong.isError).toBe(true);
}

describe("over stdio", () => {
  let folder: string;
  let load: Load;

  beforeAll(async () => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), "mcp-source-")));
    writeFileSync(join(folder, "note.txt"), "written before");
    load = await fromConfig(
      {
        mcpServers: {
          everything: { command: program("everything", "stdio") },
          files: { command: program("filesystem", folder) },
          memory: {
            command: program("memory"),
            env: { MEMORY_FILE_PATH: join(folder, "graph.jsonl") },
          },
          thinking: { command: program("sequential-thinking") },
        },
      },
      { waitFor },
    );
  });
  afterAll(async () => {
    await disconnectAll(load);
    rmSync(folder, { recursive: true });
  });

  it("all four are connected (C147)", () => {
    expect(load.statuses).toEqual({
      everything: "connected",
      files: "connected",
      memory: "connected",
      thinking: "connected",
    });
    expect(load.collisions).toEqual([]);
    expect(load.tools.length).toBeGreaterThan(30);
  });

  it("everything works (C147, C148)", async () => {
    const [first] = load.connections;
    const own = load.tools.filter(({ server }) => server === "everything");
    await expectEverything({ ...load, tools: own, connections: [first!] });
  });

  it("everything answers twelve callers at once, each with its own (C149)", async () => {
    const messages = Array.from({ length: 12 }, (_, i) => `message ${i}`);
    const results = await Promise.all(
      messages.map((message) => execute(load, "everything_echo", { message })),
    );
    expect(results.map(({ output }) => output)).toEqual(messages.map((text) => `Echo: ${text}`));
  });

  it("filesystem reads and writes in its folder, and nowhere else", async () => {
    const path = join(folder, "note.txt");
    expect(await execute(load, "files_read_text_file", { path })).toMatchObject({ isError: false });
    expect((await execute(load, "files_read_text_file", { path })).output).toContain(
      "written before",
    );
    const created = { path: join(folder, "new.txt"), content: "é" };
    expect(await execute(load, "files_write_file", created)).toMatchObject({ isError: false });
    expect((await execute(load, "files_list_directory", { path: folder })).output).toContain(
      "new.txt",
    );
    const outside = await execute(load, "files_read_text_file", { path: "/etc/hostname" });
    expect(outside.isError).toBe(true);
    expect(outside.failure).toBeUndefined();
  });

  it("memory remembers", async () => {
    const entities = [{ name: "Ada", entityType: "person", observations: ["writes"] }];
    const created = await execute(load, "memory_create_entities", { entities });
    expect(created).toMatchObject({ isError: false });
    expect(created).not.toHaveProperty("findings");
    expect((await execute(load, "memory_search_nodes", { query: "Ada" })).output).toContain(
      "writes",
    );
  });

  it("sequential-thinking thinks", async () => {
    const result = await execute(load, "thinking_sequentialthinking", {
      thought: "one",
      thoughtNumber: 1,
      totalThoughts: 1,
      nextThoughtNeeded: false,
    });
    expect(result).toMatchObject({ isError: false });
    expect(result).not.toHaveProperty("findings");
  });
});

describe("over HTTP", () => {
  it("everything works, and its session is ended (C147, C148, C180)", async () => {
    const port = await freePort();
    const [command = "", ...args] = program("everything", "streamableHttp");
    const server = spawn(command, args, {
      env: { ...process.env, PORT: String(port) },
      stdio: ["ignore", "pipe", "pipe"],
    });
    const said: string[] = [];
    createInterface({ input: server.stdout }).on("line", (line) => said.push(line));
    try {
      for await (const line of createInterface({ input: server.stderr })) {
        if (line.includes("listening")) break;
      }
      const url = `http://127.0.0.1:${port}/mcp`;
      const load = await fromConfig({ mcpServers: { everything: { url } } }, { waitFor });
      await expectEverything(load);
      const { sessionId } = connected(load.connections[0]);
      expect(sessionId).toEqual(expect.any(String));
      await disconnectAll(load);
      await until("the server hears that the session has ended", () =>
        said.some(
          (line) => line.includes("termination request") && line.includes(sessionId ?? "-"),
        ),
      );
    } finally {
      server.kill("SIGKILL");
      await once(server, "exit");
      await untilGone(server.pid ?? 0);
    }
  });
});

/** A port nobody listens on. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  return typeof address === "object" && address !== null ? address.port : 0;
}
