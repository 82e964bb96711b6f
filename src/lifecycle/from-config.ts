/**
 * A whole config in one call: every server connected in name order, every tool named once.
 */
import { parseConfig } from "../config/parse-config.ts";
import type { Diagnostic, ParsedConfig } from "../config/server.ts";
import type { Failure } from "../failure.ts";
import { isObject, nameMap } from "../json.ts";
import { resolveCollisions } from "../naming/collisions.ts";
import type { Collision, NamingRule } from "../naming/collisions.ts";
import { sortedByName } from "../order.ts";
import { connectTarget } from "./connect.ts";
import { renamedConnection } from "./connected.ts";
import { closeAll, disconnectAll } from "./disconnect.ts";
import { inOrder } from "./in-order.ts";
import { optionsProblem, targetOf } from "./read-arguments.ts";
import type { Target } from "./read-arguments.ts";
import type { Connection, Load, LoadOptions, Tool } from "./records.ts";

/**
 * Reads a config, connects every server and gives the tools, as data.
 *
 * Servers connect one at a time in code point order of their names, so that the result depends on
 * the config and the servers' answers and on nothing else. A server that fails is `failed` in
 * `statuses` and has a line in `errors`; the others are untouched. Never rejects.
 *
 * @param config - The text of a config (JSON, with comments if need be), a config as an object, whose
 * server map may hold `{ open }` entries, or what `parseConfig` gave.
 *
 * @example
 * ```ts
 * import { disconnectAll, execute, fromConfig } from "mcp-source";
 * const load = await fromConfig({ mcpServers: { docs: { url: "http://127.0.0.1:8931/mcp" } } });
 * try {
 *   load.statuses["docs"]; // "connected" or "failed"
 *   await execute(load, "docs_search", { query: "suspension" });
 * } finally {
 *   await disconnectAll(load);
 * }
 * ```
 */
export async function fromConfig(
  config: string | object,
  options: LoadOptions = {},
): Promise<Load> {
  const problem = optionsProblem(options);
  if (problem !== null) return emptyLoad(problem, []);
  if (options.signal?.aborted === true) return emptyLoad({ tag: "cancelled" }, []);
  const parsed = isParsedConfig(config) ? config : parseConfig(config, options);
  const fatal = fatalDiagnostic(parsed);
  if (fatal !== undefined) return emptyLoad(configFailure(fatal), parsed.diagnostics);
  const context = { ...options, ...baseDirOf(parsed, options) };
  const connections = await inOrder(targets(parsed), options.concurrency ?? 1, {
    run: (target) => connectTarget(target, context),
    isOver: () => options.signal?.aborted === true,
  });
  return settle(parsed, connections, options);
}

/** The error that leaves no server to load; null when there are servers, or rightly none. */
function fatalDiagnostic(parsed: ParsedConfig): Diagnostic | undefined {
  if (parsed.servers.length > 0) return undefined;
  return parsed.diagnostics.find((found) => found.severity === "error");
}

function configFailure(fatal: Diagnostic): Failure {
  const wayOut = fatal.hint === undefined ? "" : `; ${fatal.hint}`;
  return { tag: "config", code: fatal.code, detail: `${fatal.message}${wayOut}` };
}

/** The servers of a config in name order, each with the text of what stands in its way. */
export function targets(parsed: ParsedConfig): readonly Target[] {
  return sortedByName(parsed.servers, (server) => server.name).map((server) => {
    const errors = parsed.diagnostics.filter(
      (found) => found.server === server.name && found.severity === "error",
    );
    const first = errors.find((found) => server.problems.includes(found.code)) ?? errors[0];
    return targetOf(server, first?.message ?? null);
  });
}

/** The load after the last server: aborted, failed by a required server, or done. */
async function settle(
  parsed: ParsedConfig,
  connections: readonly Connection[],
  options: LoadOptions,
): Promise<Load> {
  if (options.signal?.aborted === true) {
    await closeAll(connections, { hurry: true });
    return emptyLoad({ tag: "cancelled" }, []);
  }
  const named = nameEverything(connections, options.naming ?? parsed.naming);
  const missing = parsed.servers.find(
    (server) => server.required === true && failureOf(named.connections, server.name) !== null,
  );
  const failure = missing === undefined ? null : failureOf(named.connections, missing.name);
  if (failure !== null) await closeAll(connections, {});
  return loadRecord({
    tools: failure === null ? named.tools : [],
    statuses: nameMap(named.connections.map(({ name, status }) => [name, status])),
    errors: nameMap(
      named.connections.flatMap((found) =>
        found.status === "failed" ? [[found.name, found.message] as const] : [],
      ),
    ),
    connections: named.connections,
    collisions: named.collisions,
    diagnostics: parsed.diagnostics,
    failure,
  });
}

function failureOf(connections: readonly Connection[], name: string): Failure | null {
  const found = connections.find((connection) => connection.name === name);
  return found?.status === "failed" ? found.failure : null;
}

/** Exposed names over all servers, on the load's tools and on the connections' own. */
function nameEverything(
  connections: readonly Connection[],
  rule: NamingRule | undefined,
): {
  connections: readonly Connection[];
  tools: readonly Tool[];
  collisions: readonly Collision[];
} {
  const listed = connections.flatMap((found) => (found.status === "connected" ? found.tools : []));
  const { tools, collisions } = resolveCollisions(listed, rule);
  const byServer = new Map<string, Tool[]>(connections.map(({ name }) => [name, []]));
  for (const tool of tools) byServer.get(tool.server)?.push(tool);
  const renamed = connections.map((found) =>
    found.status === "connected" ? renamedConnection(found, byServer.get(found.name) ?? []) : found,
  );
  return { connections: renamed, tools, collisions };
}

function emptyLoad(failure: Failure, diagnostics: readonly Diagnostic[]): Load {
  return loadRecord({
    tools: [],
    statuses: nameMap([]),
    errors: nameMap([]),
    connections: [],
    collisions: [],
    diagnostics,
    failure,
  });
}

function loadRecord(parts: Omit<Load, typeof Symbol.asyncDispose>): Load {
  return { ...parts, [Symbol.asyncDispose]: () => disconnectAll(parts) };
}

/** Whether a value is what `parseConfig` gives. */
export function isParsedConfig(config: unknown): config is ParsedConfig {
  return (
    isObject(config) &&
    typeof config["ok"] === "boolean" &&
    Array.isArray(config["servers"]) &&
    Array.isArray(config["diagnostics"])
  );
}

function baseDirOf(parsed: ParsedConfig, options: LoadOptions): { baseDir?: string } {
  const baseDir = options.baseDir ?? parsed.baseDir;
  return baseDir === undefined ? {} : { baseDir };
}
