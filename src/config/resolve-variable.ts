/**
 * The value of one variable, or why it has none.
 */
import { attempt } from "./attempt.ts";
import type { DiagnosticCode } from "./codes.ts";
import { joinPath } from "./join-path.ts";
import type { Variable } from "./template.ts";

/** Where the values of variables come from. */
export interface ExpandOptions {
  /** The environment; an empty value counts as not set. */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
  /** Values for `${input:ID}`; nobody is asked for one. */
  readonly inputs?: Readonly<Record<string, string | undefined>> | undefined;
  /** What a variable without a value and without a default becomes; `error` by default. */
  readonly onUndefined?: "error" | "empty" | "keep" | undefined;
  /** The value of `${workspaceFolder}`; `baseDir` when absent. */
  readonly workspaceFolder?: string | undefined;
  /** Where a relative `cwd` or file path starts; also the `cwd` of a server that names none. */
  readonly baseDir?: string | undefined;
  /** The value of `${userHome}` and of a leading `~`; HOME or USERPROFILE of `env` when absent. */
  readonly userHome?: string | undefined;
  /** The value of `${/}` and `${pathSeparator}`; `/` when absent. */
  readonly pathSeparator?: string | undefined;
  /** Reads the file of `${file:PATH}`; without it such variables are refused. May throw. */
  readonly readFile?: ((path: string) => string | undefined) | undefined;
}

/** A value, or the code and text of what is missing; the text never holds a value. */
export type Resolution =
  | { readonly kind: "value"; readonly value: string; readonly isSecret: boolean }
  | { readonly kind: "missing"; readonly code: DiagnosticCode; readonly text: string };

/** The value of a variable; `onUndefined` is not looked at here. */
export function resolveVariable(variable: Variable, options: ExpandOptions): Resolution {
  const { name } = variable;
  switch (variable.source) {
    case "env":
      return withFallback(variable, valueOf(options.env, name), true);
    case "predef":
      return withFallback(variable, predefined(name, options), false);
    case "input": {
      const value = valueOf(options.inputs, name);
      if (typeof value === "string") return { kind: "value", value, isSecret: true };
      return missing("unresolved-input", `needs input "${name}"; pass inputs`);
    }
    case "file":
      return fileVariable(name, options);
    case "foreign":
      return missing("unsupported-variable", `holds ${variable.text}, which only its editor knows`);
  }
}

/** `:-` as in a shell: for a value that is not set, and for one that is empty. */
function withFallback(variable: Variable, value: unknown, isSecret: boolean): Resolution {
  if (typeof value === "string" && value !== "") return { kind: "value", value, isSecret };
  if (variable.fallback !== undefined) {
    return { kind: "value", value: variable.fallback, isSecret: false };
  }
  if (!isSecret)
    return missing("undefined-variable", `needs ${variable.text}, which is not known here`);
  const what = value === "" ? "empty" : "not set";
  return missing(
    "undefined-variable",
    `needs environment variable ${variable.name}, which is ${what}`,
  );
}

function predefined(name: string, options: ExpandOptions): string | undefined {
  const folder = options.workspaceFolder ?? options.baseDir;
  if (name === "workspaceFolder") return folder;
  if (name === "workspaceFolderBasename")
    return folder?.split(/[\\/]+/).findLast((part) => part !== "");
  if (name === "userHome") return userHomeOf(options);
  return options.pathSeparator ?? "/";
}

/** The home folder of the options, else of their environment. */
export function userHomeOf(options: ExpandOptions): string | undefined {
  return options.userHome ?? valueOf(options.env, "HOME") ?? valueOf(options.env, "USERPROFILE");
}

function fileVariable(name: string, options: ExpandOptions): Resolution {
  if (options.readFile === undefined) {
    return missing("unsupported-variable", `reads file ${name}; pass readFile to allow it`);
  }
  const path = joinPath(name, options.baseDir, userHomeOf(options));
  const text: unknown = attempt(() => options.readFile?.(path ?? name));
  if (typeof text !== "string") return missing("unreadable-file", `cannot read file ${name}`);
  // As `$(<file)` does: editors end a file with a line break that is no part of the value.
  return { kind: "value", value: text.replace(/(?:\r?\n)+$/, ""), isSecret: true };
}

/** An environment is a record of the caller's, and may be no plain one. */
function valueOf(record: ExpandOptions["env"], name: string): string | undefined {
  const value: unknown = attempt(() => record?.[name]);
  return typeof value === "string" ? value : undefined;
}

function missing(code: DiagnosticCode, text: string): Resolution {
  return { kind: "missing", code, text };
}
