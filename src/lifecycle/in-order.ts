/**
 * Work on a list, some items at once, with the results in the order of the list.
 */

/** What is done with each item, and when nothing further is begun. */
export interface Work<T, R> {
  run(item: T): Promise<R>;
  isOver(): boolean;
}

/** The results in the order of the items; items that were never begun have none. */
export async function inOrder<T, R>(
  items: readonly T[],
  concurrency: number,
  work: Work<T, R>,
): Promise<readonly R[]> {
  const results = new Map<number, R>();
  const rest = items.entries();
  const worker = async (): Promise<void> => {
    for (const [index, item] of rest) {
      if (work.isOver()) return;
      results.set(index, await work.run(item));
    }
  };
  await Promise.all(Array.from({ length: Math.min(concurrency, items.length) }, worker));
  return items.flatMap((_, index) => {
    const result = results.get(index);
    return result === undefined ? [] : [result];
  });
}
