import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { expandServer } from "../../src/config/expand-server.ts";
import type { ExpandedServer } from "../../src/config/expand-server.ts";
import { parseConfig } from "../../src/config/parse-config.ts";
import type { ExpandOptions } from "../../src/config/resolve-variable.ts";
import type { ServerConfig } from "../../src/config/server.ts";
import type { Failure } from "../../src/failure.ts";
import type { JsonObject } from "../../src/json.ts";
import { anyName, anyText } from "../support/arbitraries.ts";
import { anyArgument, anyServerMap, anyTemplate } from "./arbitraries.ts";

function server(entry: JsonObject): ServerConfig {
  const [read] = parseConfig({ mcpServers: { a: entry } }).servers;
  if (read === undefined) expect.unreachable("the server is missing");
  return read;
}

function expanded(entry: JsonObject, options: ExpandOptions): ExpandedServer {
  const result = expandServer(server(entry), options);
  if (!result.ok) expect.unreachable(JSON.stringify(result.failure));
  return result.value;
}

function failure(entry: JsonObject, options: ExpandOptions = {}): Failure {
  const result = expandServer(server(entry), options);
  if (result.ok) expect.unreachable("the server could be expanded");
  return result.failure;
}

/** A value without NUL that is not empty, which would count as unset. */
function anyValue(): fc.Arbitrary<string> {
  return fc
    .oneof(anyText(), anyTemplate())
    .map((text) => text.replaceAll("\0", "0"))
    .filter((text) => text !== "");
}

describe("expandServer", () => {
  it("puts a value in as it is, never expanded again, split or trimmed, for any value", () => {
    fc.assert(
      fc.property(anyValue(), (A) => {
        const { argv, env } = expanded(
          {
            command: "x",
            args: ["${A}", "${env:A}", "{env:A}", "$env:A", "<${A}>", "${B:-d}"],
            env: { E: "${A}${A}" },
          },
          { env: { A, B: "" } },
        ).server;
        expect(argv).toEqual(["x", A, A, A, A, `<${A}>`, "d"]);
        expect(env?.["E"]).toBe(A + A);
      }),
      { examples: [["${B}"], ["${A}"], [" a b "], ["$$"], ["$&"], ["{env:A}"]] },
    );
  });

  it("leaves a text without variables as it is, for any text", () => {
    fc.assert(
      fc.property(anyText(), (text) => {
        const literal = text.replaceAll("\0", "").replaceAll(/[{$]/g, "");
        expect(expanded({ command: "x", args: [literal] }, {}).server.argv).toEqual(["x", literal]);
      }),
    );
  });

  it("writes $${ as a literal ${, for any text after it", () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom("A", "}", ":", "-", " ") }), (text) => {
        const { argv } = expanded(
          { command: "x", args: [`$\${${text}`] },
          { env: { A: "1" } },
        ).server;
        expect(argv).toEqual(["x", `\${${text}`]);
      }),
    );
  });

  it("keeps the number of arguments and the names of env and headers, for any config", () => {
    fc.assert(
      fc.property(anyServerMap(), (map) => {
        for (const before of parseConfig({ mcpServers: map }).servers) {
          const result = expandServer(before, { env: { A: "a b", B: '"' }, onUndefined: "empty" });
          if (!result.ok) continue;
          const after = result.value.server;
          expect(after.argv?.length).toBe(before.argv?.length);
          expect(Object.keys(after.env ?? {})).toEqual(Object.keys(before.env ?? {}));
          expect(Object.keys(after.headers ?? {})).toEqual(Object.keys(before.headers ?? {}));
        }
      }),
    );
  });

  it("shows no value in a failure, for any config and environment", () => {
    const secret = fc.stringMatching(/^[a-z0-9]{8}\n?$/).map((text) => `5ecret-${text}`);
    fc.assert(
      fc.property(anyServerMap(), secret, secret, (map, A, B) => {
        for (const read of parseConfig({ mcpServers: map }).servers) {
          const result = expandServer(read, { env: { A, B }, inputs: { id: A } });
          if (!result.ok) expect(JSON.stringify(result.failure)).not.toContain("5ecret");
        }
      }),
      { examples: [[{ a: { url: "https://a", headers: { H: "${A}" } } }, "5ecret-\n", "5ecret-"]] },
    );
  });

  it("hands out for redaction every value it put in, every header and every env, for any config", () => {
    fc.assert(
      fc.property(anyServerMap(), anyValue(), (map, A) => {
        for (const read of parseConfig({ mcpServers: map }).servers) {
          const result = expandServer(read, { env: { A, B: "b" }, onUndefined: "empty" });
          if (!result.ok) continue;
          const { server: after, secrets } = result.value;
          const values = secrets.map(({ value }) => value);
          const used = read.variables?.some(({ name }) => name === "env:A") === true ? [A] : [];
          const texts = [...Object.values(after.headers ?? {}), ...Object.values(after.env ?? {})];
          for (const text of [...used, ...texts]) if (text) expect(values).toContain(text);
        }
      }),
    );
  });

  it("fails exactly when parseConfig reports a variable without a value, for any templates", () => {
    const options = { env: { A: "1" }, inputs: {}, baseDir: "/base" };
    fc.assert(
      fc.property(fc.array(anyTemplate(), { maxLength: 3 }), (texts) => {
        const args = texts.map((text) => text.replaceAll("\0", ""));
        const { diagnostics } = parseConfig(
          { mcpServers: { a: { command: "x", args } } },
          { variables: options },
        );
        const errors = diagnostics.filter((found) => found.severity === "error");
        const result = expandServer(server({ command: "x", args }), options);
        expect(result.ok ? "" : result.failure).toEqual(
          errors[0] === undefined
            ? ""
            : {
                tag: "config",
                code: errors[0].code,
                detail: errors.map((found) => found.message).join("; "),
              },
        );
      }),
      { examples: [[["${MISSING}", "${MISSING:-}${MISSING}${MISSING}"]]] },
    );
  });

  it("never throws, for any value of any argument", () => {
    fc.assert(
      fc.property(anyArgument(), anyArgument(), (server, options) => {
        const result = expandServer(server() as ServerConfig, options() as ExpandOptions);
        expect(typeof result.ok).toBe("boolean");
      }),
    );
  });
});

