/**
 * Text in HTTP headers, after the rules of the 2026-07-28 revision.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http
 */

const MARK_START = "=?base64?";
const MARK_END = "?=";
/** Visible ASCII with blanks inside; a tab is legal, and encoded all the same so that none is lost. */
const PLAIN = /^(?:[!-~](?:[ -~]*[!-~])?)?$/;
const LONE_SURROGATE = /[\ud800-\udfff]/u;

/**
 * A text as a header value: as it is where a header can carry it, else base64 of its UTF-8 between
 * `=?base64?` and `?=`; a plain text that looks encoded is encoded too. Undefined for a text with
 * half a surrogate pair, which has no UTF-8.
 */
export function encodeHeaderValue(text: string): string | undefined {
  if (LONE_SURROGATE.test(text)) return undefined;
  const looksEncoded = text.startsWith(MARK_START) && text.endsWith(MARK_END);
  if (PLAIN.test(text) && !looksEncoded) return text;
  return `${MARK_START}${base64(text)}${MARK_END}`;
}

function base64(text: string): string {
  return btoa(
    Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join(""),
  );
}
