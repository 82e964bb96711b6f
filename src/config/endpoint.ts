/**
 * The url and headers of a remote server, the env of a local one: what is sent or inherited.
 */
import { sortedByName } from "../order.ts";
import { wrongType } from "./diagnostics.ts";
import type { Report } from "./diagnostics.ts";
import {
  conflict,
  readFirst,
  readNamedPieces,
  readNames,
  readOverlaid,
  readString,
} from "./fields.ts";
import type { Fields, NamedPiece, Piece } from "./fields.ts";
import type { Item } from "./item.ts";
import { ENV_KEYS, HEADERS_KEYS, URL_KEYS } from "./keys.ts";
import { isLiteral } from "./template.ts";
import { isEnvName, isForeignUrl, isHeaderName, isHeaderValue, isHttpUrl } from "./wire-rules.ts";

/** A header, which unlike a variable of the environment always has a value. */
export type HeaderPiece = NamedPiece & { readonly text: string };

/** What an entry says about its url. */
export interface UrlReading {
  /** Whether there is a member for it, usable or not. */
  readonly isPresent: boolean;
  readonly piece?: Piece;
  /** The scheme is one of a transport that this library does not have. */
  readonly isForeign: boolean;
}

/** The url of an entry; one without variables is checked here, any other when it is expanded. */
export function readUrl(fields: Fields, report: Report): UrlReading {
  const isPresent = URL_KEYS.some((key) => fields.has(key));
  const found = readFirst(fields, URL_KEYS, (at) => readString(at, report), report);
  if (found === undefined) return { isPresent, isForeign: false };
  const { at, value: text } = found;
  if (text.trim() === "") {
    report({ code: "empty-url", at, message: `${at.path} is empty` });
    return { isPresent, isForeign: false };
  }
  const isForeign = isForeignUrl(text);
  if (isForeign) {
    const message = `${at.path} has a scheme that is no transport of this library; use http or https`;
    report({ code: "unsupported-transport", at, message });
  } else if (isLiteral(text) && !isHttpUrl(text)) {
    const message = `${at.path} is no absolute http or https url`;
    report({ code: "invalid-url", at, message });
  }
  return { isPresent, piece: { text, at }, isForeign };
}

/** The headers of an entry: its own, else those taken from the environment, else a bearer token. */
export function readHeaders(fields: Fields, report: Report): readonly HeaderPiece[] {
  const written = readOverlaid(fields, HEADERS_KEYS, (at) => readNamedPieces(at, report), report);
  const byName = new Map<string, HeaderPiece>();
  for (const pieces of [written, headersFromEnv(fields, report), bearerOf(fields, report)]) {
    for (const { name, text, at } of sortedByName(pieces, (piece) => piece.name)) {
      if (text === null) {
        report({ code: "null-value", at, message: `${at.path} is null and is left out` });
        continue;
      }
      // HTTP does not tell the case of names apart; the first in code point order stays.
      const earlier = byName.get(name.toLowerCase());
      if (earlier === undefined) byName.set(name.toLowerCase(), { name, text, at });
      else if (earlier.text !== text) report(conflict(at, name, earlier.name));
    }
  }
  const headers = sortedByName(byName.values(), (header) => header.name);
  for (const header of headers) checkHeader(header, report);
  return headers;
}

function checkHeader({ name, text, at }: HeaderPiece, report: Report): void {
  const what = !isHeaderName(name)
    ? "is no name of a header"
    : isLiteral(text) && !isHeaderValue(text)
      ? "holds a character that a header cannot carry"
      : undefined;
  if (what !== undefined) report({ code: "invalid-header", at, message: `${at.path} ${what}` });
}

/** Codex: headers whose values are names of variables. */
function headersFromEnv(fields: Fields, report: Report): readonly NamedPiece[] {
  const at = fields.get("env_http_headers");
  if (at === undefined) return [];
  return readNamedPieces(at, report).map(({ name, text, at }) => {
    return { name, text: text === null ? null : reference(text), at };
  });
}

const BEARER_TEMPLATES: Readonly<Record<string, (text: string) => string>> = {
  bearerToken: (text) => text,
  bearer_token: (text) => text,
  bearerTokenEnv: reference,
  bearer_token_env_var: reference,
};

function bearerOf(fields: Fields, report: Report): readonly NamedPiece[] {
  const keys = Object.keys(BEARER_TEMPLATES);
  const found = readFirst(fields, keys, (at) => readString(at, report), report);
  if (found === undefined) return [];
  const template = BEARER_TEMPLATES[found.key] ?? reference;
  return [{ name: "Authorization", text: `Bearer ${template(found.value)}`, at: found.at }];
}

function reference(variable: string): string {
  return `\${env:${variable}}`;
}

/** The environment of an entry, by name in code point order; null removes a variable the child would inherit. */
export function readEnv(fields: Fields, report: Report): readonly NamedPiece[] {
  const read = (at: Item): readonly NamedPiece[] =>
    at.value.kind === "array"
      ? readEnvList(at, at.value.items, report)
      : readNamedPieces(at, report);
  const pieces = sortedByName(readOverlaid(fields, ENV_KEYS, read, report), (piece) => piece.name);
  for (const { name, text, at } of pieces) {
    if (text === null) {
      const message = `${at.path} is null; the variable is taken from the child's environment`;
      report({ code: "null-value", at, message });
    }
    if (!isEnvName(name)) {
      const message = `${at.path} is no name of an environment variable`;
      report({ code: "invalid-env-name", at, message });
    }
  }
  return pieces;
}

function readEnvList(at: Item, items: readonly Item[], report: Report): readonly NamedPiece[] {
  report({ code: "env-list", at, message: "env is a list; write an object of names and values" });
  return items.flatMap((item): NamedPiece[] => {
    const text = readString(item, report);
    if (text === undefined) return [];
    const end = text.indexOf("=");
    if (end !== -1) return [{ name: text.slice(0, end), text: text.slice(end + 1), at: item }];
    report({ ...wrongType(item, "NAME=VALUE"), message: `${item.path}: expected NAME=VALUE` });
    return [];
  });
}

/** What a child inherits; Codex and Goose list names beside the values. */
export function readInheritEnv(
  fields: Fields,
  report: Report,
): "safe" | boolean | readonly string[] | undefined {
  const at = fields.get("inheritEnv");
  const names = ["env_vars", "env_keys"].flatMap((key) => {
    const list = fields.get(key);
    return list === undefined ? [] : (readNames(list, report) ?? []);
  });
  if (at?.value.kind === "boolean") return at.value.flag;
  if (at?.value.kind === "array") return [...(readNames(at, report) ?? []), ...names];
  if (at !== undefined && !(at.value.kind === "string" && at.value.text === "safe")) {
    report(
      wrongType(at, '"safe" | boolean | string[]', '"safe", a boolean or an array of strings'),
    );
    return undefined;
  }
  if (names.length > 0) return names;
  return at === undefined ? undefined : "safe";
}
