/**
 * What a header, a url and a process take, checked on texts whose variables are expanded.
 */

const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const FIELD_VALUE = /^[\t\u0020-\u007e\u0080-\u00ff]*$/;

/** Whether a text is the name of an HTTP header: a token. */
export function isHeaderName(text: string): boolean {
  return TOKEN.test(text);
}

/** Whether a text can be a header's value: Latin-1 without control characters. */
export function isHeaderValue(text: string): boolean {
  return FIELD_VALUE.test(text);
}

/** Whether a text is an absolute http or https url. */
export function isHttpUrl(text: string): boolean {
  return /^https?:\/\//i.test(text) && URL.canParse(text);
}

/** Whether a text starts with the scheme of a transport that this library does not have. */
export function isForeignUrl(text: string): boolean {
  return /^(?:wss?|unix|pipe):/i.test(text);
}

/** Whether a text can be the name of an environment variable. */
export function isEnvName(text: string): boolean {
  return text !== "" && !text.includes("=") && !text.includes("\0");
}
