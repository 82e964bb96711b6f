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
 * handed back in `unmatched`.
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
  const allow = filter.allow === undefined ? undefined : new Set(filter.allow);
  const deny = new Set(filter.deny);
  const names = new Set(listed.map((tool) => tool.remoteName));
  const isKept = ({ remoteName }: T): boolean =>
    !deny.has(remoteName) && (allow === undefined || allow.has(remoteName));
  return {
    kept: listed.filter(isKept),
    dropped: listed.filter((tool) => !isKept(tool)),
    unmatched: [...new Set([...(allow ?? []), ...deny])]
      .filter((name) => !names.has(name))
      .sort(compareCodePoints),
  };
}
