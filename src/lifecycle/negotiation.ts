/**
 * Which era a server speaks: the decisions, as pure functions from what was seen to what comes next.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/versioning
 */
import type { Failure } from "../failure.ts";
import { isObject } from "../json.ts";
import type { Json } from "../json.ts";
import { LEGACY_VERSIONS, MODERN_VERSIONS, bestOf } from "../protocol/versions.ts";
import type { Era } from "../protocol/versions.ts";

/** Which era a server may be spoken to in; `auto` finds out. */
export type EraSetting = "auto" | Era;

/** What an earlier connection found out, to be handed back in. */
export interface Verdict {
  readonly era: Era;
  readonly protocolVersion: string;
}

/** What came of `server/discover`. */
export type ProbeOutcome =
  | { readonly kind: "discovered"; readonly supportedVersions: readonly string[] }
  /** No answer within the probe's time. */
  | { readonly kind: "silent" }
  /** An answer that is no discover result. */
  | { readonly kind: "odd" }
  /** The peer's stream ended. */
  | { readonly kind: "ended"; readonly failure: Failure }
  | { readonly kind: "failed"; readonly failure: Failure };

/** What to do next. */
export type Step =
  /** Ask `server/discover`; `isProbe` bounds the wait, since silence may mean an older server. */
  | { readonly kind: "discover"; readonly version: string; readonly isProbe: boolean }
  /** Shake hands; `isFresh` on a new process, since this one has answered in the other era. */
  | { readonly kind: "initialize"; readonly version?: string; readonly isFresh: boolean }
  /** Go on in the modern era with this version. */
  | { readonly kind: "modern"; readonly version: string }
  | { readonly kind: "fail"; readonly failure: Failure };

const HEADER_MISMATCH = -32020;
const MISSING_CAPABILITY = -32021;
const UNSUPPORTED_VERSION = -32022;
/** Statuses below 500 that say nothing about the era. */
const NO_EVIDENCE: ReadonlySet<number> = new Set([401, 403, 408, 429]);

/** The first step for a setting, an earlier verdict, and a pinned version. */
export function firstStep(
  setting: EraSetting,
  verdict: Verdict | undefined,
  pinned: string | undefined,
): Step {
  const era = eraOf(pinned) ?? (setting === "auto" ? verdict?.era : setting);
  const version = pinned ?? verdict?.protocolVersion;
  if (era === "legacy") {
    const known = version !== undefined && LEGACY_VERSIONS.includes(version) ? { version } : {};
    return { kind: "initialize", isFresh: false, ...(pinned === undefined ? {} : known) };
  }
  const best =
    version !== undefined && MODERN_VERSIONS.includes(version) ? version : newestModern();
  return { kind: "discover", version: best, isProbe: era === undefined };
}

function eraOf(version: string | undefined): Era | undefined {
  if (version === undefined) return undefined;
  return MODERN_VERSIONS.includes(version) ? "modern" : "legacy";
}

function newestModern(): string {
  return bestOf(MODERN_VERSIONS, MODERN_VERSIONS) ?? "";
}

/** What is known when a probe has come to something. */
export interface ProbeContext {
  /** Whether the handshake of the older era may be tried. */
  readonly mayInitialize: boolean;
  /** Whether this server has refused a version once already. */
  readonly hasRetried: boolean;
}

/** The step after `server/discover`. */
export function afterProbe(outcome: ProbeOutcome, context: ProbeContext): Step {
  switch (outcome.kind) {
    case "discovered":
      return afterDiscovery(outcome.supportedVersions, context);
    case "silent":
      return orInitialize(context, { tag: "timeout", timeoutMs: 0 });
    case "odd":
      return orInitialize(context, {
        tag: "malformed-body",
        detail: "the answer to server/discover is no discover result",
      });
    case "ended":
      return orInitialize(context, outcome.failure);
    case "failed":
      return afterFailure(outcome.failure, context);
  }
}

