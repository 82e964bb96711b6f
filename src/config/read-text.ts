/**
 * From the text of a config to its tree: JSON with comments, trailing commas and a BOM.
 *
 * The parser's own values are not used: they lose a `__proto__` key and hide duplicate keys.
 */
import { createScanner, parseTree, printParseErrorCode } from "jsonc-parser";
import type { Node, ParseError } from "jsonc-parser";
import type { Finding, PositionOf } from "./diagnostics.ts";
import { pointer } from "./item.ts";
import type { Item, Member, Value } from "./item.ts";

/** The tree of a text; null when the text is no JSON or nested too deep. */
export interface TextReading {
  readonly root: Item | null;
  readonly findings: readonly Finding[];
  readonly positionOf: PositionOf;
}

const MAX_DEPTH = 64;

/** The tree of a text, and what is to be said about its form. */
export function readText(input: string): TextReading {
  const hasBom = input.startsWith("\ufeff");
  const text = hasBom ? input.slice(1) : input;
  const positionOf = positionsOf(text);
  const bom: Finding[] = hasBom
    ? [{ code: "bom", at: { path: "", offset: 0 }, message: "the text starts with a BOM" }]
    : [];
  const { looseAt, tooDeepAt } = scanned(text);
  if (tooDeepAt !== null) {
    const at = { path: "", offset: tooDeepAt };
    const message = `nesting deeper than ${MAX_DEPTH} levels`;
    return { root: null, findings: [...bom, { code: "too-deep", at, message }], positionOf };
  }
  const errors: ParseError[] = [];
  const node = parseTree(text, errors, { allowTrailingComma: true });
  const error = errors[0];
  if (node === undefined || error !== undefined) {
    const finding = syntaxFinding(text, error, positionOf);
    return { root: null, findings: [...bom, finding], positionOf };
  }
  const loose: Finding[] = looseAt === null ? [] : [notStrict(looseAt)];
  return { root: itemOf(node, "", 0), findings: [...bom, ...loose], positionOf };
}

function notStrict(offset: number): Finding {
  return {
    code: "not-strict-json",
    at: { path: "", offset },
    message: "comment or trailing comma; some MCP hosts accept strict JSON only",
  };
}

// The scanner's kinds are a const enum, which a file that is compiled alone cannot read.
const OPEN_BRACE = 1;
const CLOSE_BRACE = 2;
const OPEN_BRACKET = 3;
const CLOSE_BRACKET = 4;
const COMMA = 5;
const LINE_COMMENT = 12;
const BLOCK_COMMENT = 13;
const LINE_BREAK = 14;
const BLANK = 15;
const END = 17;

/** One pass over the tokens: the parser is recursive and must not see a text that is too deep. */
function scanned(text: string): { looseAt: number | null; tooDeepAt: number | null } {
  const scanner = createScanner(text, false);
  let depth = 0;
  let commaAt: number | null = null;
  let looseAt: number | null = null;
  for (let token: number = scanner.scan(); token !== END; token = scanner.scan()) {
    const offset = scanner.getTokenOffset();
    if (token === LINE_BREAK || token === BLANK) continue;
    if (token === LINE_COMMENT || token === BLOCK_COMMENT) {
      looseAt ??= offset;
      continue;
    }
    const isClosing = token === CLOSE_BRACE || token === CLOSE_BRACKET;
    if (isClosing && commaAt !== null) looseAt = Math.min(looseAt ?? commaAt, commaAt);
    commaAt = token === COMMA ? offset : null;
    if (token === OPEN_BRACE || token === OPEN_BRACKET) depth++;
    if (isClosing) depth = Math.max(0, depth - 1);
    if (depth > MAX_DEPTH) return { looseAt, tooDeepAt: offset };
  }
  return { looseAt, tooDeepAt: null };
}

function itemOf(node: Node, path: string, offset: number): Item {
  return { path, offset, value: valueOf(node, path) };
}

