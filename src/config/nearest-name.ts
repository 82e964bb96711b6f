/**
 * What somebody may have meant by a misspelt name.
 */
import { textOf } from "../json.ts";

/** A longer name is not compared: the table grows with the square. */
const MAX_LENGTH = 64;

/** The nearest of some names, at most 2 edits and a third of the length away; the first of equals. */
export function nearestName(name: string, known: readonly string[]): string | undefined {
  if (typeof name !== "string" || name.length > MAX_LENGTH || !Array.isArray(known))
    return undefined;
  const limit = Math.min(2, Math.max(1, Math.floor(name.length / 3)));
  let best: string | undefined;
  let bestDistance = limit + 1;
  for (const candidate of known) {
    const distance = editDistance(name, textOf(candidate));
    if (distance < bestDistance) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best;
}

/** Damerau-Levenshtein: insert, delete, replace, or swap two neighbours. */
function editDistance(left: string, right: string): number {
  let older: readonly number[] = [];
  let old: readonly number[] = Array.from({ length: right.length + 1 }, (_, j) => j);
  for (let i = 1; i <= left.length; i++) {
    const row: number[] = [i];
    for (let j = 1; j <= right.length; j++) {
      const isSame = left[i - 1] === right[j - 1];
      const isSwap = i > 1 && j > 1 && left[i - 1] === right[j - 2] && left[i - 2] === right[j - 1];
      const edits = Math.min(
        at(old, j) + 1,
        at(row, j - 1) + 1,
        at(old, j - 1) + (isSame ? 0 : 1),
        isSwap ? at(older, j - 2) + 1 : Infinity,
      );
      row.push(edits);
    }
    older = old;
    old = row;
  }
  return at(old, right.length);
}

function at(row: readonly number[], index: number): number {
  return row[index] ?? Infinity;
}