/**
 * What the answer to a probe calls for when it comes during the handshake; null = let that go on.
 *
 * Whatever would have been decided had it come in time is decided now, so that the verdict does not
 * depend on how fast a server starts. What is no word about the era is left to the handshake.
 *
 * @param isProcess - Whether the handshake can be begun anew, on a process that has seen nothing.
 */
export function lateObjection(
  outcome: ProbeOutcome,
  context: ProbeContext,
  isProcess: boolean,
): Step | null {
  if (outcome.kind === "ended") return null;
  if (outcome.kind === "failed" && !isEvidence(outcome.failure)) return null;
  const step = afterProbe(outcome, context);
  if (step.kind !== "initialize") return step;
  return isProcess && (step.isFresh || step.version !== undefined) ? step : null;
}

function isEvidence(failure: Failure): boolean {
  if (failure.tag !== "rpc-error") return false;
  return failure.status === undefined || isAboutEra(failure.status);
}

function afterDiscovery(supported: readonly string[], context: ProbeContext): Step {
  const modern = bestOf(MODERN_VERSIONS, supported);
  if (modern !== undefined) return { kind: "modern", version: modern };
  return initializeWith(supported, context, true);
}

/** The handshake at the best older version both know, or a failure that names both sides. */
function initializeWith(
  supported: readonly string[],
  context: ProbeContext,
  isFresh: boolean,
): Step {
  const legacy = context.mayInitialize ? bestOf(LEGACY_VERSIONS, supported) : undefined;
  if (legacy !== undefined) return { kind: "initialize", version: legacy, isFresh };
  return { kind: "fail", failure: noCommonVersion(supported) };
}

/** The failure when no version is common, naming both sides. */
export function noCommonVersion(supported: readonly string[]): Failure {
  const theirs = supported.length === 0 ? "none" : supported.join(", ");
  const ours = [...LEGACY_VERSIONS, ...MODERN_VERSIONS].join(", ");
  return { tag: "unsupported", detail: `the server speaks ${theirs}; this client speaks ${ours}` };
}

function afterFailure(failure: Failure, context: ProbeContext): Step {
  if (failure.tag === "rpc-error") return afterError(failure.code, failure, context);
  if (failure.tag === "http-status" && isAboutEra(failure.status))
    return orInitialize(context, failure);
  if (failure.tag === "malformed-body") return orInitialize(context, failure);
  return { kind: "fail", failure };
}

/** Whether a refusal may mean that the server is of another era or transport. */
export function isAboutEra(status: number): boolean {
  return status >= 400 && status < 500 && !NO_EVIDENCE.has(status);
}

function afterError(
  code: number,
  failure: Failure & { readonly tag: "rpc-error" },
  context: ProbeContext,
): Step {
  if (code === HEADER_MISMATCH || code === MISSING_CAPABILITY) return { kind: "fail", failure };
  if (failure.status !== undefined && !isAboutEra(failure.status)) return { kind: "fail", failure };
  if (code !== UNSUPPORTED_VERSION) return orInitialize(context, failure);
  const supported = supportedIn(failure.data);
  if (supported === undefined) return orInitialize(context, failure);
  const modern = bestOf(MODERN_VERSIONS, supported);
  if (modern === undefined) return initializeWith(supported, context, false);
  if (context.hasRetried) return { kind: "fail", failure };
  return { kind: "discover", version: modern, isProbe: false };
}

/** The versions an error names, or undefined when it names none that can be read. */
function supportedIn(data: Json | undefined): readonly string[] | undefined {
  const supported = isObject(data) ? data["supported"] : undefined;
  if (!Array.isArray(supported)) return undefined;
  const versions = supported.filter((version) => typeof version === "string");
  return versions.length === 0 ? undefined : versions;
}

function orInitialize(context: ProbeContext, failure: Failure): Step {
  return context.mayInitialize ? { kind: "initialize", isFresh: false } : { kind: "fail", failure };
}
