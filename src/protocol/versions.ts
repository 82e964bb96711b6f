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

/** The revision offered in `initialize`. */
export const LATEST_LEGACY_VERSION = "2025-11-25";

/** Whether one revision is as new as another or newer; their names sort by date. */
export function isAtLeast(version: string, other: string): boolean {
  return version >= other;
}
