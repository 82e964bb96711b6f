import fc from "fast-check";
import { expect, it } from "vitest";
import { resolveCollisions } from "../../src/index.ts";
import type { NamingRule, ParsedConfig, ServerConfig } from "../../src/index.ts";
import { chooseServers, namesakes, routeOf } from "../../src/cli/choose-servers.ts";
import { anyPairs } from "../support/arbitraries.ts";

const server = (name: string, enabled = true): ServerConfig => ({
  name,
  kind: "local",
  transport: "stdio",
  enabled,
  timeoutMs: 1000,
  argv: ["x"],
  source: `/mcpServers/${name}`,
  problems: [],
});
const config = (
  names: readonly string[],
  naming: NonNullable<ParsedConfig["naming"]> = "plain",
): ParsedConfig => ({
  servers: [...new Set(names)].map((name) => server(name)),
  diagnostics: [],
  ok: true,
  naming,
});

const RULES: readonly (readonly [NonNullable<ParsedConfig["naming"]>, NamingRule])[] = [
  ["plain", "plain"],
  ["stable", { kind: "stable", maxLength: 32 }],
];

it.each(RULES)(
  "finds the same tool under a name as a load of all servers, by the %s rule, for any servers and tools",
  (naming, rule) => {
    fc.assert(
      fc.property(anyPairs(), (pairs) => {
        const parsed = config(
          pairs.map((pair) => pair.server),
          naming,
        );
        for (const tool of resolveCollisions(pairs, rule).tools) {
          const route = routeOf(tool.name, parsed);
          const names = route.kind === "name" ? route.candidates.map(({ name }) => name) : [];
          const listed = pairs.filter((pair) => names.includes(pair.server));
          expect(resolveCollisions(listed, rule).tools).toContainEqual(tool);
        }
      }),
      { examples: [[[{ server: "long".repeat(20), remoteName: "t" }]]] },
    );
  },
);

it("asks only the servers whose name fits", () => {
  const route = routeOf("a_b_c", config(["a", "a.b", "b", "ab"]));
  expect(route.kind === "name" && route.candidates.map(({ name }) => name)).toEqual(["a", "a.b"]);
});

it("takes server/tool by the config's own name of the server, slashes and all", () => {
  const route = routeOf("team/git/log.all", config(["team", "team/git", "git"]));
  expect(
    route.kind === "pair" && route.pairs.map((pair) => [pair.server.name, pair.remoteName]),
  ).toEqual([
    ["team", "git/log.all"],
    ["team/git", "log.all"],
  ]);
});

it("names every server that is not there, and what was meant", () => {
  const chosen = chooseServers(config(["git", "docs"]), ["gti", "docs", "zzz"]);
  expect(chosen.ok ? [] : chosen.problems.map(({ message }) => message)).toEqual([
    'the config has no server "gti"; did you mean "git"?',
    'the config has no server "zzz"',
  ]);
});

it("says which servers could change the names of those that are asked for", () => {
  const parsed = config(["a", "a.b", "b", "ab"]);
  expect(namesakes(parsed, ["a_b", "a"])).toEqual(["a.b"]);
  expect(namesakes(parsed, ["b"])).toEqual([]);
  expect(namesakes(parsed, [])).toEqual([]);
});
