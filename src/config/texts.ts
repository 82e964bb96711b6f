/**
 * The texts of a server that may hold variables, and what is to be said about what they hold.
 */
import type { CommandReading } from "./command.ts";
import type { Report } from "./diagnostics.ts";
import type { HeaderPiece, UrlReading } from "./endpoint.ts";
import type { NamedPiece, Piece } from "./fields.ts";
import { resolveVariable } from "./resolve-variable.ts";
import type { ExpandOptions } from "./resolve-variable.ts";
import type { VariableUse } from "./server.ts";
import { partsOf, variableName, variablesOf } from "./template.ts";

/** Every text of an entry, used or not, with the places they were read from. */
export interface Texts {
  readonly command: CommandReading;
  readonly cwd?: Piece;
  readonly env: readonly NamedPiece[];
  readonly url: UrlReading;
  readonly headers: readonly HeaderPiece[];
}

/** The texts that have an effect for a server of its kind. */
export interface UsedTexts {
  readonly argv: readonly Piece[];
  readonly cwd?: Piece;
  readonly env: readonly NamedPiece[];
  readonly url?: Piece;
  readonly headers: readonly HeaderPiece[];
}

/** The used texts in the order in which they are expanded. */
export function piecesOf({ argv, cwd, env, url, headers }: UsedTexts): readonly Piece[] {
  const values = env.flatMap(({ text, at }) => (text === null ? [] : [{ text, at }]));
  return [
    ...argv,
    ...(cwd === undefined ? [] : [cwd]),
    ...values,
    ...(url ? [url] : []),
    ...headers,
  ];
}

/** Where the used texts refer to variables. */
export function variableUses(texts: UsedTexts): readonly VariableUse[] {
  return piecesOf(texts).flatMap(({ text, at }) =>
    variablesOf(text).map((variable) => ({
      name: variableName(variable),
      hasDefault: variable.fallback !== undefined,
      path: at.path,
    })),
  );
}

/** Reports every variable of the used texts that has no value, once for each text. */
export function checkVariables(texts: UsedTexts, options: ExpandOptions, report: Report): void {
  if (options.onUndefined === "empty" || options.onUndefined === "keep") return;
  const said = new Set<string>();
  for (const { text, at } of piecesOf(texts)) {
    for (const variable of variablesOf(text)) {
      const resolution = resolveVariable(variable, options);
      if (resolution.kind === "value") continue;
      const message = `${at.path} ${resolution.text}`;
      if (!said.has(message)) report({ code: resolution.code, at, message });
      said.add(message);
    }
  }
}

/** Reports what looks like a variable, or like a home folder, and is passed as written. */
export function checkTemplates(texts: UsedTexts, report: Report): void {
  const runsShell = SHELL.test(texts.argv[0]?.text ?? "");
  for (const { text, at } of piecesOf(texts)) {
    if (variablesOf(text).some((variable) => variable.fallback?.includes("${") === true)) {
      const message = `${at.path}: a default ends at the first "}", it holds no variable`;
      report({ code: "nested-variable", at, message });
    }
    // A shell expands its own script.
    const isScript = runsShell && texts.argv.some((piece) => piece.at === at);
    if (!isScript && holdsDollar(text)) {
      const message = `${at.path}: $NAME is passed as written; use \${NAME}`;
      report({ code: "bare-dollar", at, message });
    }
  }
  for (const { text, at } of texts.argv) {
    if (!/^~[\\/]/.test(text)) continue;
    const message = `${at.path}: ~ is passed as written; use \${userHome}`;
    report({ code: "tilde-not-expanded", at, message });
  }
  reportNul(texts, report);
}

const SHELL = /(?:^|[\\/])(?:ba|da|z|k|fi)?sh$|(?:^|[\\/])(?:cmd|powershell|pwsh)(?:\.exe)?$/i;
const BARE_DOLLAR = /\$[A-Za-z_][A-Za-z0-9_]*/;
const WHOLE_FOREIGN = /^(?:\$\(.+\)|%[A-Za-z_][A-Za-z0-9_]*%)$/;

/** The message names no part of the text: a password may hold a `$` as well. */
function holdsDollar(text: string): boolean {
  const literals = partsOf(text).filter((part) => typeof part === "string");
  return literals.some((literal) => BARE_DOLLAR.test(literal)) || WHOLE_FOREIGN.test(text);
}

function reportNul(texts: UsedTexts, report: Report): void {
  const texted = [...texts.argv, ...texts.env, ...(texts.cwd === undefined ? [] : [texts.cwd])];
  for (const { text, at } of texted) {
    if (text?.includes("\0") !== true) continue;
    report({ code: "nul-character", at, message: `${at.path} holds a NUL character` });
  }
}
