/**
 * A session that outlives its connection: written down, read back.
 */
import { err, ok } from "../failure.ts";
import type { Result } from "../failure.ts";
import { isObject } from "../json.ts";
import type { Json, JsonObject } from "../json.ts";
import type { Connected } from "../lifecycle/records.ts";
import { LEGACY_VERSIONS, MODERN_VERSIONS } from "../protocol/versions.ts";
import type { Era } from "../protocol/versions.ts";
import { invalid } from "./arguments.ts";
import { readKnownTools } from "./known-tools.ts";
import { inSessionNow } from "./operation.ts";

/**
 * What it takes to go on with a session: plain JSON.
 *
 * A secret: whoever has the session id can speak in this session.
 */
export interface SavedSession extends JsonObject {
  readonly era: Era;
  readonly protocolVersion: string;
  /** The HTTP session; null where there is none. */
  readonly sessionId: string | null;
  /** The last event id on any stream of the session. */
  readonly lastEventId: string | null;
  readonly serverInfo: JsonObject | null;
  readonly capabilities: JsonObject;
  readonly instructions: string | null;
  /** The tools with the names they have on this connection. */
  readonly tools: readonly SavedTool[];
  /** What `addKnownTools` was given. */
  readonly knownTools: readonly JsonObject[];
}

/** A tool of a saved session. */
export interface SavedTool extends JsonObject {
  readonly name: string;
  readonly definition: JsonObject;
}

/**
 * Writes a session down, for `resumeSession` in this process or another.
 *
 * The record is plain JSON and a secret, since it holds the session id. Closing a connection ends its
 * session at the server, unless it was connected with `ownsSession: false`. Fails with
 * `invalid-argument` for anything but a connection.
 *
 * @see https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#session-management
 *
 * @example
 * ```ts
 * import type { Connected } from "mcp-source";
 * import { saveSession } from "mcp-source";
 * function asText(connection: Connected): string {
 *   const saved = saveSession(connection);
 *   return saved.ok ? JSON.stringify(saved.value) : "";
 * }
 * ```
 */
export function saveSession(connection: Connected): Result<SavedSession> {
  return inSessionNow(connection, ({ agreement, transport, state }) => {
    const { era, protocolVersion, serverInfo, capabilities, instructions } = agreement;
    const { sessionId = null, lastEventId = null } = transport.session?.() ?? {};
    return ok({
      era,
      protocolVersion,
      sessionId,
      lastEventId,
      serverInfo,
      capabilities,
      instructions,
      tools: connection.tools.map(({ name, definition }) => ({ name, definition })),
      knownTools: [...state.knownTools.values()].map(({ definition }) => definition),
    });
  });
}

/** Reads a session that was written down; `invalid-argument` names what is wrong with it. */
export function readSavedSession(saved: unknown): Result<SavedSession> {
  if (!isObject(saved)) return err(invalid("the saved session is no object"));
  const odd = Object.entries(CHECKS).find(([member, check]) => !check(saved[member]));
  if (odd !== undefined) return err(invalid(`${odd[0]} of the saved session cannot be read`));
  return isSaved(saved) ? ok(saved) : err(invalid("version and era of the saved session differ"));
}

/** What a session id may consist of. */
const SESSION_ID = /^[\x21-\x7e]+$/;

const CHECKS: { readonly [Member in keyof SavedSession]: (value: Json | undefined) => boolean } = {
  era: (value) => value === "legacy" || value === "modern",
  protocolVersion: (value) => typeof value === "string",
  sessionId: (value) => value === null || (typeof value === "string" && SESSION_ID.test(value)),
  lastEventId: isTextOrNull,
  serverInfo: (value) => value === null || isObject(value),
  capabilities: isObject,
  instructions: isTextOrNull,
  tools: (value) => Array.isArray(value) && value.every(isSavedTool),
  knownTools: (value) => readKnownTools(value).ok,
};

function isSaved(saved: JsonObject): saved is SavedSession {
  const { era, protocolVersion } = saved;
  const versions = era === "modern" ? MODERN_VERSIONS : LEGACY_VERSIONS;
  return typeof protocolVersion === "string" && versions.includes(protocolVersion);
}

function isTextOrNull(value: Json | undefined): boolean {
  return value === null || typeof value === "string";
}

function isSavedTool(value: unknown): boolean {
  return isObject(value) && typeof value["name"] === "string" && isObject(value["definition"]);
}
