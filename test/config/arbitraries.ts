/**
 * Generators of configs: ordinary entries in every dialect, with hostile values among them.
 */
import fc from "fast-check";
import type { Json, JsonObject } from "../../src/json.ts";
import { anyJson, anyName, anyText, objectOf, safeName } from "../support/arbitraries.ts";

const FRAGMENTS = [
  "${A}",
  "${B}",
  "${A:-d}",
  "${MISSING:-}",
  "${env:A}",
  "${env:B:-x}",
  "{env:A}",
  "${MISSING}",
  "${input:id}",
  "${workspaceFolder}",
  "${/}",
  "{file:f}",
  "$${",
  "${",
  "}",
  "$",
  "$HOME",
  "${A:-${B}}",
  " ",
  "Bearer ",
];

/** A text with variables in it, alone or among literal text. */
export function anyTemplate(): fc.Arbitrary<string> {
  const fragment = fc.oneof(fc.constantFrom(...FRAGMENTS), safeName(), anyText());
  return fc.oneof(
    fc.array(fragment, { maxLength: 5 }).map((parts) => parts.join("")),
    fc.constant("$env:A"),
  );
}

/** An object with any names, `__proto__` included, and such values. */
export function anyRecord<T extends Json>(
  values: fc.Arbitrary<T>,
  names: fc.Arbitrary<string> = anyName(),
): fc.Arbitrary<JsonObject> {
  return fc
    .uniqueArray(fc.tuple(names, values), { maxLength: 5, selector: ([name]) => name })
    .map(objectOf);
}

function scalar(): fc.Arbitrary<Json> {
  return fc.oneof({ weight: 4, arbitrary: anyTemplate() }, fc.integer(), fc.boolean());
}

function list(): fc.Arbitrary<Json> {
  return fc.array(scalar(), { maxLength: 4 });
}

function url(): fc.Arbitrary<Json> {
  return fc.oneof(
    fc.constantFrom("https://a.example/mcp", "http://127.0.0.1:1/mcp", "wss://a.example", ""),
    fc.constantFrom("https://${A}/mcp", "https://u:p@b.example/?api_key=k", "mcp"),
    anyTemplate(),
  );
}

function duration(): fc.Arbitrary<Json> {
  return fc.oneof(fc.integer({ min: 1, max: 60_000 }), fc.constantFrom(0, -1, 0.5, 3e9, "30"));
}

function flag(): fc.Arbitrary<Json> {
  return fc.oneof(fc.boolean(), fc.constantFrom("true", "false"));
}

function program(): fc.Arbitrary<Json> {
  return fc.oneof(fc.constantFrom("npx", "node", "", "npx -y x"), anyTemplate(), list());
}

function map(): fc.Arbitrary<Json> {
  return anyRecord(fc.oneof({ weight: 5, arbitrary: scalar() }, fc.constant(null)));
}

