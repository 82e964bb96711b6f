/**
 * Where a redirect may lead: nowhere but to the same origin, with the same method and body.
 */

/** How many redirects one request follows. */
export const MAX_REDIRECTS = 5;

/**
 * The address to send the same request to, or null when the answer is not a redirect to follow.
 *
 * Only 307 and 308 keep method and body; only the same origin may see the credentials.
 */
export function redirectTarget(
  status: number,
  location: string | undefined,
  from: string,
): URL | null {
  if ((status !== 307 && status !== 308) || location === undefined) return null;
  if (!URL.canParse(location, from)) return null;
  const target = new URL(location, from);
  if (target.origin !== new URL(from).origin || target.username !== "" || target.password !== "")
    return null;
  return target;
}