describe("a variable", () => {
  it.each<[string, ExpandOptions, string]>([
    ["${V}", { env: { V: "v" } }, "v"],
    ["${V:-d}", { env: { V: "v" } }, "v"],
    ["${V:-d}", { env: { V: "" } }, "d"],
    ["${V:-}", {}, ""],
    ["${V:-a:-b}", {}, "a:-b"],
    ["${A:-${B}}", {}, "${B}"],
    ["${env:V}", { env: { V: "v" } }, "v"],
    ["${env:V:-d}", {}, "d"],
    ["{env:V}", { env: { V: "v" } }, "v"],
    ["$env:V", { env: { V: "v" } }, "v"],
    ["x$env:V", { env: { V: "v" } }, "x$env:V"],
    [
      "$V %V% $(V) ${1V} ${V-d} ${V%x} {V}",
      { env: { V: "v" } },
      "$V %V% $(V) ${1V} ${V-d} ${V%x} {V}",
    ],
    ["$${V}", { env: { V: "v" } }, "${V}"],
    ["${input:a b}", { inputs: { "a b": "v" } }, "v"],
    ["${workspaceFolder}", { workspaceFolder: "/w", baseDir: "/b" }, "/w"],
    ["${workspaceFolder}", { baseDir: "/b" }, "/b"],
    ["${workspaceFolderBasename}", { baseDir: "/a/b/" }, "b"],
    ["${userHome}", { userHome: "/h" }, "/h"],
    ["${userHome}", { env: { HOME: "/h" } }, "/h"],
    ["${/}${pathSeparator}", { pathSeparator: "\\" }, "\\\\"],
    ["${/}", {}, "/"],
    ["{file:k}", { readFile: (path) => `<${path}>\r\n\n`, baseDir: "/b" }, "</b/k>"],
    ["${file:~/k}", { readFile: (path) => path, userHome: "/h" }, "/h/k"],
    ["${NO}", { onUndefined: "empty" }, ""],
    ["a${NO}b", { onUndefined: "keep" }, "a${NO}b"],
  ])("%s with %j is %j", (text, options, value) => {
    const { argv } = expanded({ command: "x", args: [`-${text}`, text] }, options).server;
    const isWhole = text.startsWith("$env:");
    expect(argv).toEqual(["x", isWhole ? `-${text}` : `-${value}`, value]);
  });

  it.each<[string, ExpandOptions, string, string]>([
    ["${V}", {}, "undefined-variable", "needs environment variable V, which is not set"],
    [
      "${V}",
      { env: { V: "" } },
      "undefined-variable",
      "needs environment variable V, which is empty",
    ],
    [
      "${toString}",
      { env: {} },
      "undefined-variable",
      "needs environment variable toString, which is not set",
    ],
    ["${input:k}", {}, "unresolved-input", 'needs input "k"; pass inputs'],
    ["{file:k}", {}, "unsupported-variable", "reads file k; pass readFile to allow it"],
    [
      "{file:k}",
      { readFile: () => expect.unreachable("no such file") },
      "unreadable-file",
      "cannot read file k",
    ],
    ["${command:x}", {}, "unsupported-variable", "holds ${command:x}, which only its editor knows"],
    ["${userHome}", {}, "undefined-variable", "needs ${userHome}, which is not known here"],
  ])("%s with %j is no value: %s", (text, options, code, why) => {
    expect(failure({ command: "x", args: ["-y", text] }, options)).toEqual({
      tag: "config",
      code,
      detail: `/mcpServers/a/args/1 ${why}`,
    });
  });

  it("is named with the place where it stands, also among several and under an alias", () => {
    const entry = { command: "${X}", args: ["${Y:-}"], environment: { B: "${X}", A: "${Z}" } };
    expect(failure(entry)).toMatchObject({
      detail: [
        "/mcpServers/a/command needs environment variable X, which is not set",
        "/mcpServers/a/environment/A needs environment variable Z, which is not set",
        "/mcpServers/a/environment/B needs environment variable X, which is not set",
      ].join("; "),
    });
  });
});

