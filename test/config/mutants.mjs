// Small faults in src/config, in the form of test/mutants/list.mjs: each must turn the named test red.

function mutant(file, [find, replace], testFile, test) {
  return { file: `src/config/${file}`, find, replace, testFile: `test/config/${testFile}`, test };
}

const reading = [
  mutant(
    "read-text.ts",
    ["message: `line ${line},", "message: `line ${Math.random()},"],
    "parse-config.test.ts",
    "never throws and says the same twice, for any string",
  ),
  mutant(
    "hoist.ts",
    ['new Map([["path", "command"]])', '{ get: (key) => ({ path: "command" })[key] }'],
    "parse-config.test.ts",
    "has every key of the server map in its servers, in code point order, for any config",
  ),
  mutant(
    "read-object.ts",
    ["const keys = attempt(() => Object.keys(raw));", "const keys = Object.keys(raw);"],
    "parse-config.test.ts",
    "never throws, for any value of any argument",
  ),
  mutant(
    "read-text.ts",
    ["if (depth > MAX_DEPTH)", "if (depth >= MAX_DEPTH)"],
    "read-text.test.ts",
    "is too deep from the 65th level on, in brackets and braces alike",
  ),
  mutant(
    "endpoint.ts",
    ["of sortedByName(pieces, (piece) => piece.name)) {", "of pieces) {"],
    "parse-config.test.ts",
    "gives the same servers whatever the order of members and the white space, for any config",
  ),
  mutant(
    "read-text.ts",
    ['return { kind: "array", items };', 'return { kind: "array", items: items.slice(0, 2) };'],
    "parse-config.test.ts",
    "gives text and object the same servers, for any config",
  ),
  mutant(
    "read-object.ts",
    [
      'if (shape === "object") {',
      'if (shape === "object") {\n    Reflect.deleteProperty(raw, "args");',
    ],
    "parse-config.test.ts",
    "leaves its input as it was, for any config",
  ),
  mutant(
    "parse-config.ts",
    [
      "entries.map((entry) => readServer(entry, rules, report))",
      "entries.slice(0, 3).map((entry) => readServer(entry, rules, report))",
    ],
    "parse-config.test.ts",
    "reads a server the same whatever stands beside it, for any entries",
  ),
  mutant(
    "texts.ts",
    [
      "const message = `${at.path}: $NAME is passed",
      "const message = `${at.path}: ${text} is passed",
    ],
    "parse-config.test.ts",
    "says no value of env, headers, args, url, cwd, token or variable in a diagnostic, for any config",
  ),
  mutant(
    "parse-config.ts",
    ['diagnostic.severity !== "error"', 'diagnostic.code !== "wrong-type"'],
    "parse-config.test.ts",
    "is ok exactly when no diagnostic is an error, for any config",
  ),
  mutant(
    "parse-config.ts",
    ["else codes.push(finding.code);", ""],
    "parse-config.test.ts",
    "names as problems of an enabled server exactly the codes of its errors, for any config",
  ),
  mutant(
    "diagnostics.ts",
    ["owner?.enabled === false", "owner === undefined"],
    "parse-config.test.ts",
    "reports no error of a disabled server, for any entry",
  ),
  mutant(
    "command.ts",
    ["if (words.length === 1 ||", "if (words.length === 2 ||"],
    "parse-config.test.ts",
    "finds nothing wrong with ordinary servers, for any names",
  ),
  mutant(
    "diagnostics.ts",
    ["(a.at.offset ?? 0) - (b.at.offset ?? 0) ||", ""],
    "parse-config.test.ts",
    "puts diagnostics of a text in the order of the text, for any config",
  ),
  mutant(
    "codes.ts",
    ['return isStrict && STRICT_CODES.has(code) ? "error"', 'return isStrict ? "info"'],
    "parse-config.test.ts",
    "turns its stricter findings into errors under strict, and changes no server but for problems",
  ),
  mutant(
    "read-text.ts",
    [
      "parseTree(text, errors, { allowTrailingComma: true })",
      "parseTree(text.trim(), errors, { allowTrailingComma: true })",
    ],
    "read-text.test.ts",
    "takes what JSON.parse takes and refuses what it refuses, but for looser text it says so of",
  ),
  mutant(
    "read-text.ts",
    ["const key = String(name.value);", "const key = String(name.value).trim();"],
    "read-text.test.ts",
    "reads the value that JSON.parse reads, for any value in any style",
  ),
  mutant(
    "read-text.ts",
    ["/\\r\\n|\\n|\\r/g", "/\\n|\\r/g"],
    "read-text.test.ts",
    "gives every value the pointer and the position where its member begins, for any value",
  ),
  mutant(
    "read-text.ts",
    ["String.fromCodePoint(rest.codePointAt(0) ?? 0xfffd)", "rest"],
    "read-text.test.ts",
    "says no more than one character of a text that is no JSON, for any string",
  ),
];

