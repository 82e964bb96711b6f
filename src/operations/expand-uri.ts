/**
 * URI templates after RFC 6570, all four levels.
 */
import { parseTemplate } from "url-template";
import { err, ok } from "../failure.ts";
import type { Result } from "../failure.ts";
import { isObject, nameMap } from "../json.ts";
import { invalid } from "./arguments.ts";

/** A single value of a template's variable. */
export type TemplatePart = string | number | boolean;

/** A value of a template's variable; null and undefined leave the variable out. */
export type TemplateValue =
  | TemplatePart
  | null
  | undefined
  | readonly TemplatePart[]
  | Readonly<Record<string, TemplatePart>>;

/** The operators that may begin an expression. */
const OPERATOR = /^[+#./;?&]/;
/** One variable of an expression: its name, and perhaps a prefix length or an explode mark. */
const VARIABLE =
  /^((?:[A-Za-z0-9_]|%[0-9A-Fa-f]{2})(?:\.?(?:[A-Za-z0-9_]|%[0-9A-Fa-f]{2}))*)(:[1-9]\d{0,3}|\*)?$/;

/**
 * The URI that a template stands for; variables without a value are left out.
 *
 * Fails with `invalid-argument` for a brace without its other half, an expression that RFC 6570 does
 * not allow (such as a prefix `:0`, or a prefix of a list), a value that is no text, finite number,
 * boolean, list or map of those, and text with half a surrogate pair, which no URI can carry.
 *
 * @see https://www.rfc-editor.org/rfc/rfc6570
 *
 * @example
 * ```ts
 * import { expandUri } from "mcp-source";
 * expandUri("db://{table}/rows{?page,size}", { table: "a b", page: 2 });
 * // { ok: true, value: "db://a%20b/rows?page=2" }
 * ```
 */
export function expandUri(
  template: string,
  variables: Readonly<Record<string, TemplateValue>> = {},
): Result<string> {
  try {
    const values = readVariables(variables);
    if (typeof values === "string") return err(invalid(values));
    const problem = templateProblem(template, values);
    if (problem !== null) return err(invalid(problem));
    return ok(parseTemplate(template).expand(nameMap(values)));
  } catch {
    return err(invalid("the template or a variable cannot be written as a URI"));
  }
}

type PlainValue = string | string[] | Record<string, string>;

/** The variables as texts, or what is wrong with them; an empty list or map counts as no value. */
function readVariables(variables: unknown): ReadonlyMap<string, PlainValue> | string {
  if (!isObject(variables)) return "the variables are no object";
  const values = new Map<string, PlainValue>();
  for (const [name, value] of Object.entries(variables)) {
    if (value === undefined || value === null) continue;
    const plain = plainValue(value);
    if (plain === undefined) return `the variable ${name} has a value that cannot be written`;
    if (typeof plain === "string" || Object.keys(plain).length > 0) values.set(name, plain);
  }
  return values;
}

function plainValue(value: unknown): PlainValue | undefined {
  if (isPart(value)) return String(value);
  if (Array.isArray(value)) return value.every(isPart) ? value.map(String) : undefined;
  if (!isObject(value)) return undefined;
  const entries = Object.entries(value).flatMap(([key, part]) =>
    isPart(part) ? [[key, String(part)] as const] : [],
  );
  return entries.length === Object.keys(value).length ? nameMap(entries) : undefined;
}

function isPart(value: unknown): value is TemplatePart {
  return typeof value === "string" || typeof value === "boolean" || Number.isFinite(value);
}

function templateProblem(
  template: unknown,
  values: ReadonlyMap<string, PlainValue>,
): string | null {
  if (typeof template !== "string") return "the template is no string";
  const [, ...opened] = template.split("{");
  const closed = opened.map((part) => part.split("}"));
  const hasStray = template.split("{", 1)[0]?.includes("}") === true;
  if (hasStray || closed.some((parts) => parts.length !== 2)) {
    return "the template has a brace without its other half";
  }
  for (const [expression = ""] of closed) {
    const problem = expressionProblem(expression, values);
    if (problem !== null) return problem;
  }
  return null;
}

function expressionProblem(
  expression: string,
  values: ReadonlyMap<string, PlainValue>,
): string | null {
  for (const variable of expression.replace(OPERATOR, "").split(",")) {
    const [, name = "", modifier = ""] = VARIABLE.exec(variable) ?? [];
    if (name === "") return `{${expression}} is no expression of RFC 6570`;
    const value = values.get(name);
    if (modifier.startsWith(":") && value !== undefined && typeof value !== "string") {
      return `{${expression}} asks for the start of a list`;
    }
  }
  return null;
}
