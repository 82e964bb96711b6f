import { describe, expect, it } from "vitest";
import { parseConfig } from "../../src/config/parse-config.ts";
import type { ParsedConfig, ServerConfig } from "../../src/config/server.ts";
import type { Json, JsonObject } from "../../src/json.ts";

function only(entry: JsonObject, options = {}): ServerConfig {
  const [server] = parseConfig({ mcpServers: { one: entry } }, options).servers;
  if (server === undefined) expect.unreachable("the server is missing");
  return server;
}

function names({ servers }: ParsedConfig): readonly string[] {
  return servers.map((server) => server.name);
}

function codes({ diagnostics }: ParsedConfig): readonly string[] {
  return diagnostics.map(({ code }) => code);
}

describe("wrappers", () => {
  it.each<[string, JsonObject]>([
    ["mcpServers", { mcpServers: { one: { url: "http://127.0.0.1/" } } }],
    ["servers", { servers: { one: { url: "http://127.0.0.1/" } } }],
    ["mcp_servers", { mcp_servers: { one: { url: "http://127.0.0.1/" } } }],
    ["context_servers", { context_servers: { one: { url: "http://127.0.0.1/" } } }],
    ["mcp.servers", { mcp: { inputs: [], servers: { one: { url: "http://127.0.0.1/" } } } }],
    ["mcp", { mcp: { one: { url: "http://127.0.0.1/" } } }],
    ["none", { one: { url: "http://127.0.0.1/" } }],
    [
      "none, beside reserved names",
      {
        builtins: {},
        agents: [],
        a2a: {},
        mcpServer: {},
        $schema: "",
        _x: 1,
        one: { command: "x" },
      },
    ],
    ["a list", { servers: [{ name: "one", command: "x" }] }],
    ["a list of objects with one key", { context_servers: [{ one: { command: "x" } }] }],
  ])("reads one server out of %s", (_, config) => {
    expect(names(parseConfig(config))).toEqual(["one"]);
    expect(parseConfig(config).ok).toBe(true);
  });

  it("uses the first that is not empty", () => {
    const config = { mcpServers: {}, servers: { one: { command: "x" } } };
    expect(names(parseConfig(config))).toEqual(["one"]);
    expect(codes(parseConfig(config))).toEqual([]);
  });

  it("ignores members of others beside a wrapper", () => {
    const config = { mcpServers: { one: { command: "x" } }, docs: { url: "http://127.0.0.1/" } };
    expect(names(parseConfig(config))).toEqual(["one"]);
  });

  it("takes mcp.servers for a server where it reads like one", () => {
    expect(names(parseConfig({ mcp: { servers: { command: "x" } } }))).toEqual(["servers"]);
  });

  it("honours Gemini's allowed and excluded", () => {
    const entry = { command: "x" };
    const { servers } = parseConfig({
      mcp: { allowed: ["a", "b"], excluded: ["b"] },
      mcpServers: { a: entry, b: entry, c: entry },
    });
    expect(servers.map(({ enabled }) => enabled)).toEqual([true, false, false]);
  });

  it.each<[string, Json, readonly string[]]>([
    ["an empty object", {}, ["empty-servers"]],
    ["an empty wrapper", { servers: {} }, ["empty-servers"]],
    ["an empty list", { mcp: [] }, ["empty-servers"]],
    ["null", { mcpServers: null }, ["empty-servers", "null-value"]],
    ["reserved names only", { builtins: {}, $schema: "x" }, ["empty-servers"]],
    ["only rules about servers", { mcp: { allowed: [] } }, ["empty-servers"]],
    ["a path", { mcpServers: "./.mcp.json" }, ["wrong-type"]],
    ["nothing that is known", { tools: ["fs-read"], name: "agent" }, ["no-servers"]],
  ])("finds no server in %s", (_, config, expected) => {
    const read = parseConfig(config);
    expect(read.servers).toEqual([]);
    expect(codes(read)).toEqual(expected);
  });

  it("keeps names as they are, in code point order", () => {
    const config = Object.fromEntries(
      ["zs", "as", "\u{1f600}s", "\ue000s", "a/b", "__proto__", "constructor", ""].map((name) => [
        name,
        { command: "x" },
      ]),
    );
    expect(names(parseConfig({ mcpServers: config }))).toEqual([
      "",
      "__proto__",
      "a/b",
      "as",
      "constructor",
      "zs",
      "\ue000s",
      "\u{1f600}s",
    ]);
  });

  it("reads the rule for names beside the wrapper, and takes a server of that name for a server", () => {
    expect(parseConfig({ mcpServers: {}, naming: "stable" }).naming).toBe("stable");
    expect(parseConfig({ mcpServers: {} })).not.toHaveProperty("naming");
    expect(names(parseConfig({ naming: { command: "x" } }))).toEqual(["naming"]);
  });
});

