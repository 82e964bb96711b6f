/**
 * Advice about what works and still should not stand in a file: secrets, placeholders, stray blanks.
 */
import type { Report } from "./diagnostics.ts";
import type { NamedPiece, Piece } from "./fields.ts";
import { isLiteral } from "./template.ts";
import type { Texts } from "./texts.ts";

/** Reports the lints of one server; also of texts that have no effect, for a secret leaks anyway. */
export function lintServer(texts: Texts, report: Report): void {
  const argv = texts.command.argv ?? [];
  const named = [...texts.env, ...texts.headers].filter(hasText);
  const url = texts.url.piece === undefined ? [] : [texts.url.piece];
  for (const piece of [...argv.slice(0, 1), ...url, ...named]) reportBlanks(piece, report);
  for (const { name, text, at } of named) {
    if (isPlaceholder(text)) reportPlaceholder(at, report);
    else if (isSecretName(name) && isCredential(text)) reportSecret(at, report);
    else if (hasPassword(text)) reportSecret(at, report);
  }
  for (const at of secretArguments(argv)) reportSecret(at, report);
  for (const { text, at } of url) {
    if (isPlaceholder(text)) reportPlaceholder(at, report);
    else if (hasPassword(text) || hasSecretQuery(text)) reportSecret(at, report);
    const hasCredentials = texts.headers.some((header) => isSecretName(header.name));
    if (isOpenHttp(text) && (hasCredentials || /^[^/]*\/\/[^/]*@/.test(text))) {
      const message = `${at.path} sends credentials over http; use https`;
      report({ code: "insecure-url", at, message });
    }
  }
}

type TextPiece = NamedPiece & { readonly text: string };

function hasText(piece: NamedPiece): piece is TextPiece {
  return piece.text !== null;
}

function reportBlanks({ text, at }: Piece, report: Report): void {
  if (text === "" || text.trim() === text) return;
  const message = `${at.path} starts or ends with a blank, which is kept`;
  report({ code: "surrounding-whitespace", at, message });
}

function reportPlaceholder(at: Piece["at"], report: Report): void {
  const message = `${at.path} looks like an unedited placeholder`;
  report({ code: "placeholder-value", at, message });
}

function reportSecret(at: Piece["at"], report: Report): void {
  report({
    code: "plain-text-secret",
    at,
    message: `${at.path} holds a literal credential; use \${NAME}`,
  });
}

const PLACEHOLDERS: readonly RegExp[] = [
  /(?:^|[^a-z])your[-_ ][a-z]/i,
  /^<[^<>]+>$/,
  /<[A-Za-z][\w -]*>/,
  /\*{4}/,
  /^x{4,}$/i,
  /change[-_ ]?me|replace[-_ ]?(?:me|with)/i,
];

function isPlaceholder(text: string): boolean {
  return PLACEHOLDERS.some((pattern) => pattern.test(text));
}

const SECRET_WORDS: ReadonlySet<string> = new Set([
  "token",
  "secret",
  "password",
  "passwd",
  "passphrase",
  "pass",
  "pwd",
  "pat",
  "apikey",
  "credential",
  "credentials",
  "authorization",
  "cookie",
]);
const KEY_WORDS: ReadonlySet<string> = new Set(["api", "access", "private", "secret", "auth"]);

/** Whether a name ends in a word for a credential; `TOKEN_FILE` and `MAX_TOKENS` do not. */
function isSecretName(name: string): boolean {
  const words = name
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z]+/)
    .filter((word) => word !== "");
  const last = words.at(-1) ?? "";
  return SECRET_WORDS.has(last) || (last === "key" && KEY_WORDS.has(words.at(-2) ?? ""));
}

const SWITCH = /^(?:true|false|yes|no|on|off|none|null|[01])$/i;
const UNEXPANDED = /(?:^| )(?:\$.*|%\w+%)$/;

/** Whether a value can be a credential at all: literal, not empty, not a switch. */
function isCredential(text: string): boolean {
  const value = text.trim();
  return value !== "" && isLiteral(text) && !SWITCH.test(value) && !UNEXPANDED.test(value);
}

/** `scheme://user:password@host`, with the password written out. */
function hasPassword(text: string): boolean {
  const password = /[a-z][a-z0-9+.-]*:\/\/[^\s/@:]*:([^\s/@]+)@/i.exec(text)?.[1];
  return password !== undefined && isCredential(password);
}

function hasSecretQuery(text: string): boolean {
  const pairs = text.split("?").slice(1).join("?").split("#")[0]?.split("&") ?? [];
  return pairs.some((pair) => {
    const [name = "", ...value] = pair.split("=");
    return isSecretName(name) && isCredential(value.join("="));
  });
}

/** `--token X`, `--token=X`, `TOKEN=X` and urls with a password, among the arguments. */
function secretArguments(argv: readonly Piece[]): readonly Piece["at"][] {
  return argv.slice(1).flatMap(({ text, at }, i) => {
    const flag = /^--?([A-Za-z][\w-]*)$/.exec(argv[i]?.text ?? "")?.[1] ?? "";
    const [, name = "", value = ""] = /^(?:--?)?([A-Za-z][\w-]*)=(.*)$/s.exec(text) ?? [];
    const isSecret =
      (isSecretName(flag) && !text.startsWith("-") && isCredential(text) && !isPlaceholder(text)) ||
      (isSecretName(name) && isCredential(value) && !isPlaceholder(value)) ||
      hasPassword(text);
    return isSecret ? [at] : [];
  });
}

/** Whether a url is plain http to a host that is known not to be this machine. */
function isOpenHttp(url: string): boolean {
  const host = /^http:\/\/(?:[^/@]*@)?(\[[^\]]*\]|[^/:?#]*)/i.exec(url)?.[1]?.toLowerCase();
  if (host === undefined || !isLiteral(host)) return false;
  return !/^(?:localhost|.*\.localhost|127\..*|\[::1\])$/.test(host);
}