/** Values that fit a member, by its key. */
const FITTING: Readonly<Record<string, () => fc.Arbitrary<Json>>> = {
  type: () => fc.constantFrom("stdio", "local", "http", "streamable-http", "sse", "remote", "ws"),
  transport: () =>
    fc.oneof(
      fc.constantFrom("stdio", "http", "sse"),
      fc.record({ type: fc.constantFrom("stdio", "http") }),
      fc.record({ type: fc.constant("http"), url: url() }),
      fc.record({ command: program() }),
    ),
  transportType: () => fc.constantFrom("stdio", "sse"),
  command: () =>
    fc.oneof(program(), fc.record({ path: program(), args: list() }), fc.record({ args: list() })),
  executable: program,
  cmd: program,
  args: list,
  cwd: () => fc.oneof(fc.constantFrom("~/x", "~", ".", "/abs", "a/b"), anyTemplate()),
  env: () => fc.oneof(map(), fc.array(fc.constantFrom("A=1", "B=${A}"), { maxLength: 3 })),
  environment: map,
  envs: map,
  inheritEnv: () => fc.oneof(fc.boolean(), fc.constant("safe"), list()),
  env_vars: list,
  url,
  httpUrl: url,
  serverUrl: url,
  uri: url,
  headers: map,
  http_headers: map,
  env_http_headers: () => anyRecord(fc.constantFrom("A", "MISSING")),
  bearerToken: anyTemplate,
  bearer_token_env_var: () => fc.constantFrom("A", "MISSING"),
  enabled: flag,
  disabled: flag,
  isActive: flag,
  required: flag,
  era: () => fc.constantFrom("auto", "legacy", "modern", "new"),
  timeout: duration,
  timeoutSec: duration,
  connectionTimeout: duration,
  callTimeout: duration,
  tool_timeout_sec: duration,
  tools: () =>
    fc.oneof(list(), anyRecord(flag()), fc.constant("*"), anyRecord(fc.constant(objectOf([])))),
  includeTools: list,
  disabledTools: list,
  requestOptions: () => fc.record({ headers: map() }),
  open: () => fc.constant("no function"),
  description: anyText,
  envFile: anyText,
  oauth: () => fc.oneof(fc.constant(false), fc.record({ clientId: anyText() })),
  comand: anyText,
  _note: anyText,
};

function anyMember(): fc.Arbitrary<readonly [string, Json]> {
  const fitting = fc
    .constantFrom(...Object.keys(FITTING))
    .chain((key) => fc.tuple(fc.constant(key), FITTING[key]?.() ?? anyJson()));
  const misfitting = fc.tuple(fc.constantFrom(...Object.keys(FITTING)), anyJson());
  return fc.oneof({ weight: 8, arbitrary: fitting }, misfitting, fc.tuple(anyName(), anyJson()));
}

/** What may stand under the name of a server: an entry of any dialect, rarely no object at all. */
export function anyEntry(): fc.Arbitrary<Json> {
  const members = fc.uniqueArray(anyMember(), { maxLength: 6, selector: ([key]) => key });
  return fc.oneof({ weight: 8, arbitrary: members.map(objectOf) }, anyJson());
}

/** A map of servers under any names. */
export function anyServerMap(): fc.Arbitrary<JsonObject> {
  return anyRecord(anyEntry());
}

/** An entry that nothing is to be said against. */
export function goodEntry(): fc.Arbitrary<JsonObject> {
  return fc.oneof(
    fc.record({ command: fc.constantFrom("npx", "node"), args: fc.array(safeName()) }),
    fc.record({ url: fc.constant("https://a.example/mcp"), type: fc.constantFrom("http", "sse") }),
  );
}

/** A config in any wrapper or none, with members of others beside it. */
export function anyConfig(): fc.Arbitrary<JsonObject> {
  const wrapped = fc
    .tuple(
      fc.constantFrom("mcpServers", "servers", "mcp_servers", "context_servers"),
      anyServerMap(),
    )
    .map(([wrapper, servers]) => objectOf([[wrapper, servers]]));
  const nested = anyServerMap().map((servers) => ({ mcp: { servers } }));
  const listed = fc.array(anyEntry(), { maxLength: 4 }).map((servers) => ({ servers }));
  const beside = fc.record(
    { mcp: anyServerMap(), naming: fc.constantFrom("plain", "stable", "odd"), inputs: anyJson() },
    { requiredKeys: [] },
  );
  return fc
    .tuple(fc.oneof(wrapped, wrapped, nested, listed, anyServerMap()), beside)
    .map(([config, others]) => ({ ...others, ...config }));
}

/** Choices that a text is written by; each is used in turn, over and over. */
export function anyStyle(): fc.Arbitrary<readonly number[]> {
  return fc.array(fc.nat({ max: 1000 }), { minLength: 1, maxLength: 20 });
}

const BLANKS = ["", " ", "\n", "\r\n\t", "/* a */", "// b\n"];