describe("the kind of a server", () => {
  const url = "http://127.0.0.1/";
  it.each<[JsonObject, ServerConfig["kind"], ServerConfig["transport"]]>([
    [{ command: "x" }, "local", "stdio"],
    [{ url }, "remote", "auto"],
    [{ httpUrl: url }, "remote", "http"],
    [{}, "unknown", null],
    [{ command: "x", url }, "unknown", null],
    [{ type: "stdio", command: "x", url }, "local", "stdio"],
    [{ type: "local", command: ["x"] }, "local", "stdio"],
    [{ type: "http", command: "x", url }, "remote", "http"],
    [{ type: "remote", url }, "remote", "auto"],
    [{ type: "sse", url }, "remote", "sse"],
    [{ type: "streamable-http", url }, "remote", "http"],
    [{ type: "streamableHttp", url }, "remote", "http"],
    [{ type: "streamable_http", url }, "remote", "http"],
    [{ transport: "sse", url }, "remote", "sse"],
    [{ transportType: "sse", url }, "remote", "sse"],
    [{ transport: { type: "sse", url } }, "remote", "sse"],
    [{ type: "http", transport: "sse", url }, "remote", "http"],
    [{ type: "huh", url }, "remote", "auto"],
    [{ type: "huh", command: "x" }, "local", "stdio"],
    [{ type: "remote" }, "remote", "auto"],
    [{ type: "local" }, "local", "stdio"],
    [{ type: "ws", url }, "remote", null],
    [{ url: "wss://a.example" }, "remote", null],
  ])("of %j is %s over %s", (entry, kind, transport) => {
    expect(only(entry)).toMatchObject({ kind, transport });
  });

  it("is unknown, and nothing is missing, where the caller brings a transport", () => {
    const open = (): null => null;
    const { servers, ok } = parseConfig({
      mcpServers: { a: { open, timeout: 2000, required: true } },
    });
    expect(ok).toBe(true);
    expect(servers).toMatchObject([
      { kind: "unknown", transport: null, open, timeoutMs: 2000, required: true },
    ]);
  });
});

describe("the command of a server", () => {
  it.each<[JsonObject, readonly string[]]>([
    [{ command: "npx", args: ["-y", "server"] }, ["npx", "-y", "server"]],
    [{ command: ["npx", "-y", "server"] }, ["npx", "-y", "server"]],
    [{ command: ["npx", "-y"], args: ["server"] }, ["npx", "-y", "server"]],
    [{ command: { path: "npx", args: ["-y", "server"] } }, ["npx", "-y", "server"]],
    [
      { transport: { type: "stdio", command: "npx", args: ["-y", "server"] } },
      ["npx", "-y", "server"],
    ],
    [{ cmd: "npx", args: ["-y", "server"] }, ["npx", "-y", "server"]],
    [{ executable: "npx", args: ["-y", "server"] }, ["npx", "-y", "server"]],
    [
      { command: "C:\\Program Files\\x.exe", args: [" a b "] },
      ["C:\\Program Files\\x.exe", " a b "],
    ],
    [{ command: "x y", args: [8080, true] }, ["x y", "8080", "true"]],
  ])("of %j is %j", (entry, argv) => {
    expect(only(entry).argv).toEqual(argv);
  });
});

