/**
 * JSON that a peer spreads over several lines: when a line begins such a value, and when it ends.
 *
 * The protocol forbids it (one message per line), yet printers with an indent do it.
 */
import { isObject } from "../../json.ts";
import type { Json } from "../../json.ts";

/**
 * How many brackets are open after a line; null when the line cannot be part of spread-out JSON,
 * because it closes more than was open or leaves a string open.
 */
export function depthAfter(line: string, depth: number): number | null {
  let open = depth;
  let isInString = false;
  for (let at = 0; at < line.length; at++) {
    const code = line.charCodeAt(at);
    if (isInString) {
      if (code === BACKSLASH) at++;
      else if (code === QUOTE) isInString = false;
    } else if (code === QUOTE) isInString = true;
    else if (code === OPEN_BRACE || code === OPEN_BRACKET) open++;
    else if ((code === CLOSE_BRACE || code === CLOSE_BRACKET) && --open < 0) return null;
  }
  return isInString ? null : open;
}

/**
 * Whether a line that is no JSON may be the first line of spread-out JSON: it stops after a bracket,
 * a comma or a colon, and what follows its first bracket is what JSON has there. A log line such as
 * `[info] {` is not taken for one.
 */
export function opensFragment(line: string): boolean {
  const last = line.trimEnd().slice(-1);
  return "[{,:".includes(last) && /^(?:\{\s*(?:"|$)|\[\s*(?:["{[]|$))/.test(line);
}

/**
 * Whether a value on a line of its own is a message, and not a part of the value being read: then
 * the value before it was cut off. Spread-out JSON is indented, or has no whole message on a line.
 */
export function isMessageOfItsOwn(value: Json): boolean {
  return isObject(value) && value["jsonrpc"] === "2.0";
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
