/**
 * How long a result of the 2026-07-28 revision stays fresh, and who may share it.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/server/utilities/caching
 */
import { isObject } from "../json.ts";
import type { JsonObject } from "../json.ts";

/** A server's word on keeping one of its results. */
export interface CacheHints {
  /** Milliseconds for which the result is fresh, from its arrival; 0 = stale at once. */
  readonly ttlMs: number;
  /** `private`: only for whoever sent the same credentials. */
  readonly cacheScope: "public" | "private";
}

/**
 * The caching hints of a result: an absent, negative or unreadable `ttlMs` is 0, and every scope but
 * `public` is `private`, the only one that can do no harm.
 *
 * @example
 * ```ts
 * import { cacheHints } from "mcp-source";
 * cacheHints({ ttlMs: -5 }); // { ttlMs: 0, cacheScope: "private" }
 * ```
 */
export function cacheHints(result: JsonObject): CacheHints {
  const { ttlMs, cacheScope } = isObject(result) ? result : {};
  return {
    ttlMs: typeof ttlMs === "number" && ttlMs > 0 ? ttlMs : 0,
    cacheScope: cacheScope === "public" ? "public" : "private",
  };
}

/** The hints of what was put together from two results: no longer fresh, no wider shared than either. */
export function stricterHints(one: CacheHints, other: CacheHints): CacheHints {
  return {
    ttlMs: Math.min(one.ttlMs, other.ttlMs),
    cacheScope: one.cacheScope === "public" ? other.cacheScope : "private",
  };
}
