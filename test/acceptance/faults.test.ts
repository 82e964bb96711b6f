/**
 * The same fault over stdio and over HTTP is the same failure: one vocabulary for both.
 */
import { resolve } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { disconnectAll, fromConfig } from "../../src/index.ts";
import type { Failure, JsonObject, Load } from "../../src/index.ts";
import { anyJson, anyText } from "../support/arbitraries.ts";
import { httpServer } from "../support/http-server.ts";
import { memoryTransport } from "../../src/transport/memory.ts";
import { connected, connectionOf, unconnected } from "../support/results.ts";

/** The text of the answer to each method; $ID stands for the id of the request. */
type Texts = Readonly<Record<string, string>>;

const SAYS = resolve(import.meta.dirname, "../fixtures/peers/says.mjs");

const result = (value: unknown): string =>
  `{"jsonrpc":"2.0","id":$ID,"result":${JSON.stringify(value)}}`;
const error = (value: unknown): string =>
  `{"jsonrpc":"2.0","id":$ID,"error":${JSON.stringify(value)}}`;

const WELL: Texts = {
  "server/discover": error({ code: -32601, message: "Method not found" }),
  initialize: result({
    protocolVersion: "2025-11-25",
    capabilities: { tools: {} },
    serverInfo: {},
  }),
  "tools/list": result({ tools: [{ name: "t", inputSchema: {} }] }),
  "tools/call": result({ content: [] }),
};

function textFor(texts: Texts, { method }: JsonObject): string {
  return typeof method === "string" ? (texts[method] ?? "") : "";
}

/** Ways to serve such texts, each with how to stop. */
const WAYS: Readonly<Record<string, (texts: Texts) => Promise<Served>>> = {
  stdio: (texts) =>
    Promise.resolve({
      entry: { command: process.execPath, args: [SAYS, JSON.stringify(texts)] },
      stop: () => Promise.resolve(),
    }),
  http: async (texts) => {
    const server = await httpServer(({ method, message }, response) => {
      if (method !== "POST" || message["id"] === undefined) return response.writeHead(202).end();
      const text = textFor(texts, message);
      if (text === "") return undefined;
      if (text === "exit") return response.destroy();
      const body = text.replaceAll("$ID", JSON.stringify(message["id"]));
      return response.writeHead(200, { "content-type": "application/json" }).end(body);
    });
    return { entry: { url: server.url }, stop: () => server.close() };
  },
};

interface Served {
  readonly entry: object;
  stop(): Promise<void>;
}

const TAGS: ReadonlySet<Failure["tag"]> = new Set([
  "transport",
  "http-status",
  "malformed-body",
  "rpc-error",
  "timeout",
  "peer-eof",
  "closed",
  "cancelled",
  "config",
  "invalid-argument",
  "unsupported",
  "limit",
  "auth",
]);

const PAGE = { tools: [], nextCursor: "again" };

/** A fault, where it shows, and what is made of it. */
const FAULTS: readonly (readonly [string, Texts, string, Partial<Failure>])[] = [
  [
    "the handshake is refused",
    { initialize: error({ code: -32600, message: "no" }) },
    "initialize",
    { tag: "rpc-error", code: -32600, message: "no" },
  ],
  [
    "it is refused with code 0",
    { initialize: error({ code: 0, message: "" }) },
    "initialize",
    { tag: "rpc-error", code: 0 },
  ],
  ["its result is null", { initialize: result(null) }, "initialize", { tag: "malformed-body" }],
  ["its result is a text", { initialize: result("x") }, "initialize", { tag: "malformed-body" }],
  ["it names no version", { initialize: result({}) }, "initialize", { tag: "malformed-body" }],
  [
    "it names a version nobody speaks",
    { initialize: result({ protocolVersion: "1999-01-01" }) },
    "initialize",
    { tag: "unsupported" },
  ],
  [
    "its error has no code",
    { initialize: error({ message: "x" }) },
    "initialize",
    { tag: "malformed-body" },
  ],
  ["its error is a text", { initialize: error("x") }, "initialize", { tag: "malformed-body" }],
  [
    "its answer is no JSON",
    { initialize: '{"jsonrpc":"2.0","id":$ID,"result":{]}' },
    "initialize",
    { tag: "malformed-body" },
  ],
  ["it is never answered", { initialize: "" }, "initialize", { tag: "timeout" }],
  [
    "the list is refused",
    { "tools/list": error({ code: -32601, message: "Method not found" }) },
    "tools/list",
    { tag: "rpc-error", code: -32601 },
  ],
  ["the list is none", { "tools/list": result({}) }, "tools/list", { tag: "malformed-body" }],
  [
    "the list is an object",
    { "tools/list": result({ tools: {} }) },
    "tools/list",
    { tag: "malformed-body" },
  ],
  [
    "the cursor is a number",
    { "tools/list": result({ tools: [], nextCursor: 5 }) },
    "tools/list",
    { tag: "malformed-body" },
  ],
  ["the list is never answered", { "tools/list": "" }, "tools/list", { tag: "timeout" }],
  [
    "the call is refused",
    { "tools/call": error({ code: -32602, message: "what?", data: { a: 1 } }) },
    "tools/call",
    { tag: "rpc-error", code: -32602, message: "what?", data: { a: 1 } },
  ],
  ["the call gives a text", { "tools/call": result("x") }, "tools/call", { tag: "malformed-body" }],
  [
    "the call gives no content",
    { "tools/call": result({ content: 5 }) },
    "tools/call",
    { tag: "malformed-body" },
  ],
  ["the call is never answered", { "tools/call": "" }, "tools/call", { tag: "timeout" }],
];

