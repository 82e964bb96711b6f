/**
 * The arguments of a call, from the command line and the tool's input schema.
 */
import { isObject, visible } from "../index.ts";
import type { Json, JsonObject } from "../index.ts";
import { unknownMember, valueProblems } from "./check-value.ts";
import type { ValueProblem } from "./check-value.ts";
import { coerceText, printValue } from "./coerce.ts";
import { exampleValue, expectation } from "./expectation.ts";
import { shellWord } from "./shell-word.ts";
import { propertiesOf, requiredOf, schemaOf, typesOf, within } from "./value-schema.ts";
import type { Schema } from "./value-schema.ts";

/** One `key=value` of the command line. */
export interface Assignment {
  readonly key: string;
  readonly text: string;
}

/** The arguments to send, or everything that is wrong with them. */
export interface ArgumentReading {
  readonly args: JsonObject;
  readonly problems: readonly ValueProblem[];
}

/** The words after the tool as assignments; the first that is none is given instead. */
export function assignments(
  words: readonly string[],
):
  | { readonly ok: true; readonly list: readonly Assignment[] }
  | { readonly ok: false; readonly word: string } {
  const bad = words.find((word) => word.indexOf("=") < 1);
  if (bad !== undefined) return { ok: false, word: bad };
  const list = words.map((word) => {
    const end = word.indexOf("=");
    return { key: word.slice(0, end), text: word.slice(end + 1) };
  });
  return { ok: true, list };
}

/**
 * The arguments of a call: `--args` first, each `key=value` on top, in the types the schema asks for.
 *
 * `a.b=1` is member `b` of argument `a`, unless there is an argument of that very name. A name that
 * the schema does not have is a mistake here, also where the server would take it: `--args` can send
 * it nevertheless.
 */
export function readArguments(
  inputSchema: JsonObject,
  base: JsonObject,
  list: readonly Assignment[],
): ArgumentReading {
  const schema = schemaOf(inputSchema);
  const problems: ValueProblem[] = [];
  let args = base;
  const given = new Set<string>();
  for (const { key, text } of list) {
    const { path, at } = placeOf(key, schema);
    const coerced = coerceText(text, at.schema ?? schema);
    const problem = assignmentProblem({ key, text }, at, given.has(key));
    given.add(key);
    if (problem !== null) problems.push(problem);
    else if (coerced.ok) args = withMember(args, path, coerced.value);
  }
  const checked = valueProblems(args, schema).filter(
    (found) => !problems.some(({ at }) => at === found.at),
  );
  return { args, problems: [...problems, ...checked] };
}

/** Where a key points to. */
interface Target {
  /** Null when the tool has no such argument. */
  readonly schema: Schema | null;
  readonly name: string;
  /** The names there are at this place. */
  readonly known: readonly string[];
}

function assignmentProblem(
  { key, text }: Assignment,
  { schema, name, known }: Target,
  isRepeated: boolean,
): ValueProblem | null {
  if (schema === null) return unknownMember(key, name, known);
  if (isRepeated) return { at: key, message: "is given twice", expected: "one value" };
  if (coerceText(text, schema).ok) return null;
  const shown = visible(shellWord(text));
  return { at: key, message: `cannot be ${shown}`, expected: expectation(schema) };
}

function placeOf(
  key: string,
  schema: Schema,
): { readonly path: readonly string[]; readonly at: Target } {
  const properties = propertiesOf(schema);
  const dot = key.indexOf(".");
  const parent = properties.get(key.slice(0, Math.max(0, dot)));
  if (!properties.has(key) && parent !== undefined && typesOf(parent).has("object")) {
    const inner = placeOf(key.slice(dot + 1), parent);
    return { path: [key.slice(0, dot), ...inner.path], at: inner.at };
  }
  const other = takesAnyName(schema) ? within(schema, {}) : null;
  const at = { schema: properties.get(key) ?? other, name: key, known: [...properties.keys()] };
  return { path: [key], at };
}

/** A schema that lists no argument, or says itself that there may be others. */
function takesAnyName(schema: Schema): boolean {
  const { additionalProperties: others, patternProperties } = schema.node;
  if (others === true || isObject(others) || patternProperties !== undefined) return true;
  return others === undefined && propertiesOf(schema).size === 0;
}

function withMember(args: JsonObject, path: readonly string[], value: Json): JsonObject {
  const [key = "", ...rest] = path;
  const before = Object.hasOwn(args, key) ? args[key] : undefined;
  const inner = rest.length === 0 ? value : withMember(isObject(before) ? before : {}, rest, value);
  // A spread with a computed key defines the member, also when it is called `__proto__`.
  return { ...args, [key]: inner };
}

/** Assignments that would do: one for each required argument. */
export function exampleWords(inputSchema: JsonObject): readonly string[] {
  const schema = schemaOf(inputSchema);
  const properties = propertiesOf(schema);
  return requiredOf(schema).map((name) => {
    const property = properties.get(name) ?? within(schema, {});
    return `${name}=${printValue(exampleValue(property), property)}`;
  });
}
