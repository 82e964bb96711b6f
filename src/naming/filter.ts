import { isObject } from "../json.ts";
import { compareCodePoints } from "../order.ts";

/** Which tools of a server to expose, by the names the server lists; an absent list says nothing. */
export interface NameFilter {
  /** Only these; an empty list allows none. */
  readonly allow?: readonly string[];
  /** Not these, allowed or not. */
  readonly deny?: readonly string[];
}

/** Listed tools, parted by a filter; each is in `kept` or in `dropped`, in the order given. */
export interface Filtered<T> {
  readonly kept: readonly T[];
  readonly dropped: readonly T[];
  /** Names in the filter that no tool has, each once, in code point order. */
  readonly unmatched: readonly string[];
}

/**
 * Parts the tools of one server by its filter, on the names the server lists.
 *
 * Deny wins over allow; without a filter all are kept. It cannot fail: a name that no tool has is
 * handed back in `unmatched`, and a list that is none names nothing.
 *
 * @example
 * ```ts
 * import { filterTools } from "mcp-source";
 * const listed = [{ remoteName: "read" }, { remoteName: "write" }];
 * const { kept, unmatched } = filterTools(listed, { deny: ["write", "remove"] });
 * kept; // [{ remoteName: "read" }]
 * unmatched; // ["remove"]
 * ```
 */
export function filterTools<T extends { readonly remoteName: string }>(
  listed: readonly T[],
  filter: NameFilter = {},
): Filtered<T> {
  const { allow: allowed, deny: denied } = isObject(filter) ? filter : {};
  const allow = allowed === undefined ? undefined : namesIn(allowed);
  const deny = namesIn(denied);
  const tools = Array.isArray(listed) ? listed.filter(isTool) : [];
  const names = new Set(tools.map((tool) => tool.remoteName));
  const isKept = ({ remoteName }: T): boolean =>
    !deny.has(remoteName) && (allow === undefined || allow.has(remoteName));
  return {
    kept: tools.filter(isKept),
    dropped: tools.filter((tool) => !isKept(tool)),
    unmatched: [...new Set([...(allow ?? []), ...deny])]
      .filter((name) => !names.has(name))
      .sort(compareCodePoints),
  };
}

function namesIn(list: unknown): ReadonlySet<string> {
  return new Set(Array.isArray(list) ? list.filter((name) => typeof name === "string") : []);
}

function isTool(tool: unknown): boolean {
  return typeof tool === "object" && tool !== null && "remoteName" in tool;
}
