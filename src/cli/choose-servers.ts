/**
 * Which servers of a config a command needs.
 */
import { sanitize, visible } from "../index.ts";
import type { ParsedConfig, ServerConfig } from "../index.ts";
import type { Problem } from "./outcome.ts";
import { didYouMean } from "./suggest.ts";

/** A config with some of its servers, or the names that are not in it. */
export type Chosen =
  | { readonly ok: true; readonly parsed: ParsedConfig }
  | { readonly ok: false; readonly problems: readonly Problem[] };

/** The config with only the named servers; without a name, all of them. */
export function chooseServers(parsed: ParsedConfig, names: readonly string[]): Chosen {
  if (names.length === 0) return { ok: true, parsed };
  const known = parsed.servers.map((server) => server.name);
  const unknown = names.filter((name) => !known.includes(name));
  if (unknown.length > 0) {
    return { ok: false, problems: unknown.map((name) => unknownServer(name, known)) };
  }
  return { ok: true, parsed: onlyServers(parsed, (server) => names.includes(server.name)) };
}

/** The config with the servers that pass. */
export function onlyServers(
  parsed: ParsedConfig,
  isWanted: (server: ServerConfig) => boolean,
): ParsedConfig {
  return { ...parsed, servers: parsed.servers.filter(isWanted) };
}

/** The problem of a server that the config does not have. */
export function unknownServer(name: string, known: readonly string[]): Problem {
  const listed = known.length === 0 ? "none" : known.map((server) => `"${server}"`).join(", ");
  return {
    tag: "usage",
    message: visible(`the config has no server "${name}"${didYouMean(name, known)}`),
    fix: visible(`name one of its servers: ${listed}`),
  };
}

/** The enabled servers beside the chosen ones whose tools may meet theirs on one name. */
export function namesakes(parsed: ParsedConfig, chosen: readonly string[]): readonly string[] {
  if (chosen.length === 0 || parsed.naming === "stable") return [];
  const prefixes = chosen.map(prefixOf);
  return parsed.servers
    .filter(({ name, enabled }) => enabled && !chosen.includes(name))
    .filter(({ name }) => {
      const own = prefixOf(name);
      return prefixes.some((prefix) => own.startsWith(prefix) || prefix.startsWith(own));
    })
    .map(({ name }) => name);
}

function prefixOf(server: string): string {
  return `${sanitize(server)}_`;
}

/** Where the tool of a `call` may be. */
export type Route =
  /** `server/tool`: the remote name on each server whose name begins the text. */
  | {
      readonly kind: "pair";
      readonly pairs: readonly { server: ServerConfig; remoteName: string }[];
    }
  /** An exposed name, and the servers that can have it, disabled ones too. */
  | { readonly kind: "name"; readonly candidates: readonly ServerConfig[] };

/** A stable name keeps at least so much of its server's prefix, whatever its cap. */
const KEPT_PREFIX = 15;

/**
 * Where a tool may be, without asking any server.
 *
 * An exposed name starts with its server's sanitized name and `_`, and whatever it may meet on the way
 * to that name starts with the same; so the servers whose prefix fits give the same names as all
 * servers would. An exposed name never holds a `/`.
 */
export function routeOf(tool: string, parsed: ParsedConfig): Route {
  if (tool.includes("/")) {
    const pairs = parsed.servers
      .filter(({ name }) => tool.startsWith(`${name}/`))
      .map((server) => ({ server, remoteName: tool.slice(server.name.length + 1) }));
    return { kind: "pair", pairs };
  }
  const candidates = parsed.servers.filter(({ name }) => {
    const prefix = prefixOf(name);
    return tool.startsWith(parsed.naming === "stable" ? prefix.slice(0, KEPT_PREFIX) : prefix);
  });
  return { kind: "name", candidates };
}
