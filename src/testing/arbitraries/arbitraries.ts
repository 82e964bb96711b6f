/**
 * Generators for tests with properties, made with the caller's fast-check.
 */
import type { Json, JsonObject } from "../../json.ts";
import type { FaultPlan } from "../fault-plan.ts";
import { anyConfig, anyConfigText } from "./configs.ts";
import type { Arbitrary, FastCheck } from "./fast-check.ts";
import { anyChunks, anyMalformedMessage, anyMessage } from "./messages.ts";
import { anyFaultPlan } from "./plans.ts";
import type { PlanOptions } from "./plans.ts";
import { anySchema, anyTool } from "./schemas.ts";
import { anyJson, anyJsonObject, anyName } from "./values.ts";

/** Generators of what crosses the borders of an MCP client: ordinary input with hostile input in it. */
export interface Arbitraries {
  /** Any JSON value, `__proto__` keys included. */
  json(): Arbitrary<Json>;
  /** Any JSON object. */
  jsonObject(): Arbitrary<JsonObject>;
  /** The key of a server in a config: ordinary, easily confused with another, or hostile. */
  serverName(): Arbitrary<string>;
  /** The same for a tool; never empty. */
  toolName(): Arbitrary<string>;
  /** A config in any dialect, as an object. */
  config(): Arbitrary<JsonObject>;
  /** The text of a config, with comments and trailing commas. */
  configText(): Arbitrary<string>;
  /** The definition of a tool, as servers list it. */
  tool(): Arbitrary<JsonObject>;
  /** A JSON Schema of an object; some no validator takes. */
  jsonSchema(): Arbitrary<JsonObject>;
  /** A valid JSON-RPC message. */
  message(): Arbitrary<JsonObject>;
  /** A value that is no valid JSON-RPC message. */
  malformedMessage(): Arbitrary<Json>;
  /** The same bytes in pieces, cut anywhere. */
  chunks(bytes: Uint8Array): Arbitrary<readonly Uint8Array[]>;
  /** A plan for `faultyTransport`; an empty one is the simplest. */
  faultPlan(options?: PlanOptions): Arbitrary<FaultPlan>;
}

/**
 * Generators made with the fast-check that is passed, version 3 or 4.
 *
 * @example
 * ```ts
 * import fc from "fast-check";
 * import { parseConfig } from "mcp-source";
 * import { arbitraries } from "mcp-source/testing";
 * const any = arbitraries(fc);
 * fc.assert(fc.property(any.configText(), (text) => parseConfig(text).servers.length >= 0));
 * ```
 */
export function arbitraries(fc: FastCheck): Arbitraries {
  return {
    json: () => anyJson(fc),
    jsonObject: () => anyJsonObject(fc),
    serverName: () => anyName(fc),
    toolName: () => anyName(fc).filter((name) => name !== ""),
    config: () => anyConfig(fc),
    configText: () => anyConfigText(fc),
    tool: () => anyTool(fc),
    jsonSchema: () => anySchema(fc),
    message: () => anyMessage(fc),
    malformedMessage: () => anyMalformedMessage(fc),
    chunks: (bytes) => anyChunks(fc, bytes),
    faultPlan: (options) => anyFaultPlan(fc, options),
  };
}
