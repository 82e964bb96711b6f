/**
 * What a session has: a table from each method to the era and the capability it needs.
 *
 * @see https://modelcontextprotocol.io/specification/2025-11-25/basic/lifecycle#capability-negotiation
 */
import type { UnsupportedFailure } from "../failure.ts";
import { isObject } from "../json.ts";
import type { Json, JsonObject } from "../json.ts";
import type { Agreement } from "../lifecycle/initialize.ts";
import { isAtLeast } from "../protocol/versions.ts";
import type { Era } from "../protocol/versions.ts";

/** What is known of a session when something is asked of it. */
export type Agreed = Pick<Agreement, "era" | "protocolVersion" | "capabilities">;

/** What a method needs; whoever lacks it is told what to use instead. */
interface Need {
  /** `none`: the library itself is the only one that may send it. */
  readonly era?: Era | "none";
  /** The path of the capability, such as `resources` and `subscribe`. */
  readonly capability?: readonly string[];
  /** The first revision that has the capability; servers of older ones need not name it. */
  readonly since?: string;
  /** What to use instead; what the server does have, when absent. */
  readonly use?: string;
}

const SUBSCRIBE: Need = {
  era: "legacy",
  capability: ["resources", "subscribe"],
  use: "subscribeResource where the server offers it, else readResource again",
};

/** Tools are not here: servers that do not advertise them may have them all the same. */
const NEEDS: ReadonlyMap<string, Need> = new Map<string, Need>([
  ["initialize", { era: "none", use: "connect" }],
  ["notifications/initialized", { era: "none", use: "connect" }],
  ["ping", { era: "legacy", use: "the function ping, which asks server/discover" }],
  ["server/discover", { era: "modern", use: "ping, or what the connection says of the server" }],
  ["logging/setLevel", { era: "legacy", capability: ["logging"], use: "setLogLevel" }],
  ["resources/subscribe", SUBSCRIBE],
  ["resources/unsubscribe", SUBSCRIBE],
  ["subscriptions/listen", { era: "modern", use: "subscribeResource, onListChanged" }],
  ["prompts/list", { capability: ["prompts"] }],
  ["prompts/get", { capability: ["prompts"] }],
  ["resources/list", { capability: ["resources"] }],
  ["resources/templates/list", { capability: ["resources"] }],
  ["resources/read", { capability: ["resources"] }],
  ["completion/complete", { capability: ["completions"], since: "2025-03-26" }],
  ["notifications/progress", { era: "legacy", use: "nothing: the server waits for no progress" }],
  ["notifications/roots/list_changed", { era: "legacy", use: "onRoots, asked with each call" }],
]);

/** Why a session does not have a method, or null when it may be sent. */
export function unsupported(agreed: Agreed, method: string): UnsupportedFailure | null {
  const need = NEEDS.get(method);
  if (need === undefined) return null;
  const { era, capability = [], since = "", use } = need;
  if (era !== undefined && era !== agreed.era) {
    return lacking(`${method} is not for a session of ${agreed.protocolVersion}`, use);
  }
  if (!isAtLeast(agreed.protocolVersion, since)) return null;
  return lackOf(agreed, capability, use);
}

/** Why a session does not have a capability, or null when it does. */
export function lackOf(
  agreed: Agreed,
  capability: readonly string[],
  use: string = whatThereIs(agreed.capabilities),
): UnsupportedFailure | null {
  const found = capability.reduce<Json | undefined>(
    (at, key) => (isObject(at) ? at[key] : undefined),
    agreed.capabilities,
  );
  if (isObject(found) || found === true) return null;
  return lacking(`the server has no capability ${capability.join(".")}`, use);
}

/** The failure for something a session does not have; nothing was sent. */
export function lacking(detail: string, use: string | undefined): UnsupportedFailure {
  return {
    tag: "unsupported",
    detail,
    ...(use === undefined ? {} : { use }),
    maybeExecuted: false,
  };
}

function whatThereIs(capabilities: JsonObject): string {
  const names = Object.keys(capabilities).sort();
  return names.length === 0 ? "tools, if it has any" : `what it has: ${names.join(", ")}`;
}
