import { setTimeout as sleep } from "node:timers/promises";

/** Waits until a fact holds; a test that waits for one that never does fails with its name. */
export async function until(fact: string, holds: () => boolean | Promise<boolean>): Promise<void> {
  const end = performance.now() + 20_000;
  while (!(await holds())) {
    if (performance.now() > end) throw new Error(`never came true: ${fact}`);
    await sleep(5);
  }
}

/** A promise with its resolve outside, for a fact that a test brings about. */
export function fact<T>(): { readonly promise: Promise<T>; resolve(value: T): void } {
  let resolve: (value: T) => void = () => undefined;
  const promise = new Promise<T>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}
