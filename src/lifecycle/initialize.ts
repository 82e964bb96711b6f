/**
 * The handshake of the initialize era.
 *
 * @see https://modelcontextprotocol.io/specification/2025-11-25/basic/lifecycle
 */
import { err, ok } from "../failure.ts";
import type { Failure, Result } from "../failure.ts";
import { isObject } from "../json.ts";
import type { JsonObject } from "../json.ts";
import type { Envelope } from "../protocol/envelope.ts";
import { INVALID_PARAMS, typeName } from "../protocol/messages.ts";
import { LEGACY_VERSIONS, isAtLeast } from "../protocol/versions.ts";
import type { Era } from "../protocol/versions.ts";
import type { Note, Transport } from "../transport/transport.ts";
import { noCommonVersion } from "./negotiation.ts";
import type { ConnectOptions } from "./records.ts";
import { VERSION } from "./version.ts";

/** What both sides agreed on. */
export interface Agreement {
  readonly era: Era;
  readonly protocolVersion: string;
  readonly serverInfo: JsonObject | null;
  readonly capabilities: JsonObject;
  readonly instructions: string | null;
}

/** The client's capabilities for a revision: what the options can really serve, and nothing else. */
export function clientCapabilities(options: ConnectOptions, version: string): JsonObject {
  const modes = isAtLeast(version, "2025-11-25") ? { form: {}, url: {} } : {};
  return {
    ...(options.waitFor === undefined ? {} : { elicitation: modes }),
    ...(options.onSample === undefined ? {} : { sampling: {} }),
    ...(options.onRoots === undefined ? {} : { roots: {} }),
    ...options.capabilities,
  };
}

/** What this client says of itself in every request of the modern era. */
export function clientEnvelope(options: ConnectOptions, version: string): Envelope {
  return {
    protocolVersion: version,
    clientInfo: clientInfo(options),
    capabilities: clientCapabilities(options, version),
  };
}

function clientInfo(options: ConnectOptions): JsonObject {
  return { name: "mcp-source", version: VERSION, ...options.clientInfo };
}

/** The parameters of `initialize`. */
export function initializeParams(options: ConnectOptions, version: string): JsonObject {
  const { initializeMeta } = options;
  return {
    protocolVersion: version,
    capabilities: clientCapabilities(options, version),
    clientInfo: clientInfo(options),
    ...(isObject(initializeMeta) ? { _meta: initializeMeta } : {}),
  };
}

/** What an `initialize` result agrees to; a revision this client does not speak is `unsupported`. */
export function readAgreement(result: JsonObject, note: (note: Note) => void): Result<Agreement> {
  const { protocolVersion, capabilities, serverInfo, instructions } = result;
  if (typeof protocolVersion !== "string") {
    const detail = `the protocolVersion of the answer is ${typeName(protocolVersion)}, not a string`;
    return err({ tag: "malformed-body", detail });
  }
  if (!LEGACY_VERSIONS.includes(protocolVersion)) return err(noCommonVersion([protocolVersion]));
  if (!isObject(capabilities)) {
    note({ code: "missing-capabilities", detail: "the server names no capabilities" });
  }
  if (!isObject(serverInfo)) {
    note({ code: "missing-server-info", detail: "the server does not say what it is" });
  }
  return ok({
    era: "legacy",
    protocolVersion,
    capabilities: isObject(capabilities) ? capabilities : {},
    serverInfo: isObject(serverInfo) ? serverInfo : null,
    instructions: typeof instructions === "string" ? instructions : null,
  });
}

/** The best revision a refused server names that this client speaks, if there is one. */
function offeredInstead(failure: Failure, refused: string): string | undefined {
  if (failure.tag !== "rpc-error" || failure.code !== INVALID_PARAMS) return undefined;
  const supported = isObject(failure.data) ? failure.data["supported"] : undefined;
  if (!Array.isArray(supported)) return undefined;
  return LEGACY_VERSIONS.findLast((version) => version !== refused && supported.includes(version));
}

/** How the handshake is done. */
export interface HandshakeOptions {
  /** The revision to offer. */
  readonly version: string;
  readonly remainingMs: () => number;
  readonly note: (note: Note) => void;
  readonly signal?: AbortSignal;
}

/** Sends `initialize` and `notifications/initialized`; a refused notification is a note. */
export async function initialize(
  transport: Transport,
  options: ConnectOptions,
  handshake: HandshakeOptions,
): Promise<Result<Agreement>> {
  const wire = {
    era: "legacy" as const,
    ...(handshake.signal === undefined ? {} : { signal: handshake.signal }),
  };
  const offer = (version: string): Promise<Result<JsonObject>> =>
    transport.rpc("initialize", initializeParams(options, version), {
      ...wire,
      timeoutMs: handshake.remainingMs(),
    });
  let answer = await offer(handshake.version);
  const second = answer.ok ? undefined : offeredInstead(answer.failure, handshake.version);
  if (second !== undefined) answer = await offer(second);
  if (!answer.ok) return answer;
  const agreement = readAgreement(answer.value, handshake.note);
  if (!agreement.ok) return agreement;
  const { protocolVersion } = agreement.value;
  const told = await transport.notify("notifications/initialized", undefined, {
    ...wire,
    protocolVersion,
  });
  if (!told.ok) {
    const detail = `notifications/initialized failed: ${told.failure.tag}`;
    handshake.note({ code: "initialized-refused", detail });
  }
  return agreement;
}
