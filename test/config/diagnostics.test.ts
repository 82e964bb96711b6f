import { describe, expect, it } from "vitest";
import type { ParseOptions } from "../../src/config/given-options.ts";
import { parseConfig } from "../../src/config/parse-config.ts";
import type { Diagnostic, DiagnosticCode } from "../../src/config/server.ts";

interface Case {
  readonly input: string;
  readonly options?: ParseOptions;
  /** The one diagnostic with this code, but for the code. */
  readonly expected: Omit<Diagnostic, "code">;
}

/** A config with one server, `a`, on one line; `^` in it is where the diagnostic points to. */
function entry(text: string, rest: Partial<Diagnostic> & { readonly at: string }): Case {
  const { at, ...expected } = rest;
  const whole = `{"mcpServers":{"a":{${text}}}}`;
  return caseOf(whole, {
    severity: "warning",
    message: "",
    path: `/mcpServers/a${at}`,
    server: "a",
    ...expected,
  });
}

function caseOf(marked: string, expected: Omit<Diagnostic, "code">, options?: ParseOptions): Case {
  const before = marked.slice(0, marked.indexOf("^"));
  const line = before.split("\n").length;
  const column = before.length - before.lastIndexOf("\n");
  return {
    input: marked.replace("^", ""),
    expected: { line, column, ...expected },
    ...(options !== undefined && { options }),
  };
}

const ERROR = { severity: "error" } as const;
const COMMAND = '"command":"x"';
const URL = '"url":"https://a.example/"';

