import { expect } from "vitest";
import type { Failure, Result } from "../../src/failure.ts";
import { isObject } from "../../src/json.ts";
import type { JsonObject } from "../../src/json.ts";
import type { Connected, Connection, Load, Unconnected } from "../../src/lifecycle/records.ts";

/** The value of a result that must hold one. */
export function valueOf<T>(result: Result<T>): T {
  if (!result.ok) expect.fail(`failed: ${JSON.stringify(result.failure)}`);
  return result.value;
}

/** The failure of a result that must hold one. */
export function failureOf(result: Result<unknown>): Failure {
  if (result.ok) expect.fail(`succeeded: ${JSON.stringify(result.value)}`);
  return result.failure;
}

/** A value that must be a JSON object. */
export function objectIn(value: unknown): JsonObject {
  return isObject(value) ? value : expect.fail(`no object: ${JSON.stringify(value)}`);
}

/** A connection that must be there. */
export function connected(connection: Connection | undefined): Connected {
  if (connection?.status === "connected") return connection;
  return expect.fail(`not connected: ${JSON.stringify(connection)}`);
}

/** A connection that must have failed. */
export function unconnected(connection: Connection | undefined): Unconnected {
  if (connection?.status === "failed") return connection;
  return expect.fail(`not failed: ${JSON.stringify(connection)}`);
}

/** The connection of a server of a load. */
export function connectionOf(load: Load, name: string): Connection {
  const found = load.connections.find((connection) => connection.name === name);
  return found ?? expect.fail(`no connection ${name}`);
}