describe("what is checked after expansion", () => {
  const url = "https://a.example/mcp";
  it.each<[JsonObject, string, string, string]>([
    [{ url, headers: { A: "${V}" } }, "a\nb", "invalid-header", "/headers/A"],
    [{ url, headers: { A: "${V}" } }, "a\rb", "invalid-header", "/headers/A"],
    [{ url, headers: { A: "${V}" } }, "a\0b", "invalid-header", "/headers/A"],
    [{ url, headers: { A: "${V}" } }, "a\u007fb", "invalid-header", "/headers/A"],
    [{ url, headers: { A: "${V}" } }, "a\u0100b", "invalid-header", "/headers/A"],
    [{ url: "${V}" }, "ftp://a.example/", "invalid-url", "/url"],
    [{ url: "${V}" }, "a.example", "invalid-url", "/url"],
    [{ url: "https://${V}/" }, "a b", "invalid-url", "/url"],
    [{ command: "${V}" }, " ", "empty-command", "/argv/0"],
    [{ command: "x", args: ["${V}"] }, "a\0b", "nul-character", "/argv/1"],
    [{ command: "x", env: { A: "${V}" } }, "a\0b", "nul-character", "/env/A"],
    [{ command: "x", cwd: "${V}" }, "a\0b", "nul-character", "/cwd"],
  ])("%j with %j is refused as %s", (entry, V, code, member) => {
    const found = failure(entry, { env: { V } });
    expect(found).toMatchObject({ tag: "config", code });
    expect(JSON.stringify(found)).toContain(`/mcpServers/a${member} `);
    if (V.length > 1) expect(JSON.stringify(found)).not.toContain(JSON.stringify(V).slice(1, -1));
  });

  it("takes every character that a header can carry", () => {
    const V = "\t !~\u0080\u00e9\u00ff";
    expect(expanded({ url, headers: { A: "x${V}" } }, { env: { V } }).server.headers).toMatchObject(
      {
        A: `x${V}`,
      },
    );
  });
});

