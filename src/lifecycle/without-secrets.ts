/**
 * What this folder says in its own words may quote the peer, and the peer may quote the config.
 */
import type { Failure } from "../failure.ts";
import type { Redact } from "../redact.ts";

/** A failure whose detail was written here, without secrets; transports see to their own. */
export function withoutSecrets(failure: Failure, redact: Redact): Failure {
  switch (failure.tag) {
    case "malformed-body":
    case "unsupported":
      return { ...failure, detail: redact(failure.detail) };
    default:
      return failure;
  }
}