/** One case for each code of the catalogue; the compiler misses no one. */
const CASES: Readonly<Record<DiagnosticCode, Case>> = {
  syntax: caseOf('{\n  "a": ^True\n}', {
    ...ERROR,
    message: 'line 2, column 8: unexpected "T"; write true, false or null',
    path: "",
  }),
  "too-deep": caseOf(`${"[".repeat(64)}^[`, {
    ...ERROR,
    message: "nesting deeper than 64 levels",
    path: "",
  }),
  bom: {
    input: '\ufeff{"mcpServers":{"a":{"command":"x"}}}',
    expected: {
      severity: "info",
      message: "the text starts with a BOM",
      path: "",
      line: 1,
      column: 1,
    },
  },
  "not-strict-json": caseOf(`{\r\n\t^// servers\r\n"mcpServers":{"a":{${COMMAND},}}}`, {
    severity: "info",
    message: "comment or trailing comma; some MCP hosts accept strict JSON only",
    path: "",
  }),
  "duplicate-key": caseOf(`{"mcpServers":{"a":{${COMMAND}},^"a":{"command":"y"}}}`, {
    ...ERROR,
    message: '"a" appears twice; the last one is used',
    path: "/mcpServers/a",
    server: "a",
  }),
  "wrong-type": entry(`${COMMAND},^"args":"-y"`, {
    ...ERROR,
    at: "/args",
    message: "/mcpServers/a/args: expected array of strings, found string",
    expected: "string[]",
    actual: "string",
  }),
  "no-servers": caseOf('^{"b":1,"a":{}}', {
    ...ERROR,
    message: "no mcpServers, servers or mcp object; found: a, b",
    path: "",
  }),
  "empty-servers": caseOf('{^"servers":{}}', {
    severity: "warning",
    message: "the config names no servers",
    path: "/servers",
  }),
  "multiple-wrappers": caseOf(`{^"servers":{"b":{${URL}}},"mcpServers":{"a":{${COMMAND}}}}`, {
    ...ERROR,
    message: "both mcpServers and servers hold entries; using mcpServers",
    path: "/servers",
  }),
  "server-list": caseOf(`{^"servers":[{"name":"a",${COMMAND}}]}`, {
    severity: "warning",
    message: "/servers is a list; write an object with the names as keys",
    path: "/servers",
  }),
  "missing-name": caseOf(`{"servers":[^{${COMMAND}}]}`, {
    ...ERROR,
    message: '/servers/0 has no name and is called "0"',
    path: "/servers/0",
    server: "0",
  }),
  "empty-name": caseOf(`{"mcpServers":{^"":{${COMMAND}}}}`, {
    ...ERROR,
    message: "a server has an empty name",
    path: "/mcpServers/",
    server: "",
  }),
  "name-collision": caseOf(`{"mcpServers":{^"a.b":{${COMMAND}},"a b":{${COMMAND}}}}`, {
    severity: "warning",
    message: '"a b" and "a.b" both become tool prefix a_b_',
    path: "/mcpServers/a.b",
    server: "a.b",
  }),
  "missing-command-or-url": caseOf('{"mcpServers":{^"a":{}}}', {
    ...ERROR,
    message: "the server has neither command nor url",
    path: "/mcpServers/a",
    server: "a",
  }),
  "missing-command": caseOf(`{"mcpServers":{^"a":{"type":"stdio",${URL}}}}`, {
    ...ERROR,
    message: "type is stdio but there is no command",
    path: "/mcpServers/a",
    server: "a",
  }),
  "missing-url": caseOf(`{"mcpServers":{^"a":{"type":"http",${COMMAND}}}}`, {
    ...ERROR,
    message: "type is http but there is no url",
    path: "/mcpServers/a",
    server: "a",
  }),
  "empty-command": entry('^"command":" "', {
    ...ERROR,
    at: "/command",
    message: "/mcpServers/a/command is empty",
  }),
  "empty-url": entry('^"url":""', {
    ...ERROR,
    at: "/url",
    message: "/mcpServers/a/url is empty",
  }),
  "both-command-and-url": caseOf(`{"mcpServers":{^"a":{${COMMAND},${URL}}}}`, {
    ...ERROR,
    message: 'the server has command and url; add "type" to choose',
    path: "/mcpServers/a",
    server: "a",
  }),
  "unknown-type": entry(`^"type":"streamable",${URL}`, {
    ...ERROR,
    at: "/type",
    message: 'type "streamable" is not known; did you mean "streamable-http"?',
    didYouMean: "streamable-http",
  }),
  "unsupported-transport": entry(`^"type":"websocket",${URL}`, {
    ...ERROR,
    at: "/type",
    message: 'type "websocket" is no transport of this library; use stdio, http or sse',
  }),
  "invalid-url": entry('^"url":"a.example/mcp"', {
    ...ERROR,
    at: "/url",
    message: "/mcpServers/a/url is no absolute http or https url",
  }),
  "invalid-header": entry(`${URL},"headers":{^"A":"x\\ny"}`, {
    ...ERROR,
    at: "/headers/A",
    message: "/mcpServers/a/headers/A holds a character that a header cannot carry",
  }),
  "invalid-env-name": entry(`${COMMAND},"env":{^"A=B":"x"}`, {
    ...ERROR,
    at: "/env/A=B",
    message: "/mcpServers/a/env/A=B is no name of an environment variable",
  }),
  "nul-character": entry(`${COMMAND},"args":[^"a\\u0000b"]`, {
    ...ERROR,
    at: "/args/0",
    message: "/mcpServers/a/args/0 holds a NUL character",
  }),
  "undefined-variable": withVariables(
    entry(`${URL},"headers":{^"A":"Bearer \${ACME_TOKEN}"}`, {
      ...ERROR,
      at: "/headers/A",
      message: "/mcpServers/a/headers/A needs environment variable ACME_TOKEN, which is not set",
    }),
  ),
  "unresolved-input": withVariables(
    entry(`${COMMAND},"env":{^"A":"\${input:api-key}"}`, {
      ...ERROR,
      at: "/env/A",
      message: '/mcpServers/a/env/A needs input "api-key"; pass inputs',
    }),
  ),
  "unsupported-variable": withVariables(
    entry(`${COMMAND},"env":{^"A":"{file:~/.key}"}`, {
      ...ERROR,
      at: "/env/A",
      message: "/mcpServers/a/env/A reads file ~/.key; pass readFile to allow it",
    }),
  ),
  "unreadable-file": withVariables(
    entry(`${COMMAND},"env":{^"A":"\${file:.key}"}`, {
      ...ERROR,
      at: "/env/A",
      message: "/mcpServers/a/env/A cannot read file .key",
    }),
    { readFile: () => undefined },
  ),
  "nested-variable": entry(`${COMMAND},"args":[^"\${A:-\${B}}"]`, {
    at: "/args/0",
    message: '/mcpServers/a/args/0: a default ends at the first "}", it holds no variable',
  }),
  "bare-dollar": entry(`${URL},"headers":{^"A":"Bearer $TOKEN"}`, {
    at: "/headers/A",
    message: "/mcpServers/a/headers/A: $NAME is passed as written; use ${NAME}",
  }),
  "tilde-not-expanded": entry(`${COMMAND},"args":["x",^"~/data"]`, {
    at: "/args/1",
    message: "/mcpServers/a/args/1: ~ is passed as written; use ${userHome}",
  }),
  "timeout-not-positive": entry(`${COMMAND},^"timeout":0`, {
    ...ERROR,
    at: "/timeout",
    message: "/mcpServers/a/timeout: a timeout must be more than 0",
  }),
  "timeout-too-large": entry(`${COMMAND},^"timeout":2147483648`, {
    ...ERROR,
    at: "/timeout",
    message: "/mcpServers/a/timeout: a timeout must be at most 2147483647 ms",
  }),
  "timeout-suspicious": entry(`${COMMAND},^"timeout":60`, {
    at: "/timeout",
    message: '60 is read as 60 ms; Cline and Roo files count seconds: use 60000 or dialect "cline"',
  }),
  "coerced-value": entry(`${COMMAND},^"disabled":"false"`, {
    at: "/disabled",
    message: "/mcpServers/a/disabled: string taken for a boolean; leave out the quotes",
    expected: "boolean",
    actual: "string",
  }),
  "null-value": entry(`${COMMAND},^"cwd":null`, {
    at: "/cwd",
    message: "/mcpServers/a/cwd is null and counts as absent",
  }),
  "unknown-key": entry(`${COMMAND},^"enviroment":{}`, {
    at: "/enviroment",
    message: '"enviroment" is not a known member; did you mean "environment"?',
    didYouMean: "environment",
  }),
  "unsupported-key": entry(`${COMMAND},^"envFile":".env"`, {
    at: "/envFile",
    message: "envFile is not read; load it yourself or pass env",
  }),
  "ignored-key": entry(`${URL},^"env":{"A":"x"}`, {
    at: "/env",
    message: '"env" has no effect on a remote server',
  }),
  "conflicting-keys": entry(`"enabled":true,^"disabled":true,${COMMAND}`, {
    at: "/disabled",
    message: '"enabled" and "disabled" disagree; "disabled" is used',
  }),
  "nested-transport": entry(`^"transport":{"type":"stdio",${COMMAND}}`, {
    at: "/transport",
    message: "transport is an object; write its members beside it",
  }),
  "legacy-command-object": entry('^"command":{"path":"x"}', {
    at: "/command",
    message: 'command is an object; write "command" and "args"',
  }),
  "env-list": entry(`${COMMAND},^"env":["A=1"]`, {
    at: "/env",
    message: "env is a list; write an object of names and values",
  }),
  "args-after-command-array": entry('"command":["x"],"args":[^"y"]', {
    at: "/args/0",
    message: "args beside a command that is a list; they are added to its end",
  }),
  "command-has-spaces": entry('^"command":"npx -y server --token abc"', {
    at: "/command",
    message: "/mcpServers/a/command is one program name with spaces in it; a command is not split",
    hint: 'use "command": "npx" and put the other words into "args"',
  }),
  "empty-allow-list": entry(`${COMMAND},^"tools":[]`, {
    at: "/tools",
    message: 'an empty list allows no tool; leave it out or write ["*"] for all',
  }),
  "surrounding-whitespace": entry('^"command":"x "', {
    at: "/command",
    message: "/mcpServers/a/command starts or ends with a blank, which is kept",
  }),
  "plain-text-secret": entry(`${COMMAND},"env":{^"API_TOKEN":"abc"}`, {
    at: "/env/API_TOKEN",
    message: "/mcpServers/a/env/API_TOKEN holds a literal credential; use ${NAME}",
  }),
  "placeholder-value": entry(`${COMMAND},"env":{^"API_TOKEN":"YOUR_TOKEN"}`, {
    at: "/env/API_TOKEN",
    message: "/mcpServers/a/env/API_TOKEN looks like an unedited placeholder",
  }),
  "insecure-url": entry('^"url":"http://a.example/","headers":{"Authorization":"${T}"}', {
    at: "/url",
    message: "/mcpServers/a/url sends credentials over http; use https",
  }),
};

