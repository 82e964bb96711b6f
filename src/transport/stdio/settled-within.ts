/**
 * A bounded wait.
 */

/** Whether a promise settled before the time was up; leaves no timer. Never rejects. */
export function settledWithin(promise: Promise<unknown>, timeMs: number): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(false), timeMs);
    const settle = (): void => {
      clearTimeout(timer);
      resolve(true);
    };
    promise.then(settle, settle);
  });
}
