/**
 * What every configured server offers, without keeping it: list and disconnect.
 */
import { parseConfig } from "../config/parse-config.ts";
import type { ParsedConfig } from "../config/server.ts";
import { nameMap } from "../json.ts";
import { filterTools } from "../naming/filter.ts";
import { sortedByName } from "../order.ts";
import { disconnectAll } from "./disconnect.ts";
import { fromConfig, isParsedConfig } from "./from-config.ts";
import { optionsProblem } from "./read-arguments.ts";
import type { Connected, Inventory, InventoryTool, LoadOptions } from "./records.ts";

/**
 * Lists the tools of every server of a config, unfiltered and by original names, and disconnects.
 *
 * No server is told that it may ask something. Failed and disabled servers have no `tools` key. Never
 * rejects; an aborted signal gives `failure.tag` `cancelled` and nothing else.
 *
 * @example
 * ```ts
 * import { inventory } from "mcp-source";
 * const { tools, unmatched } = await inventory({ mcpServers: {} });
 * ```
 */
export async function inventory(
  config: string | object,
  options: LoadOptions = {},
): Promise<Inventory> {
  const problem = optionsProblem(options);
  const parsed =
    problem !== null ? NOTHING : isParsedConfig(config) ? config : parseConfig(config, options);
  const { waitFor: _, ...quiet } = problem === null ? options : {};
  const unfiltered = parsed.servers.map(
    ({ tools: _tools, required: _required, ...server }) => server,
  );
  const load = await fromConfig({ ...parsed, servers: unfiltered }, quiet);
  await disconnectAll(load);
  const connected = load.connections.filter((found) => found.status === "connected");
  return {
    tools: nameMap(connected.map((found) => [found.name, listedTools(found)])),
    statuses: load.statuses,
    errors: load.errors,
    unmatched: unmatchedNames(parsed, connected),
    diagnostics: parsed.diagnostics,
    failure: problem ?? load.failure,
  };
}

const NOTHING: ParsedConfig = { servers: [], diagnostics: [], ok: true };

function listedTools(connected: Connected): readonly InventoryTool[] {
  const tools = connected.tools.map(({ remoteName, description, inputSchema }) => ({
    name: remoteName,
    description,
    inputSchema,
  }));
  return sortedByName(tools, (tool) => tool.name);
}

function unmatchedNames(
  parsed: ParsedConfig,
  connected: readonly Connected[],
): Readonly<Record<string, readonly string[]>> {
  return nameMap(
    connected.flatMap((found) => {
      const filter = parsed.servers.find((server) => server.name === found.name)?.tools;
      const { unmatched } = filterTools(found.tools, filter);
      return unmatched.length === 0 ? [] : [[found.name, unmatched] as const];
    }),
  );
}
