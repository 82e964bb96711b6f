/**
 * The revisions of the protocol, and the two eras they belong to.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/versioning
 */

/** `legacy`: an `initialize` handshake (2024-11-05 to 2025-11-25). `modern`: stateless (2026-07-28). */
export type Era = "legacy" | "modern";

/** Every legacy revision this client speaks, oldest first. */
export const LEGACY_VERSIONS: readonly string[] = [
  "2024-11-05",
  "2025-03-26",
  "2025-06-18",
  "2025-11-25",
];

/** Every modern revision this client speaks, oldest first. */
export const MODERN_VERSIONS: readonly string[] = ["2026-07-28"];

/** The revision offered in `initialize`. */
export const LATEST_LEGACY_VERSION = "2025-11-25";

/** The revision of the first modern request. */
export const LATEST_MODERN_VERSION = "2026-07-28";

/** Whether one revision is as new as another or newer; their names sort by date. */
export function isAtLeast(version: string, other: string): boolean {
  return version >= other;
}

/** The newest of ours that the other side names too. */
export function bestOf(ours: readonly string[], theirs: readonly string[]): string | undefined {
  return ours.findLast((version) => theirs.includes(version));
}
