/**
 * What somebody may have meant by a name that is not there.
 */
import { compareCodePoints, nearestName } from "../index.ts";

const MOST_SUGGESTIONS = 3;
/** A shorter text is part of almost any name. */
const LEAST_PART = 3;

/** `; did you mean …?` with at most three of the known names, or an empty text. */
export function didYouMean(name: string, known: readonly string[]): string {
  const near = suggestions(name, known).map((candidate) => `"${candidate}"`);
  const last = near.at(-1);
  if (last === undefined) return "";
  const before = near.slice(0, -1).join(", ");
  return `; did you mean ${before === "" ? last : `${before} or ${last}`}?`;
}

/**
 * The known names that somebody may have meant, most likely first: the same but for case and
 * separators, then those that end in it, then the one a typing error away, then those that hold it.
 */
export function suggestions(name: string, known: readonly string[]): readonly string[] {
  const wanted = folded(name);
  if (wanted === "") return [];
  const sorted = [...known].sort(compareCodePoints);
  const byFold = new Map(sorted.map((candidate) => [folded(candidate), candidate]));
  const nearest = byFold.get(nearestName(wanted, [...byFold.keys()]) ?? "");
  const having = (test: (fold: string) => boolean): readonly string[] =>
    sorted.filter((candidate) => test(folded(candidate)));
  const ranked = [
    ...having((fold) => fold === wanted),
    ...having((fold) => fold.endsWith(`_${wanted}`)),
    ...(nearest === undefined ? [] : [nearest]),
    ...(wanted.length < LEAST_PART ? [] : having((fold) => fold.includes(wanted))),
  ];
  return [...new Set(ranked)].slice(0, MOST_SUGGESTIONS);
}

function folded(name: string): string {
  return name.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, "_");
}