function withVariables(given: Case, variables: ParseOptions["variables"] = {}): Case {
  return { ...given, options: { variables } };
}

describe("a diagnostic", () => {
  it.each(Object.entries(CASES))("of code %s says exactly what and where", (code, given) => {
    const { diagnostics } = parseConfig(given.input, given.options);
    expect(diagnostics.filter((diagnostic) => diagnostic.code === code)).toEqual([
      { code, ...given.expected },
    ]);
  });

  it.each(Object.entries(CASES))(
    "of code %s has no position where there is no text",
    (code, given) => {
      let object: unknown;
      try {
        object = JSON.parse(given.input);
      } catch {
        return;
      }
      const found = parseConfig(object, given.options).diagnostics;
      for (const diagnostic of found) expect(diagnostic).not.toHaveProperty("line");
      const { line: _line, column: _column, ...expected } = given.expected;
      // A repeated key is gone once the text is an object.
      const wanted = code === "duplicate-key" ? [] : [{ code, ...expected }];
      expect(found.filter((diagnostic) => diagnostic.code === code)).toEqual(wanted);
    },
  );

  it.each([
    "unknown-key",
    "coerced-value",
    "null-value",
    "command-has-spaces",
    "timeout-suspicious",
    "duplicate-key",
  ] as const)("of code %s is an error under strict, and one of its server's problems", (code) => {
    const { input } = CASES[code];
    const { diagnostics, servers } = parseConfig(input, { strict: true });
    expect(diagnostics.find((found) => found.code === code)?.severity).toBe("error");
    expect(servers[0]?.problems).toContain(code);
  });
});

