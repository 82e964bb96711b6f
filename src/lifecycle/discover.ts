/**
 * `server/discover`: what a server of the modern era says of itself.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/server/discover
 */
import { isObject } from "../json.ts";
import type { JsonObject } from "../json.ts";
import type { Result } from "../failure.ts";
import { META } from "../protocol/envelope.ts";
import type { Agreement } from "./initialize.ts";
import type { ProbeOutcome } from "./negotiation.ts";

/** What a discover answer amounts to. */
export function probeOutcome(answer: Result<JsonObject>): ProbeOutcome {
  if (answer.ok) {
    const supportedVersions = versionsOf(answer.value);
    return supportedVersions === undefined
      ? { kind: "odd" }
      : { kind: "discovered", supportedVersions };
  }
  const { failure } = answer;
  return { kind: failure.tag === "peer-eof" ? "ended" : "failed", failure };
}

function versionsOf(result: JsonObject): readonly string[] | undefined {
  const { supportedVersions } = result;
  if (!Array.isArray(supportedVersions)) return undefined;
  const versions = supportedVersions.filter((version) => typeof version === "string");
  return versions.length === 0 ? undefined : versions;
}

/** What both sides agree on, from a discover result. */
export function discoveredAgreement(result: JsonObject, protocolVersion: string): Agreement {
  const { capabilities, instructions, _meta: meta, serverInfo } = result;
  const named = isObject(meta) ? meta[META.serverInfo] : undefined;
  const info = named ?? serverInfo;
  return {
    era: "modern",
    protocolVersion,
    capabilities: isObject(capabilities) ? capabilities : {},
    serverInfo: isObject(info) ? info : null,
    instructions: typeof instructions === "string" ? instructions : null,
  };
}
