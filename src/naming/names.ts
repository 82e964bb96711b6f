/**
 * The names under which remote tools are exposed.
 *
 * Lives in this folder: pure functions from listed pairs (server, remote name) to exposed names,
 * to collisions, and through a server's tool filter. Not here: reading a config, asking a server.
 */

/**
 * The text with each code point outside `[a-zA-Z0-9_-]` replaced by one `_`.
 *
 * It counts code points, not UTF-16 units: an emoji becomes one `_`, and so does a lone surrogate.
 *
 * @example
 * ```ts
 * import { sanitize } from "mcp-source";
 * sanitize("alpha/stats"); // "alpha_stats"
 * ```
 */
export function sanitize(text: string): string {
  return text.replace(/[^a-zA-Z0-9_-]/gu, "_");
}

/**
 * The plain name of a remote tool, `sanitize(server)_sanitize(tool)`, known without connecting.
 *
 * Different pairs can share a plain name (`a_b` + `c`, `a` + `b_c`); `resolveCollisions` keeps
 * such tools apart.
 *
 * @example
 * ```ts
 * import { toolName } from "mcp-source";
 * toolName("docs.v2", "search"); // "docs_v2_search"
 * ```
 */
export function toolName(server: string, tool: string): string {
  return `${sanitize(server)}_${sanitize(tool)}`;
}
