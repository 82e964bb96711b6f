/**
 * From the name of a prompt, resource or template to the servers that may have it, before any starts.
 */
import type { ParsedConfig, ServerConfig } from "../index.ts";
import { onlyServers, unknownServer } from "./choose-servers.ts";
import { disabledServer } from "./find-tool.ts";
import type { Problem } from "./outcome.ts";

/** An item of a server, by the server's own name for it. */
export interface Target {
  readonly server: string;
  readonly item: string;
}

/** Where an item may be, or why it cannot be anywhere. */
export type ItemRoute =
  | { readonly ok: true; readonly parsed: ParsedConfig; readonly targets: readonly Target[] }
  | { readonly ok: false; readonly problem: Problem };

/**
 * The servers that may have an item.
 *
 * `--server` wins; then every server whose name and a `/` begin the text; else all servers may have
 * it, since neither prompts nor resources are named after their server.
 */
export function itemRoute(
  text: string,
  server: string | undefined,
  parsed: ParsedConfig,
): ItemRoute {
  const named = server === undefined ? prefixed(text, parsed) : exactly(text, server, parsed);
  if (server !== undefined && named.length === 0) {
    const known = parsed.servers.map(({ name }) => name);
    return { ok: false, problem: unknownServer(server, known) };
  }
  const all = named.length > 0 ? named : parsed.servers.map((one) => ({ config: one, item: text }));
  const enabled = all.filter(({ config }) => config.enabled);
  const [disabled] = named;
  if (enabled.length === 0 && disabled !== undefined) {
    return { ok: false, problem: disabledServer(disabled.config.name) };
  }
  const targets = enabled.map(({ config, item }) => ({ server: config.name, item }));
  const isWanted = ({ name }: ServerConfig): boolean => targets.some((one) => one.server === name);
  return { ok: true, targets, parsed: onlyServers(parsed, isWanted) };
}

interface Place {
  readonly config: ServerConfig;
  readonly item: string;
}

function exactly(item: string, server: string, parsed: ParsedConfig): readonly Place[] {
  return parsed.servers.filter(({ name }) => name === server).map((config) => ({ config, item }));
}

function prefixed(text: string, parsed: ParsedConfig): readonly Place[] {
  return parsed.servers
    .filter(({ name }) => text.startsWith(`${name}/`))
    .map((config) => ({ config, item: text.slice(config.name.length + 1) }));
}
