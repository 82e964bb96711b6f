/**
 * What every request of the 2026-07-28 revision carries with it: its `_meta` and its headers.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic
 */
import { isObject } from "../json.ts";
import type { JsonObject } from "../json.ts";
import { encodeHeaderValue } from "./header-values.ts";

/** The keys of `_meta` that the protocol reserves. */
interface MetaKeys {
  readonly protocolVersion: "io.modelcontextprotocol/protocolVersion";
  readonly clientCapabilities: "io.modelcontextprotocol/clientCapabilities";
  readonly clientInfo: "io.modelcontextprotocol/clientInfo";
  readonly logLevel: "io.modelcontextprotocol/logLevel";
  readonly serverInfo: "io.modelcontextprotocol/serverInfo";
  readonly subscriptionId: "io.modelcontextprotocol/subscriptionId";
}

/** The keys of `_meta` that the protocol reserves. */
export const META: MetaKeys = {
  protocolVersion: "io.modelcontextprotocol/protocolVersion",
  clientCapabilities: "io.modelcontextprotocol/clientCapabilities",
  clientInfo: "io.modelcontextprotocol/clientInfo",
  logLevel: "io.modelcontextprotocol/logLevel",
  serverInfo: "io.modelcontextprotocol/serverInfo",
  subscriptionId: "io.modelcontextprotocol/subscriptionId",
};

/** What this client says of itself with every request. */
export interface Envelope {
  readonly protocolVersion: string;
  readonly clientInfo: JsonObject;
  readonly capabilities: JsonObject;
  /** The least severe log message wanted; absent = none at all. */
  readonly logLevel?: string;
}

/**
 * The `_meta` of a request: the caller's own members, and the protocol's keys over them.
 *
 * Capabilities the caller adds to one request, such as an extension, are kept beside ours, and so is
 * a log level of its own.
 */
export function envelopeMeta(envelope: Envelope, own: JsonObject | undefined): JsonObject {
  const added = own?.[META.clientCapabilities];
  const logLevel = own?.[META.logLevel] ?? envelope.logLevel;
  return {
    ...own,
    [META.protocolVersion]: envelope.protocolVersion,
    [META.clientInfo]: envelope.clientInfo,
    [META.clientCapabilities]: mergedCapabilities(envelope.capabilities, added),
    ...(logLevel === undefined ? {} : { [META.logLevel]: logLevel }),
  };
}

function mergedCapabilities(ours: JsonObject, added: JsonObject[string]): JsonObject {
  if (!isObject(added)) return ours;
  const { extensions } = ours;
  const { extensions: addedExtensions } = added;
  const merged = { ...added, ...ours };
  if (!isObject(extensions) || !isObject(addedExtensions)) return merged;
  return { ...merged, extensions: { ...addedExtensions, ...extensions } };
}

/** Which member of the parameters names what a method is about. */
const NAMED_BY: ReadonlyMap<string, string> = new Map([
  ["tools/call", "name"],
  ["prompts/get", "name"],
  ["resources/read", "uri"],
  ["tasks/get", "taskId"],
  ["tasks/update", "taskId"],
  ["tasks/cancel", "taskId"],
]);

/** The standard headers of a message over HTTP: `Mcp-Method`, and `Mcp-Name` where there is a name. */
export function standardHeaders(
  method: string,
  params: JsonObject | undefined,
): Readonly<Record<string, string>> {
  const member = NAMED_BY.get(method);
  const name = member === undefined ? undefined : params?.[member];
  const encoded = typeof name === "string" ? encodeHeaderValue(name) : undefined;
  return { "Mcp-Method": method, ...(encoded === undefined ? {} : { "Mcp-Name": encoded }) };
}
