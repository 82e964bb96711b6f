/**
 * From the name on the command line to the servers it needs, and then to the tool.
 */
import { visible } from "../index.ts";
import type { Load, ParsedConfig, ServerConfig, Tool } from "../index.ts";
import { onlyServers, routeOf, unknownServer } from "./choose-servers.ts";
import type { Route } from "./choose-servers.ts";
import { EXIT } from "./exit-code.ts";
import { loadExit, loadProblems } from "./load-servers.ts";
import type { Finding, Problem } from "./outcome.ts";
import { ownCommand } from "./shell-word.ts";
import { didYouMean } from "./suggest.ts";

/** The config with the servers a call needs, or why it cannot work with any. */
export type Needed =
  | { readonly ok: true; readonly parsed: ParsedConfig; readonly route: Route }
  | { readonly ok: false; readonly problem: Problem };

/**
 * The servers that have to be started for a tool.
 *
 * Where no server's name fits, all of them: nothing will be called, but what was meant can be said.
 */
export function neededServers(tool: string, parsed: ParsedConfig): Needed {
  const route = routeOf(tool, parsed);
  const fitting = fittingServers(route);
  const enabled = fitting.filter((server) => server.enabled);
  if (enabled.length > 0) {
    return { ok: true, route, parsed: onlyServers(parsed, (server) => enabled.includes(server)) };
  }
  const [disabled] = fitting;
  if (disabled !== undefined) return { ok: false, problem: disabledServer(disabled.name) };
  if (route.kind === "name") return { ok: true, route, parsed };
  const known = parsed.servers.map((server) => server.name);
  return { ok: false, problem: unknownServer(tool.slice(0, tool.indexOf("/")), known) };
}

function fittingServers(route: Route): readonly ServerConfig[] {
  return route.kind === "pair" ? route.pairs.map(({ server }) => server) : route.candidates;
}

/** The problem of a server that the config turns off. */
export function disabledServer(name: string): Problem {
  return {
    tag: "config",
    server: name,
    message: visible(`server "${name}" is disabled in the config`),
    fix: 'remove "disabled" from its entry (or "enabled": false)',
  };
}

/** The tool, or why there is none, with the exit code for that. */
export type FoundTool =
  | { readonly ok: true; readonly tool: Tool }
  | { readonly ok: false; readonly problems: readonly Problem[]; readonly exitCode: number };

/** What a tool is looked for in. */
export interface Search {
  readonly load: Load;
  readonly route: Route;
  readonly findings: readonly Finding[];
  /** The config as it was given, for command lines that can be copied. */
  readonly configs: readonly string[];
}

/** The tool in a load of the servers it needs. */
export function findTool(name: string, search: Search): FoundTool {
  const { load, route } = search;
  const tool = load.tools.find((candidate) => isMeant(candidate, name, route));
  if (tool !== undefined) return { ok: true, tool };
  const isAboutThese = fittingServers(route).length > 0;
  const exitCode = loadExit(load);
  if (exitCode !== EXIT.done && (isAboutThese || load.failure !== null)) {
    return { ok: false, exitCode, problems: loadProblems(load, search.findings) };
  }
  return { ok: false, exitCode: EXIT.tool, problems: [unknownTool(name, search)] };
}

function isMeant(tool: Tool, name: string, route: Route): boolean {
  if (route.kind === "name") return tool.name === name;
  return route.pairs.some(
    ({ server, remoteName }) => server.name === tool.server && remoteName === tool.remoteName,
  );
}

function unknownTool(name: string, { load, route, configs }: Search): Problem {
  const known = load.tools.map((tool) =>
    route.kind === "name" ? tool.name : `${tool.server}/${tool.remoteName}`,
  );
  const servers = fittingServers(route);
  const isFiltered = servers.some((server) => server.tools !== undefined);
  const list = ownCommand(
    "list",
    servers.map((server) => server.name),
    configs,
  );
  const filter = isFiltered ? '; the "tools" filter in the config may hide it' : "";
  return {
    tag: "invalid-argument",
    message: visible(`unknown tool: ${name}${didYouMean(name, known)}`),
    fix: visible(`see which tools there are: ${list}${filter}`),
  };
}