describe("what is not reported", () => {
  it.each([
    ["blank text in args", `${COMMAND},"args":[" "]`],
    ["a tilde inside a value of env", `${COMMAND},"env":{"DIR":"~/x"}`],
    ["a command substitution for a shell", '"command":"bash","args":["-c","cd $HOME && $(x)"]'],
    ["what is no name in braces", `${COMMAND},"args":["\${THIS IS NO NAME}","\${V%pat}","{{X}}"]`],
    ["JSON inside a value", `${COMMAND},"env":{"H":"{\\"Authorization\\":\\"\${T}\\"}"}`],
    ["a program whose path has spaces", '"command":"/Applications/My App/x"'],
    ["a program on another drive", '"command":"C:\\\\Program Files\\\\x.exe"'],
    ["notes", `${COMMAND},"_note":1,"$x":1,"//":1,"#a":1,"x-a":1`],
    ["members of other hosts", `${COMMAND},"autoApprove":[],"description":"","icon":"x"`],
    ["an empty env beside a url", `${URL},"env":{}`],
    ["oauth that is off", `${URL},"oauth":false`],
    ["http to this machine", '"url":"http://localhost:1/","headers":{"Authorization":"${T}"}'],
    [
      "a name that only holds a word for a secret",
      `${COMMAND},"env":{"MAX_TOKENS":"6","TOKEN_FILE":"x"}`,
    ],
    ["a switch under the name of a secret", `${COMMAND},"env":{"USE_SECRET":"true"}`],
  ])("%s", (_, text) => {
    expect(parseConfig(`{"mcpServers":{"a":{${text}}}}`).diagnostics).toEqual([]);
  });

  it("settings beside the wrapper, even where a key stands twice", () => {
    const text = `{"theme":1,"theme":2,"mcpServers":{"a":{${COMMAND}}},"servers":{"web":{"port":80}}}`;
    expect(parseConfig(text).diagnostics).toEqual([]);
  });
});

describe("lints of credentials", () => {
  it.each([
    ["--token X", '"command":"x","args":["--token",^"abc"]', "/args/1"],
    ["--api-key=X", '"command":"x","args":[^"--api-key=abc"]', "/args/0"],
    ["NAME=X", '"command":"docker","args":["-e",^"MY_SECRET=abc"]', "/args/1"],
    ["a password in a url among args", '"command":"x","args":[^"redis://:abc@h/0"]', "/args/0"],
    ["a password in the url", '^"url":"https://u:abc@a.example/"', "/url"],
    ["a key in the query", '^"url":"https://a.example/?api_key=abc"', "/url"],
    ["a header", `${URL},"headers":{^"X-API-Key":"abc"}`, "/headers/X-API-Key"],
  ])("find %s", (_, text, at) => {
    const { input, expected } = entry(text, { at });
    const found = parseConfig(input).diagnostics;
    expect(found).toMatchObject([
      { code: "plain-text-secret", path: expected.path, column: expected.column },
    ]);
  });
});