describe("the environment of a server", () => {
  it.each<[string, JsonObject, JsonObject]>([
    [
      "takes the first and overlays it",
      { env: { A: "1", B: "1" }, environment: { B: "2" } },
      { A: "1", B: "2" },
    ],
    ["writes out numbers and booleans", { env: { A: 7, B: true } }, { A: "7", B: "true" }],
    ["keeps null, which removes", { env: { A: null } }, { A: null }],
    ["takes a list", { env: ["A=1", "B=x=y", "C="] }, { A: "1", B: "x=y", C: "" }],
    [
      "takes that of an old command object",
      { command: { path: "x", env: { A: "1" } } },
      { A: "1" },
    ],
  ])("%s", (_, entry, env) => {
    expect(Object.entries(only({ command: "x", ...entry }).env ?? {})).toEqual(Object.entries(env));
  });

  it("inherits what the entry says", () => {
    const inherited = (entry: JsonObject): unknown => only({ command: "x", ...entry }).inheritEnv;
    expect(inherited({})).toBeUndefined();
    expect(inherited({ inheritEnv: true })).toBe(true);
    expect(inherited({ inheritEnv: "safe" })).toBe("safe");
    expect(inherited({ inheritEnv: ["A"], env_vars: ["B"] })).toEqual(["A", "B"]);
    expect(inherited({ env_keys: ["B"] })).toEqual(["B"]);
  });
});

describe("the headers of a server", () => {
  const url = "https://a.example/mcp";
  it.each<[string, JsonObject, JsonObject]>([
    ["are as written", { headers: { A: "x ${V}" } }, { A: "x ${V}" }],
    ["may stand under request options", { requestOptions: { headers: { A: "1" } } }, { A: "1" }],
    ["may be names of variables", { env_http_headers: { A: "V" } }, { A: "${env:V}" }],
    ["may come from a token", { bearerToken: "${V}" }, { Authorization: "Bearer ${V}" }],
    [
      "may come from the name of a token",
      { bearer_token_env_var: "V" },
      { Authorization: "Bearer ${env:V}" },
    ],
    ["exist once, whatever their case", { headers: { a: "2", A: "1" } }, { A: "1" }],
    [
      "win over a token",
      { headers: { authorization: "x" }, bearerToken: "y" },
      { authorization: "x" },
    ],
  ])("%s", (_, entry, headers) => {
    expect(Object.entries(only({ url, ...entry }).headers ?? {})).toEqual(Object.entries(headers));
  });
});

describe("whether a server is enabled", () => {
  it.each<[JsonObject, boolean]>([
    [{}, true],
    [{ enabled: false }, false],
    [{ disabled: true }, false],
    [{ disabled: "true" }, false],
    [{ isActive: false }, false],
    [{ enabled: true, disabled: true }, false],
    [{ enabled: false, disabled: false }, false],
    [{ disabled: null }, true],
  ])("%j: %s", (entry, enabled) => {
    expect(only({ command: "x", ...entry }).enabled).toBe(enabled);
  });

  it("keeps a disabled server in the list", () => {
    expect(names(parseConfig({ mcpServers: { a: { command: "x", disabled: true } } }))).toEqual([
      "a",
    ]);
  });
});

