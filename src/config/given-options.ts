/**
 * The options of this folder's functions as a caller gave them: only what has the right type counts.
 */
import { attempt } from "./attempt.ts";
import type { ExpandOptions } from "./resolve-variable.ts";
import { isDialect } from "./timeouts.ts";
import type { Dialect } from "./timeouts.ts";

/** How a config is read. */
export interface ParseOptions {
  /** The file's name or path; some names tell the dialect, and so the unit of `timeout`. */
  readonly fileName?: string | undefined;
  /** The host the config was written for, when the file's name does not tell. */
  readonly dialect?: Dialect | undefined;
  /** Takes what was guessed (unknown members, coerced values, duplicates, …) for errors. */
  readonly strict?: boolean | undefined;
  /** Where relative paths start. */
  readonly baseDir?: string | undefined;
  /** When given, variables without a value are reported too, each at its place. */
  readonly variables?: ExpandOptions | undefined;
}

/** The parse options that can be read and have the right type. */
export function givenParseOptions(options: unknown): ParseOptions {
  const read = readerOf(options);
  const dialect = read("dialect");
  const variables = read("variables");
  return {
    ...strings(read, ["fileName", "baseDir"]),
    ...(isDialect(dialect) && { dialect }),
    strict: read("strict") === true,
    ...(typeof variables === "object" &&
      variables !== null && { variables: givenExpandOptions(variables) }),
  };
}

/** The expand options that can be read and have the right type. */
export function givenExpandOptions(options: unknown): ExpandOptions {
  const read = readerOf(options);
  const onUndefined = (["error", "empty", "keep"] as const).find(
    (known) => known === read("onUndefined"),
  );
  const env = read("env");
  const inputs = read("inputs");
  const readFile = read("readFile");
  return {
    ...strings(read, ["workspaceFolder", "baseDir", "userHome", "pathSeparator"]),
    ...(onUndefined !== undefined && { onUndefined }),
    ...(isRecord(env) && { env }),
    ...(isRecord(inputs) && { inputs }),
    ...(isFileReader(readFile) && { readFile }),
  };
}

type Read = (key: string) => unknown;

function readerOf(options: unknown): Read {
  return (key) =>
    typeof options === "object" && options !== null
      ? attempt((): unknown => Reflect.get(options, key))
      : undefined;
}

function strings<K extends string>(
  read: Read,
  keys: readonly K[],
): { readonly [key in K]?: string } {
  const found: { [key in K]?: string } = {};
  for (const key of keys) {
    const value = read(key);
    if (typeof value === "string") found[key] = value;
  }
  return found;
}

/** Each value is looked at again when it is read; process.env is no plain object. */
function isRecord(value: unknown): value is Readonly<Record<string, string | undefined>> {
  return typeof value === "object" && value !== null;
}

function isFileReader(value: unknown): value is NonNullable<ExpandOptions["readFile"]> {
  return typeof value === "function";
}