function valueOf(node: Node, path: string): Value {
  const children = node.children ?? [];
  if (node.type === "object") {
    return { kind: "object", members: children.flatMap((child) => membersOf(child, path)) };
  }
  if (node.type === "array") {
    const items = children.map((child, i) => itemOf(child, pointer(path, i), child.offset));
    return { kind: "array", items };
  }
  const value: unknown = node.value;
  if (typeof value === "string") return { kind: "string", text: value };
  if (typeof value === "number") return { kind: "number", number: value };
  if (typeof value === "boolean") return { kind: "boolean", flag: value };
  return { kind: "null" };
}

function membersOf(property: Node, parent: string): Member[] {
  const [name, value] = property.children ?? [];
  if (name === undefined || value === undefined) return [];
  const key = String(name.value);
  return [{ key, item: itemOf(value, pointer(parent, key), property.offset) }];
}

/** Lines end at LF, CR LF or CR; columns count UTF-16 units, as editors do. */
function positionsOf(text: string): PositionOf {
  const starts = [0];
  for (const end of text.matchAll(/\r\n|\n|\r/g)) starts.push(end.index + end[0].length);
  return (offset) => {
    const next = starts.findIndex((start) => start > offset);
    const line = next === -1 ? starts.length : next;
    return { line, column: offset - (starts[line - 1] ?? 0) + 1 };
  };
}

const SYNTAX_TEXTS: Readonly<Record<string, string>> = {
  PropertyNameExpected: "expected a name in double quotes",
  ValueExpected: "expected a value",
  ColonExpected: 'expected ":" after the name',
  CommaExpected: 'expected "," before this',
  CloseBraceExpected: 'a "}" is missing',
  CloseBracketExpected: 'a "]" is missing',
  EndOfFileExpected: "unexpected text after the document",
  UnexpectedEndOfComment: "a comment is not closed",
  UnexpectedEndOfString: "a string is not closed",
  UnexpectedEndOfNumber: "a number is not complete",
  InvalidNumberFormat: "a number is not complete",
  InvalidUnicode: "\\u needs four hex digits",
  InvalidEscapeCharacter: "unknown escape after \\",
  InvalidCharacter: "a control character stands inside a string",
};

function syntaxFinding(
  text: string,
  error: ParseError | undefined,
  positionOf: PositionOf,
): Finding {
  const offset = error?.offset ?? 0;
  const rest = text.slice(offset);
  const name = error === undefined ? "ValueExpected" : printParseErrorCode(error.error);
  const { line, column } = positionOf(offset);
  const what =
    text.trim() === "" ? "the text is empty" : (SYNTAX_TEXTS[name] ?? unexpectedSymbol(rest));
  const hint = syntaxHint(name, text, rest);
  return {
    code: "syntax",
    at: { path: "", offset },
    message: `line ${line}, column ${column}: ${what}`,
    ...(hint === undefined ? {} : { hint }),
  };
}

/** Names at most one character: what stands there may be a secret without its quotes. */
function unexpectedSymbol(rest: string): string {
  const symbol = `unexpected "${String.fromCodePoint(rest.codePointAt(0) ?? 0xfffd)}"`;
  if (rest.startsWith("#")) return `${symbol}; comments start with // or /*`;
  if (rest.startsWith("'")) return `${symbol}; strings and names stand in double quotes`;
  if (/^(?:True|False|None|undefined)\b/.test(rest)) return `${symbol}; write true, false or null`;
  return symbol;
}

function syntaxHint(name: string, text: string, rest: string): string | undefined {
  if (name === "EndOfFileExpected" && rest.startsWith(":") && text.trimStart().startsWith('"')) {
    return "put the text between { and }";
  }
  return /^[\w.~/\\-]+\.jsonc?$/.test(text.trim())
    ? "this reads like a path; loadConfigFile reads files"
    : undefined;
}
