/**
 * Calling what the caller handed in, where nobody could catch what it throws.
 */

/** Runs a function of the caller's; `failed` is called when it throws, or rejects, being async. */
export function callBack(run: () => unknown, failed: () => void): void {
  try {
    const value = run();
    if (value instanceof Promise) value.catch(failed);
  } catch {
    failed();
  }
}
