/**
 * Tools a caller knows without listing them, so that their parameters travel as headers too.
 *
 * It matters over HTTP since 2026-07-28 alone; elsewhere these functions change nothing that is sent.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http
 */
import { err, ok } from "../failure.ts";
import type { Result } from "../failure.ts";
import { isObject } from "../json.ts";
import type { JsonObject } from "../json.ts";
import type { Connected } from "../lifecycle/records.ts";
import type { KnownTool } from "../lifecycle/session.ts";
import { readParamHeaders } from "../protocol/param-headers.ts";
import { invalid } from "./arguments.ts";
import { inSessionNow } from "./operation.ts";

/**
 * Registers tool definitions as a server lists them, all of them or none.
 *
 * They stay until removed, whatever is listed meanwhile; a listed definition of the same name comes
 * first, and of two registered under one name the later one. They are not among `tools`. Fails with
 * `invalid-argument`, naming each bad definition with its place, and then changes nothing.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http
 *
 * @example
 * ```ts
 * import type { Connected } from "mcp-source";
 * import { addKnownTools } from "mcp-source";
 * const remember = (connection: Connected) =>
 *   addKnownTools(connection, [{
 *     name: "search",
 *     inputSchema: {
 *       type: "object",
 *       properties: { region: { type: "string", "x-mcp-header": "Region" } },
 *     },
 *   }]);
 * ```
 */
export function addKnownTools(
  connection: Connected,
  definitions: readonly JsonObject[],
): Result<{ readonly added: readonly string[] }> {
  return inSessionNow(connection, (session) => {
    const read = readKnownTools(definitions);
    if (!read.ok) return read;
    for (const [name, tool] of read.value) session.state.knownTools.set(name, tool);
    return ok({ added: read.value.map(([name]) => name) });
  });
}

/** Definitions as known tools by their names, in the order given; one bad one fails them all. */
export function readKnownTools(
  definitions: unknown,
): Result<readonly (readonly [name: string, tool: KnownTool])[]> {
  if (!Array.isArray(definitions)) return err(invalid("the tools are no list"));
  const read = definitions.map(readKnownTool);
  const problems = read.filter((tool) => typeof tool === "string");
  if (problems.length > 0) return err(invalid(problems.join("; ")));
  return ok(read.filter((tool) => typeof tool !== "string"));
}

function readKnownTool(
  definition: unknown,
  index: number,
): readonly [name: string, tool: KnownTool] | string {
  if (!isObject(definition)) return `[${index}] is no object`;
  const { name, inputSchema } = definition;
  if (typeof name !== "string" || name === "") return `[${index}] has no name`;
  if (!isObject(inputSchema)) return `[${index}] "${name}" has no input schema`;
  const headers = readParamHeaders(inputSchema);
  if (headers.ok) return [name, { definition, headers: headers.value }];
  const { failure } = headers;
  return `[${index}] "${name}": ${failure.tag === "malformed-body" ? failure.detail : failure.tag}`;
}

/**
 * Removes registered definitions by name; a name that was never registered changes nothing.
 *
 * What the server lists keeps its headers. Fails with `invalid-argument` for a list with anything but
 * text in it.
 *
 * @example
 * ```ts
 * import type { Connected } from "mcp-source";
 * import { removeKnownTools } from "mcp-source";
 * const forget = (connection: Connected) => removeKnownTools(connection, ["search"]);
 * ```
 */
export function removeKnownTools(
  connection: Connected,
  names: readonly string[],
): Result<{ readonly removed: readonly string[] }> {
  return inSessionNow(connection, (session) => {
    if (!Array.isArray(names) || !names.every((name) => typeof name === "string")) {
      return err(invalid("the names are no list of strings"));
    }
    const { knownTools } = session.state;
    return ok({ removed: names.filter((name) => knownTools.delete(name)) });
  });
}

/**
 * Removes every registered definition; what the server lists keeps its headers.
 *
 * @example
 * ```ts
 * import type { Connected } from "mcp-source";
 * import { clearKnownTools } from "mcp-source";
 * const forgetAll = (connection: Connected) => clearKnownTools(connection);
 * ```
 */
export function clearKnownTools(connection: Connected): Result<void> {
  return inSessionNow(connection, (session) => {
    session.state.knownTools.clear();
    return ok(undefined);
  });
}
