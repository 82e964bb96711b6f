/**
 * The order of names: by Unicode code point, the same in every locale and on every machine.
 *
 * `localeCompare` depends on the machine, and a bare `.sort()` compares UTF-16 units, which puts
 * astral characters before U+E000 to U+FFFF.
 */
import { textOf } from "./json.ts";

/**
 * Compares two names by code point; negative when `left` comes first.
 *
 * @example
 * ```ts
 * import { compareCodePoints } from "mcp-source";
 * ["b", "a", "B"].sort(compareCodePoints); // ["B", "a", "b"]
 * ```
 */
export function compareCodePoints(left: string, right: string): number {
  if (typeof left !== "string" || typeof right !== "string") {
    return compareCodePoints(textOf(left), textOf(right));
  }
  const shared = Math.min(left.length, right.length);
  let i = 0;
  while (i < shared && left.charCodeAt(i) === right.charCodeAt(i)) i++;
  if (i === shared) return left.length - right.length;
  const start = isInsidePair(left, i) || isInsidePair(right, i) ? i - 1 : i;
  return (left.codePointAt(start) ?? 0) - (right.codePointAt(start) ?? 0);
}

function isInsidePair(text: string, index: number): boolean {
  return index > 0 && (text.codePointAt(index - 1) ?? 0) > 0xffff;
}

/** A copy of the items in code point order of their names. */
export function sortedByName<T>(items: Iterable<T>, nameOf: (item: T) => string): T[] {
  return [...items].sort((a, b) => compareCodePoints(nameOf(a), nameOf(b)));
}
