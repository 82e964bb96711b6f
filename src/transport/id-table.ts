/**
 * A table by counting ids, for entries that come and go all the time.
 *
 * A `Map` moves to a new store every few dozen changes, and each store it leaves behind keeps what it
 * held alive until the next full collection: with 64 requests in flight that doubled the time of a
 * call. Ids count upwards, so their low bits find a slot in one array; what finds its slot taken,
 * behind a request that waits very long, goes into a `Map` after all.
 */

/** What belongs to which id. */
export interface IdTable<T> {
  readonly size: number;
  get(id: unknown): T | undefined;
  set(id: number, value: T): void;
  delete(id: number): void;
  /** Everything, in the order of the ids. */
  values(): readonly T[];
}

interface Entry<T> {
  readonly id: number;
  readonly value: T;
}

const FIRST_SIZE = 64;
const LARGEST_SIZE = 4096;

/** An empty table; an id is set at most once. */
export function createIdTable<T>(): IdTable<T> {
  let slots = emptySlots<T>(FIRST_SIZE);
  let size = 0;
  const crowded = new Map<number, Entry<T>>();
  const put = (entry: Entry<T>): void => {
    const at = entry.id % slots.length;
    if (slots[at] === undefined) slots[at] = entry;
    else crowded.set(entry.id, entry);
  };
  const find = (id: unknown): Entry<T> | undefined => {
    if (typeof id !== "number") return undefined;
    const entry = slots[id % slots.length];
    return entry?.id === id ? entry : crowded.get(id);
  };
  const entries = (): Entry<T>[] => [
    ...slots.filter((entry) => entry !== undefined),
    ...crowded.values(),
  ];
  const grow = (): void => {
    const all = entries();
    slots = emptySlots(slots.length * 2);
    crowded.clear();
    for (const entry of all) put(entry);
  };
  return {
    get size() {
      return size;
    },
    get: (id) => find(id)?.value,
    set: (id, value) => {
      size++;
      put({ id, value });
      if (size * 2 > slots.length && slots.length < LARGEST_SIZE) grow();
    },
    delete: (id) => {
      if (find(id) === undefined) return;
      size--;
      if (!crowded.delete(id)) slots[id % slots.length] = undefined;
    },
    values: () =>
      entries()
        .sort((a, b) => a.id - b.id)
        .map(({ value }) => value),
  };
}

function emptySlots<T>(length: number): (Entry<T> | undefined)[] {
  return Array.from({ length }, () => undefined);
}