describe("the timeout of a server", () => {
  it.each<[JsonObject, object, number]>([
    [{}, {}, 30_000],
    [{ timeout: 5000 }, {}, 5000],
    [{ timeout: 60 }, {}, 60],
    [{ timeout: 60 }, { fileName: "/home/x/.roo/mcp.json" }, 60_000],
    [{ timeout: 60 }, { fileName: "C:\\x\\.roo\\mcp.json" }, 60_000],
    [{ timeout: 60 }, { fileName: "cline_mcp_settings.json" }, 60_000],
    [{ timeout: 60 }, { fileName: "crush.json" }, 60_000],
    [{ timeout: 60 }, { fileName: "not-crush.json" }, 60],
    [{ timeout: 60 }, { dialect: "goose" }, 60_000],
    [{ timeout: 60 }, { dialect: "claude-code", fileName: "crush.json" }, 60],
    [{ timeoutSec: 1.5 }, {}, 1500],
    [{ startup_timeout_sec: 2 }, {}, 2000],
    [{ startup_timeout_ms: 2 }, { dialect: "cline" }, 2],
    [{ connectionTimeout: 4000 }, {}, 4000],
    [{ initTimeout: 4000 }, {}, 4000],
    [{ timeout: 1000, timeoutMs: 2000 }, {}, 1000],
    [{ timeout: 0 }, {}, 30_000],
    [{ timeout: "5000" }, {}, 30_000],
    [{ timeout: 2 ** 31 }, {}, 30_000],
    [{ timeout: 2 ** 31 - 1 }, {}, 2 ** 31 - 1],
  ])("of %j with %j is %s ms", (entry, options, timeoutMs) => {
    expect(only({ command: "x", ...entry }, options).timeoutMs).toBe(timeoutMs);
  });

  it.each<[JsonObject, number | undefined]>([
    [{}, undefined],
    [{ callTimeout: 5 }, 5],
    [{ tool_timeout_sec: 5 }, 5000],
    [{ defaultToolTimeout: 5 }, 5],
    [{ request_timeout_ms: 5 }, 5],
  ])("for calls of %j is %s", (entry, callTimeoutMs) => {
    expect(only({ command: "x", ...entry }, { dialect: "roo" }).callTimeoutMs).toBe(callTimeoutMs);
  });
});

describe("the tool filter of a server", () => {
  it.each<[JsonObject, ServerConfig["tools"]]>([
    [{}, undefined],
    [{ tools: null }, undefined],
    [{ tools: {} }, undefined],
    [{ tools: ["*"] }, undefined],
    [{ tools: "*" }, undefined],
    [{ tools: { a: true, c: false } }, { allow: ["a"], deny: ["c"] }],
    [{ tools: { c: false } }, { deny: ["c"] }],
    [{ tools: { "b.x": "true" } }, { allow: ["b.x"] }],
    [{ tools: ["b", "a", "b"] }, { allow: ["a", "b"] }],
    [{ tools: [] }, { allow: [] }],
    [
      { includeTools: ["a", "b"], excludeTools: ["b"] },
      { allow: ["a", "b"], deny: ["b"] },
    ],
    [
      { enabled_tools: ["a"], disabled_tools: ["b"] },
      { allow: ["a"], deny: ["b"] },
    ],
    [{ allowedTools: ["a"] }, { allow: ["a"] }],
    [{ blockedTools: ["a"] }, { deny: ["a"] }],
    [{ disabledTools: ["*"] }, { allow: [] }],
    [{ available_tools: ["a"], tools: ["a", "b"] }, { allow: ["a"] }],
    [{ tools: { a: { name: "renamed" } } }, undefined],
    [{ tools: { a: 1 } }, undefined],
  ])("of %j is %j", (entry, tools) => {
    expect(only({ command: "x", ...entry }).tools).toEqual(tools);
  });
});

describe("a parsed config", () => {
  it("is plain data that JSON can carry", () => {
    const read = parseConfig({ mcpServers: { a: { command: "x", env: { __proto__x: "1" } } } });
    expect(JSON.parse(JSON.stringify(read))).toEqual(read);
  });

  it("keeps its variables unexpanded and says where they are", () => {
    const { servers } = parseConfig(
      '{"mcpServers":{"a":{"command":"${BIN:-x}","env":{"B":"${T}","A":"$env:T"},"cwd":"${workspaceFolder}"}}}',
      { baseDir: "/base" },
    );
    expect(servers[0]).toMatchObject({ argv: ["${BIN:-x}"], cwd: "${workspaceFolder}" });
    expect(servers[0]?.variables).toEqual([
      { name: "env:BIN", hasDefault: true, path: "/mcpServers/a/command" },
      { name: "predef:workspaceFolder", hasDefault: false, path: "/mcpServers/a/cwd" },
      { name: "env:T", hasDefault: false, path: "/mcpServers/a/env/A" },
      { name: "env:T", hasDefault: false, path: "/mcpServers/a/env/B" },
    ]);
  });
});
