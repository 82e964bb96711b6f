/**
 * For callers who want a load to be all or nothing, or an exception.
 */
import { describeFailure, err, ok } from "../failure.ts";
import type { Failure, Result } from "../failure.ts";
import { isObject } from "../json.ts";
import type { Load } from "./records.ts";

/**
 * The load when every enabled server is connected, else the first failure.
 *
 * The failure is that of the load itself, or of its first failed server in name order. The load stays
 * open: closing it is the caller's.
 *
 * @example
 * ```ts
 * import { fromConfig, orThrow, requireAll } from "mcp-source";
 * const load = orThrow(requireAll(await fromConfig({ mcpServers: {} })));
 * ```
 */
export function requireAll(load: Load): Result<Load> {
  if (!isObject(load) || !Array.isArray(load.connections)) {
    return err({ tag: "invalid-argument", detail: "requireAll takes a load" });
  }
  if (load.failure !== null) return err(load.failure);
  const failed = load.connections.find((connection) => connection.status === "failed");
  return failed === undefined ? ok(load) : err(failed.failure);
}

/** An `Error` with the failure it stands for. */
export interface FailureError extends Error {
  readonly failure: Failure;
}

/**
 * The value of a result; throws a `FailureError` when there is none. The one function here that throws.
 *
 * @example
 * ```ts
 * import { orThrow } from "mcp-source";
 * orThrow({ ok: true, value: 1 }); // 1
 * ```
 */
export function orThrow<T>(result: Result<T>): T {
  if (result.ok) return result.value;
  throw Object.assign(new Error(describeFailure(result.failure)), { failure: result.failure });
}
