/**
 * What the headers of a server look like, without their values.
 */
import { isObject, textOf } from "../json.ts";
import { sortedByName } from "../order.ts";
import { givenExpandOptions } from "./given-options.ts";
import { resolveVariable } from "./resolve-variable.ts";
import type { ExpandOptions } from "./resolve-variable.ts";
import { variablesOf } from "./template.ts";

/** The names in some headers; nothing of a value, not even its length. */
export interface HeaderShape {
  /** The headers' names, as written. */
  readonly keys: readonly string[];
  /** The variables their values refer to, by name. */
  readonly variables: readonly string[];
  /** Those of the variables that have neither a value nor a default. */
  readonly missing: readonly string[];
}

/**
 * The shape of unexpanded headers: names of headers and variables in code point order, each once.
 *
 * @example
 * ```ts
 * import { headerShape } from "mcp-source";
 * headerShape({ Authorization: "Bearer ${TOKEN}" }, { env: {} });
 * // { keys: ["Authorization"], variables: ["TOKEN"], missing: ["TOKEN"] }
 * ```
 */
export function headerShape(
  headers: Readonly<Record<string, string>>,
  options: ExpandOptions = {},
): HeaderShape {
  const given = givenExpandOptions(options);
  if (!isObject(headers)) return headerShape({}, options);
  const variables = Object.values(headers).map(textOf).flatMap(variablesOf);
  const missing = variables.filter(
    (variable) => resolveVariable(variable, given).kind === "missing",
  );
  return {
    keys: sortedOnce(Object.keys(headers)),
    variables: sortedOnce(variables.map((variable) => variable.name)),
    missing: sortedOnce(missing.map((variable) => variable.name)),
  };
}

function sortedOnce(names: readonly string[]): readonly string[] {
  return sortedByName(new Set(names), (name) => name);
}