describe("the folder of a server", () => {
  it.each<[string | undefined, ExpandOptions, string | undefined]>([
    [undefined, {}, undefined],
    [undefined, { baseDir: "/b" }, "/b"],
    ["", { baseDir: "/b" }, "/b"],
    [".", { baseDir: "/b" }, "/b"],
    ["x", { baseDir: "/b" }, "/b/x"],
    ["./x", { baseDir: "/b/" }, "/b/x"],
    ["../x", { baseDir: "/b" }, "/b/../x"],
    ["x", {}, "x"],
    ["/x", { baseDir: "/b" }, "/x"],
    ["C:\\x", { baseDir: "/b" }, "C:\\x"],
    ["~", { baseDir: "/b", userHome: "/h" }, "/h"],
    ["~/x", { baseDir: "/b", userHome: "/h" }, "/h/x"],
    ["~x", { baseDir: "/b", userHome: "/h" }, "/b/~x"],
    ["${V}", { baseDir: "/b", env: { V: "~/x", HOME: "/h" } }, "/h/x"],
  ])("%j with %j is %j", (cwd, options, wanted) => {
    const entry = cwd === undefined ? { command: "x" } : { command: "x", cwd };
    expect(expanded(entry, options).server.cwd).toBe(wanted);
  });

  it("cannot be below a home folder that is not known", () => {
    expect(failure({ command: "x", cwd: "~/x" })).toEqual({
      tag: "config",
      code: "undefined-variable",
      detail: "/mcpServers/a/cwd starts with ~, and no home folder is known",
    });
  });

  it("is no matter of a remote server", () => {
    expect(expanded({ url: "https://a.example/" }, { baseDir: "/b" }).server.cwd).toBeUndefined();
  });
});

describe("the secrets of a server", () => {
  it("are its variables, its headers with and without their scheme, and its env, each once", () => {
    const { secrets } = expanded(
      {
        url: "https://a.example/${K}",
        headers: { Authorization: "Bearer ${K}", "X-A": "literal" },
      },
      { env: { K: "key-1" } },
    );
    expect(secrets).toEqual([
      { name: "K", value: "key-1" },
      { name: "Authorization", value: "Bearer key-1" },
      { name: "Authorization", value: "key-1" },
      { name: "X-A", value: "literal" },
    ]);
    const local = expanded(
      { command: "x", env: { A: "${K}", B: null, C: "" } },
      { env: { K: "k" } },
    );
    expect(local.secrets).toEqual([
      { name: "K", value: "k" },
      { name: "A", value: "k" },
    ]);
  });

  it("are neither folders nor defaults", () => {
    const entry = { command: "x", args: ["${workspaceFolder}", "${userHome}", "${V:-default}"] };
    expect(expanded(entry, { baseDir: "/b", userHome: "/h" }).secrets).toEqual([]);
  });

  it("name inputs and files too", () => {
    const { secrets } = expanded(
      { command: "x", args: ["${input:id}", "{file:k}"] },
      { inputs: { id: "one" }, readFile: () => "two\n" },
    );
    expect(secrets).toEqual([
      { name: "id", value: "one" },
      { name: "k", value: "two" },
    ]);
  });
});

describe("names from outside", () => {
  it("stay the names of env and headers, for any name", () => {
    fc.assert(
      fc.property(
        anyName().filter((name) => name !== "" && !/[=\0]/.test(name)),
        (name) => {
          const { env } = expanded(
            { command: "x", env: Object.fromEntries([[name, "${V}"]]) },
            { env: { V: "v" } },
          ).server;
          expect(Object.entries(env ?? {})).toEqual([[name, "v"]]);
        },
      ),
      { examples: [["__proto__"], ["constructor"]] },
    );
  });
});
