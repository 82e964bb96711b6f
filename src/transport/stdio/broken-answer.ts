/**
 * Tells which request an answer was for that came in a form nobody can use.
 *
 * Servers write an answer's id first or last, so only the two ends of a text are looked at.
 */

const HEAD =
  /^\{\s*"jsonrpc"\s*:\s*"2\.0"\s*,\s*"id"\s*:\s*"?(\d{1,15})"?\s*,\s*"(?:result|error)"/;
const TAIL = /,\s*"jsonrpc"\s*:\s*"2\.0"\s*,\s*"id"\s*:\s*"?(\d{1,15})"?\s*\}\s*$/;
const ANSWER = /^\{\s*"(?:result|error)"/;
const END_LENGTH = 200;

/** The id of an answer that is no JSON, such as one with a NaN in it, when it can be told for sure. */
export function brokenAnswerId(text: string): number | null {
  const start = text.slice(0, END_LENGTH);
  const tail = ANSWER.test(start) ? TAIL.exec(text.slice(-END_LENGTH)) : null;
  const id = HEAD.exec(start)?.[1] ?? tail?.[1];
  return id === undefined ? null : Number(id);
}

/**
 * The id of an answer that stands behind other text on its line, such as a banner without a newline.
 *
 * The line stays junk: it may as well be the log of a server that sends the same answer properly.
 */
export function swallowedAnswerId(line: string): number | null {
  const start = line.indexOf("{");
  return start <= 0 ? null : brokenAnswerId(line.slice(start));
}
