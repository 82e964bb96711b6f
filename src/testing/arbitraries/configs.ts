/**
 * Configs in every dialect that is read, with hostile values among ordinary ones.
 */
import type { Json, JsonObject } from "../../json.ts";
import type { Arbitrary, FastCheck } from "./fast-check.ts";
import { anyJson, anyName, anyText, members } from "./values.ts";

const FRAGMENTS = [
  "${A}",
  "${A:-d}",
  "${MISSING:-}",
  "${MISSING}",
  "${env:A}",
  "{env:A}",
  "${input:id}",
  "${workspaceFolder}",
  "{file:f}",
  "$${",
  "${",
  "$HOME",
  "${A:-${B}}",
  " ",
  "Bearer ",
];

/** A text with variables in it. */
function anyTemplate(fc: FastCheck): Arbitrary<string> {
  const fragment = fc.oneof(fc.constantFrom(...FRAGMENTS), fc.stringMatching(/^[a-z]{1,8}$/));
  return fc.oneof(
    fc.array(fragment, { maxLength: 4 }).map((parts) => parts.join("")),
    anyText(fc),
  );
}

/** Values that a dialect has for a member, by the names of the member. */
type Fitting = readonly (readonly [names: readonly string[], values: Arbitrary<Json>])[];

function fittingMembers(fc: FastCheck): Fitting {
  const template = anyTemplate(fc);
  const scalar = fc.oneof<Arbitrary<Json>[]>(template, fc.integer(), fc.boolean());
  const list = fc.array(scalar, { maxLength: 4 });
  const map = members(fc, anyName(fc), fc.oneof(scalar, fc.constant(null)));
  const flag = fc.oneof<Arbitrary<Json>[]>(fc.boolean(), fc.constantFrom("true", "false"));
  const program = fc.oneof<Arbitrary<Json>[]>(fc.constantFrom("npx", "node", ""), template, list);
  const kind = fc.constantFrom("stdio", "local", "http", "streamable-http", "sse", "remote", "ws");
  const url = fc.oneof(
    fc.constantFrom("https://a.example/mcp", "http://127.0.0.1:1/mcp", "https://${A}/mcp", ""),
    template,
  );
  const duration = fc.oneof<Arbitrary<Json>[]>(
    fc.integer({ min: 1, max: 60_000 }),
    fc.constantFrom<Json>(0, -1, 0.5, 3e9, "30"),
  );
  return [
    [["type", "transport", "transportType"], kind],
    [["transport"], fc.record({ type: kind, url })],
    [["command"], fc.record({ path: program, args: list })],
    [["command", "executable", "cmd"], program],
    [["args", "env_vars", "includeTools", "disabledTools"], list],
    [["cwd"], fc.oneof(fc.constantFrom("~/x", ".", "/abs", "a/b"), template)],
    [["env", "environment", "envs", "headers", "http_headers", "env_http_headers"], map],
    [["env"], fc.array(fc.constantFrom("A=1", "B=${A}", "C"), { maxLength: 3 })],
    [["inheritEnv"], fc.oneof<Arbitrary<Json>[]>(flag, list)],
    [["url", "httpUrl", "serverUrl", "uri"], url],
    [["bearerToken", "bearer_token_env_var", "description", "envFile"], template],
    [["enabled", "disabled", "isActive", "required", "oauth"], flag],
    [["era"], fc.constantFrom("auto", "legacy", "modern", "new")],
    [["timeout", "timeoutSec", "connectionTimeout", "callTimeout", "tool_timeout_sec"], duration],
    [["tools"], fc.oneof<Arbitrary<Json>[]>(list, members(fc, anyName(fc), flag))],
    [["requestOptions"], fc.record({ headers: map })],
  ];
}

function anyEntry(fc: FastCheck): Arbitrary<Json> {
  const fitting = fittingMembers(fc);
  const member = fc
    .constantFrom(...fitting)
    .chain(([names, values]) =>
      fc.tuple(fc.constantFrom(...names), fc.oneof({ weight: 9, arbitrary: values }, anyJson(fc))),
    );
  const foreign = fc.tuple(anyName(fc), anyJson(fc));
  const entry = fc
    .uniqueArray(fc.oneof({ weight: 9, arbitrary: member }, foreign), {
      maxLength: 6,
      selector: ([name]) => name,
    })
    .map((entries): JsonObject => Object.fromEntries(entries));
  return fc.oneof<[{ weight: number; arbitrary: Arbitrary<Json> }, Arbitrary<Json>]>(
    { weight: 9, arbitrary: entry },
    anyJson(fc),
  );
}

/** A config as an object: any wrapper or none, entries of any dialect, members of others beside it. */
export function anyConfig(fc: FastCheck): Arbitrary<JsonObject> {
  const servers = members(fc, anyName(fc), anyEntry(fc));
  const wrapped = fc
    .tuple(fc.constantFrom("mcpServers", "servers", "mcp_servers", "context_servers"), servers)
    .map(([wrapper, map]): JsonObject => ({ [wrapper]: map }));
  const nested = servers.map((map): JsonObject => ({ mcp: { servers: map } }));
  const listed = fc
    .array(anyEntry(fc), { maxLength: 4 })
    .map((list): JsonObject => ({ servers: list }));
  const beside = fc.record(
    { naming: fc.constantFrom("plain", "stable", "odd"), inputs: anyJson(fc) },
    { requiredKeys: [] },
  );
  return fc
    .tuple(fc.oneof(wrapped, wrapped, nested, listed, servers), beside)
    .map(([config, others]): JsonObject => ({ ...others, ...config }));
}

const BLANKS = ["", " ", "\n", "\r\n\t", "/* a */", "// b\n"];

/** The text of such a config, with blanks, comments and trailing commas. */
export function anyConfigText(fc: FastCheck): Arbitrary<string> {
  const choices = fc.array(fc.nat(1000), { minLength: 1, maxLength: 20 });
  return fc.tuple(anyConfig(fc), choices).map(([config, style]) => textInStyle(config, style));
}

function textInStyle(json: Json, style: readonly number[]): string {
  let used = 0;
  const pick = (): number => style[used++ % style.length] ?? 0;
  const blank = (): string => BLANKS[pick() % BLANKS.length] ?? "";
  const joined = (parts: readonly string[]): string =>
    parts.length > 0 && pick() % 3 === 0 ? `${parts.join(",")},${blank()}` : parts.join(",");
  const write = (value: Json): string => {
    if (typeof value !== "object" || value === null) return JSON.stringify(value);
    if (isList(value)) return `[${blank()}${joined(value.map((item) => blank() + write(item)))}]`;
    const parts = Object.entries(value).map(
      ([key, member]) => `${blank()}${JSON.stringify(key)}${blank()}:${write(member ?? null)}`,
    );
    return `{${blank()}${joined(parts)}}`;
  };
  return `${blank()}${write(json)}${blank()}`;
}

/** For TypeScript, which does not narrow readonly lists. */
function isList(json: Json): json is readonly Json[] {
  return Array.isArray(json);
}
