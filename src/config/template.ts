/**
 * The variables in a text of a config: which there are, and the text with their values put in.
 */

/** A reference to a variable inside a text. */
export interface Variable {
  readonly source: "env" | "input" | "file" | "predef" | "foreign";
  readonly name: string;
  /** The text after `:-`, which stands in for an unset or empty value. */
  readonly fallback?: string;
  /** As it is written. */
  readonly text: string;
}

/** A part of a text: literal, or a reference. */
export type Part = string | Variable;

const PREDEFINED: ReadonlySet<string> = new Set([
  "workspaceFolder",
  "workspaceFolderBasename",
  "userHome",
  "pathSeparator",
]);

const REFERENCE = new RegExp(
  [
    String.raw`\$\$\{`,
    String.raw`\$\{(?<prefix>env:)?(?<env>[A-Za-z_][A-Za-z0-9_]*)(?::-(?<fallback>[^}]*))?\}`,
    String.raw`\{env:(?<bare>[A-Za-z_][A-Za-z0-9_]*)\}`,
    String.raw`\$\{input:(?<input>[^}]+)\}`,
    String.raw`\$?\{file:(?<file>[^}]+)\}`,
    String.raw`\$\{(?<separator>/)\}`,
    String.raw`\$\{(?<foreign>(?:command|config|workspaceFolder):[^}]+)\}`,
  ].join("|"),
  "g",
);

const WHOLE_VALUE = /^\$env:([A-Za-z_][A-Za-z0-9_]*)$/;

/** The parts of a text, in order; a text without variables is one literal part. */
export function partsOf(text: string): readonly Part[] {
  const whole = WHOLE_VALUE.exec(text)?.[1];
  if (whole !== undefined) return [{ source: "env", name: whole, text }];
  const parts: Part[] = [];
  let end = 0;
  for (const match of text.matchAll(REFERENCE)) {
    if (match.index > end) parts.push(text.slice(end, match.index));
    parts.push(partOf(match));
    end = match.index + match[0].length;
  }
  if (end < text.length || parts.length === 0) parts.push(text.slice(end));
  return parts;
}

function partOf(match: RegExpExecArray): Part {
  const text = match[0];
  if (text === "$${") return "${";
  const { prefix, env, fallback, bare, input, file, separator, foreign } = match.groups ?? {};
  if (input !== undefined) return { source: "input", name: input, text };
  if (file !== undefined) return { source: "file", name: file, text };
  if (foreign !== undefined) return { source: "foreign", name: foreign, text };
  if (separator !== undefined) return { source: "predef", name: "pathSeparator", text };
  const name = env ?? bare ?? "";
  const isPredefined = prefix === undefined && env !== undefined && PREDEFINED.has(env);
  const source = isPredefined ? "predef" : "env";
  return fallback === undefined ? { source, name, text } : { source, name, fallback, text };
}

/** The references in a text, in order. */
export function variablesOf(text: string): readonly Variable[] {
  return partsOf(text).filter((part) => typeof part !== "string");
}

/** Whether a text refers to no variable, so that it means the same everywhere. */
export function isLiteral(text: string): boolean {
  return variablesOf(text).length === 0;
}

/** The name of a variable with its source, such as `env:TOKEN`. */
export function variableName(variable: Variable): string {
  return `${variable.source}:${variable.name}`;
}
