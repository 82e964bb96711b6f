/**
 * What is to be said about the exposed names of tools: too long, odd, or met by others.
 */
import type { Collision, Load, ParsedConfig, Tool } from "../index.ts";
import type { Finding } from "./outcome.ts";

/** What every large model provider takes. */
const MAX_LENGTH = 64;
const PORTABLE = /^[a-zA-Z_][a-zA-Z0-9_-]*$/;

/** The findings about the names of a load, in the order of the tools. */
export function nameFindings(load: Load, parsed: ParsedConfig): readonly Finding[] {
  const pointers = new Map(parsed.servers.map((server) => [server.name, server.source]));
  const tools = load.tools.flatMap((tool) => toolFindings(tool));
  return [...tools, ...load.collisions.map(collisionFinding)].map((finding) => {
    const pointer = pointers.get(finding.server ?? "");
    return pointer === undefined ? finding : { ...finding, pointer };
  });
}

function toolFindings(tool: Tool): readonly Finding[] {
  const { name, server, remoteName } = tool;
  const about = { severity: "warning", server, tool: remoteName, exposed: name } as const;
  const long: Finding = {
    ...about,
    id: "name-too-long",
    message: `the name "${name}" has ${name.length} characters; some model providers take at most ${MAX_LENGTH}`,
    fix: `give server "${server}" a shorter name, or put "naming": "stable" into the config, which cuts names at ${MAX_LENGTH}`,
  };
  const odd: Finding = {
    ...about,
    id: "name-not-portable",
    message: `the name "${name}" does not start with a letter or _; some model providers refuse it`,
    fix: `give server "${server}" a name that starts with a letter`,
  };
  return [...(name.length > MAX_LENGTH ? [long] : []), ...(PORTABLE.test(name) ? [] : [odd])];
}

/** The finding about tools that met on one name. */
export function collisionFinding({ name, winner, others, reason }: Collision): Finding {
  const renamed = others.map(
    (other) => `"${other.remoteName}" of "${other.server}" is called ${other.name}`,
  );
  const isOneServer = others.every((other) => other.server === winner.server);
  return {
    id: "tool-collision",
    severity: "warning",
    server: winner.server,
    tool: winner.remoteName,
    exposed: name,
    message: `several tools want the name "${name}" (${reason}): "${winner.remoteName}" of "${winner.server}" has it; ${renamed.join(", ")}`,
    fix: isOneServer
      ? 'use the names as they are, or leave one of the tools out with the "tools" filter of the server'
      : "rename one of the servers in the config",
  };
}
