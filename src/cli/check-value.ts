/**
 * What is certainly wrong with a value, by its schema: enough to say it before anything is sent.
 *
 * Not a validator: patterns, formats and conditions are the server's to judge.
 */
import { canonicalJson, isObject } from "../index.ts";
import type { Json, JsonObject } from "../index.ts";
import { expectation } from "./expectation.ts";
import { didYouMean } from "./suggest.ts";
import {
  allowedValues,
  alternatives,
  hasType,
  propertiesOf,
  requiredOf,
  resolved,
  typeOf,
  typesOf,
  within,
} from "./value-schema.ts";
import type { Schema } from "./value-schema.ts";

/** One thing that is wrong. */
export interface ValueProblem {
  /** Where in the value: `city`, `filter.tags[0]`; empty for the whole. */
  readonly at: string;
  /** What is wrong: `is missing`, `is text`, … */
  readonly message: string;
  /** What is expected there, in a few words. */
  readonly expected: string;
}

/** Deeper values are the server's to judge. */
const MAX_DEPTH = 32;
/** So is what takes more steps: a schema can refer to itself twice at every step. */
const MAX_STEPS = 1_000;

/** Everything that is certainly wrong with a value, in the order of its schema. */
export function valueProblems(
  value: Json,
  schema: Schema,
  at: string = "",
): readonly ValueProblem[] {
  const found = problems(value, schema, { at, depth: 0, walk: { steps: 0 } });
  return found.map((problem) => ({ ...problem, expected: problem.expected() }));
}

/** A problem on the way; most of those that are found in alternatives are never put into words. */
interface Found extends Omit<ValueProblem, "expected"> {
  readonly expected: () => string;
}

interface Place {
  readonly at: string;
  readonly depth: number;
  /** Shared by all places of one check. */
  readonly walk: { steps: number };
}

function problems(value: Json, unresolved: Schema, place: Place): readonly Found[] {
  if (place.depth > MAX_DEPTH || ++place.walk.steps > MAX_STEPS) return [];
  const schema = resolved(unresolved);
  const wrong = (message: string): readonly Found[] => [
    { at: place.at, message, expected: () => expectation(schema) },
  ];
  if (!hasType(value, typesOf(schema))) return wrong(`is ${TYPE_WORDS[typeOf(value)]}`);
  const values = allowedValues(schema);
  if (values !== null && !values.some((allowed) => isSame(allowed, value))) {
    return wrong("is none of the allowed values");
  }
  const choice = alternatives(schema);
  const inside: Place = { ...place, depth: place.depth + 1 };
  if (choice.length > 0 && choice.every((one) => problems(value, one, inside).length > 0)) {
    return wrong("fits none of the alternatives");
  }
  const limit = limitProblem(value, schema);
  if (limit !== null) return wrong(limit);
  if (Array.isArray(value)) return elementProblems(value, schema, place);
  return isObject(value) ? memberProblems(value, schema, place) : [];
}

const TYPE_WORDS = {
  string: "text",
  integer: "a number",
  number: "a number",
  boolean: "true or false",
  array: "a list",
  object: "an object",
  null: "null",
} as const;

function isSame(left: Json, right: Json): boolean {
  return left === right || canonicalJson(left) === canonicalJson(right);
}

function limitProblem(value: Json, { node }: Schema): string | null {
  if (typeof value === "number") return numberProblem(value, node);
  if (typeof value === "string") {
    return sizeProblem(Array.from(value).length, node["minLength"], node["maxLength"]);
  }
  if (!Array.isArray(value)) return null;
  return sizeProblem(value.length, node["minItems"], node["maxItems"]);
}

function sizeProblem(size: number, least: Json | undefined, most: Json | undefined): string | null {
  if (typeof least === "number" && size < least) return "is too short";
  return typeof most === "number" && size > most ? "is too long" : null;
}

function numberProblem(value: number, node: Schema["node"]): string | null {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum } = node;
  const isTooSmall =
    (typeof minimum === "number" && value < minimum) ||
    (typeof exclusiveMinimum === "number" && value <= exclusiveMinimum);
  if (isTooSmall) return "is too small";
  const isTooLarge =
    (typeof maximum === "number" && value > maximum) ||
    (typeof exclusiveMaximum === "number" && value >= exclusiveMaximum);
  return isTooLarge ? "is too large" : null;
}

function elementProblems(value: readonly Json[], schema: Schema, place: Place): readonly Found[] {
  const { items } = schema.node;
  if (!isObject(items)) return [];
  const element = within(schema, items);
  const inside = (i: number): Place => ({
    ...place,
    at: `${place.at}[${i}]`,
    depth: place.depth + 1,
  });
  return value.flatMap((part, i) => problems(part, element, inside(i)));
}

function memberProblems(value: JsonObject, schema: Schema, place: Place): readonly Found[] {
  const { at, depth } = place;
  const properties = propertiesOf(schema);
  const path = (name: string): string => (at === "" ? name : `${at}.${name}`);
  const missing: readonly Found[] = requiredOf(schema)
    .filter((name) => !Object.hasOwn(value, name))
    .map((name) => ({
      at: path(name),
      message: "is missing",
      expected: () => expectation(properties.get(name) ?? within(schema, {})),
    }));
  const wrong = Object.entries(value).flatMap(([name, part]) => {
    const property = properties.get(name);
    if (part === undefined) return [];
    const inside: Place = { ...place, at: path(name), depth: depth + 1 };
    if (property !== undefined) return problems(part, property, inside);
    return isClosed(schema) ? [unknownHere(path(name), name, [...properties.keys()])] : [];
  });
  return [...missing, ...wrong];
}

function isClosed({ node }: Schema): boolean {
  return node["additionalProperties"] === false && node["patternProperties"] === undefined;
}

function unknownHere(at: string, name: string, known: readonly string[]): Found {
  const problem = unknownMember(at, name, known);
  return { ...problem, expected: () => problem.expected };
}

/** The problem of a member that does not exist. */
export function unknownMember(at: string, name: string, known: readonly string[]): ValueProblem {
  const expected = known.length === 0 ? "nothing, the tool takes no arguments" : known.join(", ");
  return { at, message: `is not known${didYouMean(name, known)}`, expected };
}