/** A text of a value: its members in some order, with blanks, comments and trailing commas. */
export function textInStyle(json: Json, style: readonly number[]): string {
  let used = 0;
  const pick = (): number => style[used++ % style.length] ?? 0;
  const blank = (): string => BLANKS[pick() % BLANKS.length] ?? "";
  const joined = (parts: readonly string[]): string =>
    parts.length > 0 && pick() % 3 === 0 ? `${parts.join(",")},${blank()}` : parts.join(",");
  const write = (value: Json): string => {
    if (isList(value)) {
      return `[${blank()}${joined(value.map((item) => blank() + write(item) + blank()))}]`;
    }
    if (typeof value !== "object" || value === null) return JSON.stringify(value);
    const members = Object.entries(value)
      .map(([key, member]) => ({ key, member: member ?? null, rank: pick() }))
      .toSorted((a, b) => a.rank - b.rank)
      .map(
        ({ key, member }) =>
          `${blank()}${JSON.stringify(key)}${blank()}:${write(member)}${blank()}`,
      );
    return `{${blank()}${joined(members)}}`;
  };
  return `${blank()}${write(json)}${blank()}`;
}

/** Whether a value is a list; for TypeScript, which does not narrow readonly lists. */
export function isList(json: Json): json is readonly Json[] {
  return Array.isArray(json);
}

/** Made by the test itself: its library cannot hold a revoked proxy. */
const HOSTILE: Readonly<Record<string, () => unknown>> = {
  "getter that throws": () => ({
    get command(): string {
      throw new Error("a getter throws");
    },
  }),
  cycle: () => {
    const cycle: Record<string, unknown> = { command: "x" };
    cycle["mcpServers"] = cycle;
    return cycle;
  },
  "revoked proxy": () => {
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    return proxy;
  },
  "list of any length": () =>
    new Proxy([], { get: (_, key) => (key === "length" ? 2 ** 40 : undefined) }),
  "proxy that throws": () =>
    new Proxy(
      {},
      {
        ownKeys() {
          throw new Error("a proxy throws");
        },
      },
    ),
  "proxy without end": () => endless(),
  "inherited members": () => Object.create({ command: "inherited" }),
  deep: () => JSON.parse(`${'{"mcpServers":'.repeat(5000)}{}${"}".repeat(5000)}`),
  symbol: () => Symbol("s"),
  function: () => () => 1,
  bigint: () => 5n,
  NaN: () => NaN,
  Infinity: () => Infinity,
  undefined: () => undefined,
};

/** Each of its members is again such an object. */
function endless(): object {
  return new Proxy(
    { mcpServers: 1, servers: 1, command: 1, env: 1 },
    { get: (target, key) => (key in target ? endless() : undefined) },
  );
}

/** Makes a value that is no JSON, or that throws or lies when it is looked at. */
export function hostileValue(): fc.Arbitrary<() => unknown> {
  return fc.oneof(
    fc
      .anything({ withBigInt: true, withDate: true, withMap: true, withNullPrototype: true })
      .map((value) => () => value),
    fc.constantFrom(...Object.keys(HOSTILE)).map((kind) => () => HOSTILE[kind]?.()),
  );
}

/** Makes any value for any argument: a hostile one bare, as members, and as servers. */
export function anyArgument(): fc.Arbitrary<() => unknown> {
  const members = (names: fc.Arbitrary<string>): fc.Arbitrary<() => object> =>
    fc
      .dictionary(names, hostileValue(), { maxKeys: 5 })
      .map(
        (makers) => () =>
          Object.fromEntries(Object.entries(makers).map(([name, make]) => [name, make()])),
      );
  const keys = fc.constantFrom(...Object.keys(FITTING));
  const options = ["env", "inputs", "readFile", "baseDir", "strict", "dialect", "variables"];
  return fc.oneof(
    hostileValue(),
    anyConfig().map((config) => () => config),
    hostileValue().map((make) => () => ({ mcpServers: make() })),
    members(anyName()).map((make) => () => ({ mcpServers: make() })),
    members(keys).map((make) => () => ({ mcpServers: { entry: make() } })),
    members(fc.constantFrom(...options)),
  );
}