describe.each(Object.entries(WAYS))("over %s", (way, serve) => {
  // A process may take longer to start than a list may be silent here.
  const faults = FAULTS.filter(([name]) => way === "http" || name !== "the list is never answered");
  const served: Served[] = [];
  let load: Load;

  /** All faults in one load, each a server called after its fault. */
  beforeAll(async () => {
    const mcpServers: Record<string, object> = {};
    const more = [
      ["circles", { "tools/list": result(PAGE) }, "", {}],
      ["end", { initialize: "exit" }, "", {}],
    ] as const;
    for (const [name, fault, phase] of [...faults, ...more]) {
      const one = await serve({ ...WELL, ...fault });
      const isSilent = Object.values<string>(fault).includes("") && phase !== "tools/call";
      served.push(one);
      mcpServers[name] = { ...one.entry, timeout: isSilent ? 500 : 20_000 };
    }
    load = await fromConfig({ mcpServers }, { concurrency: 8 });
  });
  afterAll(async () => {
    await disconnectAll(load);
    await Promise.all(served.map((one) => one.stop()));
  });

  it.each(faults)(
    "when %s, the failure says so (C014, C112, C189)",
    async (name, fault, phase, expected) => {
      const text = `mcp server "${name}" failed at ${phase}: ${expected.tag}`;
      if (phase !== "tools/call") {
        const failed = unconnected(connectionOf(load, name));
        expect(failed).toMatchObject({ phase, failure: expected });
        expect(failed.message).toContain(text);
        return;
      }
      const options = Object.values(fault).includes("") ? { timeoutMs: 100 } : {};
      const [tool] = connected(connectionOf(load, name)).tools;
      const { failure, output, isError } = await tool!.execute({}, options);
      expect(failure).toMatchObject({ ...expected, maybeExecuted: true });
      expect(isError).toBe(true);
      expect(output).toContain(text);
    },
  );

  it("when the list goes in circles, it ends, and that is noted (C184)", () => {
    expect(connectionOf(load, "circles")).toMatchObject({ notes: [{ code: "repeated-cursor" }] });
  });

  it("when the peer ends in the handshake, its end is the failure (C112, C113)", () => {
    const [tag, text] =
      way === "stdio" ? ["peer-eof", "peer-exited (status 4)"] : ["transport", "transport (reset)"];
    expect(unconnected(connectionOf(load, "end")).failure.tag).toBe(tag);
    expect(load.errors["end"]).toBe(`mcp server "end" failed at initialize: ${text}`);
  });
});

describe("whatever a server says", () => {
  const anyAnswer = (): fc.Arbitrary<string> =>
    fc.oneof(
      anyJson().map((value) => JSON.stringify(value)),
      anyJson().map(result),
      anyJson().map(error),
      anyText(),
      fc.constantFrom(...Object.values(WELL)),
    );
  const anyTexts = (): fc.Arbitrary<Texts> =>
    fc.record({
      "server/discover": anyAnswer(),
      initialize: fc.oneof(anyAnswer(), fc.constant(WELL["initialize"]!)),
      "tools/list": anyAnswer(),
      "tools/call": anyAnswer(),
    });

  it("over HTTP, a load and a call end with values, for any bodies (C013)", async () => {
    let texts: Texts = WELL;
    const server = await httpServer(({ method, message }, response) => {
      if (method !== "POST" || message["id"] === undefined) return response.writeHead(202).end();
      const text = textFor(texts, message);
      const body = text.replaceAll("$ID", JSON.stringify(message["id"]));
      return response.writeHead(200, { "content-type": "application/json" }).end(body);
    });
    onTestFinished(() => server.close());
    await fc.assert(
      fc.asyncProperty(anyTexts(), async (said) => {
        texts = said;
        await judge(await fromConfig({ mcpServers: { x: { url: server.url, timeout: 10_000 } } }));
      }),
      { numRuns: 40 },
    );
  });

  it("in memory, a load and a call end with values, for any answers (C013)", async () => {
    await fc.assert(
      fc.asyncProperty(anyTexts(), async (texts) => {
        const open = memoryTransport(({ id, method }) => {
          if (id === undefined || typeof method !== "string") return undefined;
          const text = (texts[method] ?? "").replaceAll("$ID", JSON.stringify(id));
          try {
            return JSON.parse(text);
          } catch {
            return text;
          }
        });
        await judge(await fromConfig({ mcpServers: { x: { open, timeout: 20 } } }));
      }),
    );
  });

  async function judge(load: Load): Promise<void> {
    expect(load.failure).toBeNull();
    for (const connection of load.connections) {
      if (connection.status === "failed") expect(TAGS).toContain(connection.failure.tag);
    }
    for (const tool of load.tools) {
      const { failure, output } = await tool.execute({}, { timeoutMs: 20 });
      expect(typeof output).toBe("string");
      if (failure !== undefined) expect(TAGS).toContain(failure.tag);
    }
    await disconnectAll(load);
  }
});