const expanding = [
  mutant(
    "expand-server.ts",
    ["      return resolution.value;", "      return resolution.value.trim();"],
    "expand-server.test.ts",
    "puts a value in as it is, never expanded again, split or trimmed, for any value",
  ),
  mutant(
    "expand-server.ts",
    ["      return resolution.value;", "      return resolution.value.replace(/\\$\\{A\\}/, '');"],
    "expand-server.test.ts",
    "puts a value in as it is, never expanded again, split or trimmed, for any value",
  ),
  mutant(
    "template.ts",
    ["parts.push(text.slice(end))", "parts.push(text.slice(end).trim())"],
    "expand-server.test.ts",
    "leaves a text without variables as it is, for any text",
  ),
  mutant(
    "template.ts",
    ['if (text === "$${") return "${";', 'if (text === "$${") return "$${";'],
    "expand-server.test.ts",
    "writes $${ as a literal ${, for any text after it",
  ),
  mutant(
    "expand-server.ts",
    [
      'argv.map((part, i) => text(part, pointer("/argv", i)))',
      'argv.flatMap((part, i) => text(part, pointer("/argv", i)).split(" "))',
    ],
    "expand-server.test.ts",
    "keeps the number of arguments and the names of env and headers, for any config",
  ),
  mutant(
    "expand-server.ts",
    ['"holds a character that a header cannot carry"', "`holds ${value}`"],
    "expand-server.test.ts",
    "shows no value in a failure, for any config and environment",
  ),
  mutant(
    "secrets.ts",
    ["[...values, ...headers, ...env]", "[...values, ...env]"],
    "expand-server.test.ts",
    "hands out for redaction every value it put in, every header and every env, for any config",
  ),
  mutant(
    "expand-server.ts",
    ["?.shift();", "?.pop();"],
    "expand-server.test.ts",
    "fails exactly when parseConfig reports a variable without a value, for any templates",
  ),
  mutant(
    "expand-server.ts",
    [
      "attempt(() => expandRecord(server, givenExpandOptions(options)))",
      "expandRecord(server, givenExpandOptions(options))",
    ],
    "expand-server.test.ts",
    "never throws, for any value of any argument",
  ),
  mutant(
    "expand-server.ts",
    [
      "return nameMap(entries.map(([name, value]) => [name, change(value, name)]));",
      "const map: Record<string, T> = {};\n  for (const [name, value] of entries) map[name] = change(value, name);\n  return map;",
    ],
    "expand-server.test.ts",
    "stay the names of env and headers, for any name",
  ),
];

const hiding = [
  mutant(
    "redact.ts",
    [
      'const pattern = new RegExp(longestFirst.map(escaped).join("|"), "g");',
      'const pattern = new RegExp(longestFirst.map(escaped).join("|"));',
    ],
    "redact.test.ts",
    "leaves no secret of six or more characters, for any secrets and any text around them",
  ),
  mutant(
    "redact.ts",
    ["/[$()*+.?[\\\\\\]^{|}/-]/g", "/[$()*+?[\\\\\\]^{|}/-]/g"],
    "redact.test.ts",
    "takes no other text for a secret, however like it, for any secret",
  ),
  mutant(
    "../redact.ts",
    ["[value, base64, unpadded, base64url,", "[value, base64, unpadded,"],
    "redact.test.ts",
    "finds base64url of a secret, for any secret",
  ),
  mutant(
    "../redact.ts",
    ["[value, base64, unpadded, base64url,", "[value, base64, base64url,"],
    "redact.test.ts",
    "finds base64 without padding of a secret, for any secret",
  ),
  mutant(
    "../redact.ts",
    ["[value, base64, unpadded, base64url,", "[value, unpadded, base64url,"],
    "redact.test.ts",
    "finds base64 of a secret, for any secret",
  ),
  mutant(
    "../redact.ts",
    ["[encodeURIComponent(text), encodeURI(text)]", "[encodeURI(text)]"],
    "redact.test.ts",
    "finds percent-encoding of a secret, for any secret",
  ),
  mutant(
    "../redact.ts",
    ["[encodeURIComponent(text), encodeURI(text)]", "[encodeURIComponent(text)]"],
    "redact.test.ts",
    "finds the encoding of a url of a secret, for any secret",
  ),
  mutant(
    "../redact.ts",
    ["escape.toLowerCase()", "escape"],
    "redact.test.ts",
    "finds percent-encoding in small letters of a secret, for any secret",
  ),
  mutant(
    "../redact.ts",
    ['form.replaceAll("%20", "+")', "form"],
    "redact.test.ts",
    "finds the encoding of a form of a secret, for any secret",
  ),
  mutant(
    "../redact.ts",
    ["JSON.stringify(value).slice(1, -1)", "value"],
    "redact.test.ts",
    "finds a JSON string of a secret, for any secret",
  ),
  mutant(
    "../redact.ts",
    ['value.replace(/[\\ud800-\\udfff]/gu, "\\ufffd")', "value"],
    "redact.test.ts",
    "never throws, for any secrets and any text",
  ),
  mutant(
    "redact.ts",
    ["value.length >= LEAST_LENGTH", "value.length >= 5"],
    "redact.test.ts",
    "changes no text without secrets, for any text",
  ),
  mutant(
    "header-shape.ts",
    ["keys: sortedOnce(Object.keys(headers))", "keys: sortedOnce(Object.values(headers))"],
    "header-shape.test.ts",
    "depends on no literal text and on no value, for any headers",
  ),
];

const schema = [
  mutant(
    "keys.ts",
    ['  "uri",\n];', "];"],
    "schema.test.ts",
    "describes every member that an entry may have, and no other",
  ),
  mutant(
    "fields.ts",
    [
      'if (value.kind === "boolean") return value.flag;',
      'if (value.kind === "boolean" || value.kind === "number") return true;',
    ],
    "schema.test.ts",
    "agrees with parseConfig, for any server",
  ),
  mutant(
    "wrappers.ts",
    [
      'return value.kind === "object" || value.kind === "array";',
      'return value.kind === "object";',
    ],
    "schema.test.ts",
    "agrees with parseConfig, for any wrapper",
  ),
];

export const configMutants = [...reading, ...expanding, ...hiding, ...schema];
