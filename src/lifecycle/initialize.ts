/**
 * The handshake of the initialize era.
 *
 * @see https://modelcontextprotocol.io/specification/2025-11-25/basic/lifecycle
 */
import { err, ok } from "../failure.ts";
import type { Failure, Result } from "../failure.ts";
import { isObject } from "../json.ts";
import type { JsonObject } from "../json.ts";
import { INVALID_PARAMS, typeName } from "../protocol/messages.ts";
import { LATEST_LEGACY_VERSION, LEGACY_VERSIONS, isAtLeast } from "../protocol/versions.ts";
import type { Note, Transport } from "../transport/transport.ts";
import type { ConnectOptions } from "./records.ts";
import { VERSION } from "./version.ts";

/** What both sides agreed on. */
export interface Agreement {
  readonly protocolVersion: string;
  readonly serverInfo: JsonObject | null;
  readonly capabilities: JsonObject;
  readonly instructions: string | null;
}

/** The client's capabilities for a revision: what the options can really serve, and nothing else. */
export function clientCapabilities(options: ConnectOptions, version: string): JsonObject {
  const own = isObject(options.capabilities) ? options.capabilities : {};
  if (options.waitFor === undefined) return { ...own };
  return { elicitation: isAtLeast(version, "2025-11-25") ? { form: {}, url: {} } : {}, ...own };
}

/** The parameters of `initialize`. */
export function initializeParams(options: ConnectOptions, version: string): JsonObject {
  const { clientInfo, initializeMeta } = options;
  return {
    protocolVersion: version,
    capabilities: clientCapabilities(options, version),
    clientInfo: { name: "mcp-source", version: VERSION, ...clientInfo },
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
  if (!LEGACY_VERSIONS.includes(protocolVersion)) return err(unsupportedVersion(protocolVersion));
  if (!isObject(capabilities)) {
    note({ code: "missing-capabilities", detail: "the server names no capabilities" });
  }
  if (!isObject(serverInfo)) {
    note({ code: "missing-server-info", detail: "the server does not say what it is" });
  }
  return ok({
    protocolVersion,
    capabilities: isObject(capabilities) ? capabilities : {},
    serverInfo: isObject(serverInfo) ? serverInfo : null,
    instructions: typeof instructions === "string" ? instructions : null,
  });
}

function unsupportedVersion(offered: string): Failure {
  return {
    tag: "unsupported",
    detail: `the server offers protocol version ${JSON.stringify(offered)}; this client speaks ${LEGACY_VERSIONS.join(", ")}`,
  };
}

/** The best revision a refused server names that this client speaks, if there is one. */
function offeredInstead(failure: Failure, refused: string): string | undefined {
  if (failure.tag !== "rpc-error" || failure.code !== INVALID_PARAMS) return undefined;
  const supported = isObject(failure.data) ? failure.data["supported"] : undefined;
  if (!Array.isArray(supported)) return undefined;
  return LEGACY_VERSIONS.findLast((version) => version !== refused && supported.includes(version));
}

/** Sends `initialize` and `notifications/initialized`; a refused notification is a note. */
export async function initialize(
  transport: Transport,
  options: ConnectOptions,
  context: { readonly remainingMs: () => number; readonly note: (note: Note) => void },
): Promise<Result<Agreement>> {
  const { signal } = options;
  const wire = signal === undefined ? {} : { signal };
  const offer = (version: string): Promise<Result<JsonObject>> =>
    transport.rpc("initialize", initializeParams(options, version), {
      ...wire,
      timeoutMs: context.remainingMs(),
      era: "legacy",
    });
  const first = options.protocolVersion ?? LATEST_LEGACY_VERSION;
  let answer = await offer(first);
  const second = answer.ok ? undefined : offeredInstead(answer.failure, first);
  if (second !== undefined) answer = await offer(second);
  if (!answer.ok) return answer;
  const agreement = readAgreement(answer.value, context.note);
  if (!agreement.ok) return agreement;
  const { protocolVersion } = agreement.value;
  const told = await transport.notify("notifications/initialized", undefined, {
    ...wire,
    protocolVersion,
    era: "legacy",
  });
  if (!told.ok) {
    context.note({
      code: "initialized-refused",
      detail: `notifications/initialized failed: ${told.failure.tag}`,
    });
  }
  return agreement;
}
