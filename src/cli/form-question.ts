/**
 * One field of a form that a server sends, as a question, and the line that was typed as its value.
 */
import { contentProblem, visible } from "../index.ts";
import type { FormField, Json } from "../index.ts";
import { coerceText } from "./coerce.ts";
import { expectation } from "./expectation.ts";
import { schemaOf } from "./value-schema.ts";

/** What a typed line means for a field. */
export type FieldAnswer =
  | { readonly kind: "value"; readonly value: Json }
  /** Nothing was typed, and nothing has to be. */
  | { readonly kind: "left-out" }
  | { readonly kind: "wrong"; readonly why: string };

/** A question: lines that tell, and the prompt after which the answer is typed. */
export interface Question {
  readonly lines: readonly string[];
  readonly prompt: string;
}

/** The question for a field, safe to show. */
export function questionOf(field: FormField): Question {
  const { title, description, options, isRequired, default: preset } = field;
  const choices = options.map((option, i) => `  ${i + 1}  ${option.title}`);
  const lines = [title, ...(description === "" ? [] : [`  ${description}`]), ...choices];
  const enter =
    preset !== undefined
      ? [`Enter for ${JSON.stringify(preset)}`]
      : isRequired
        ? []
        : ["Enter leaves it out"];
  return {
    lines: lines.map(visible),
    prompt: visible(`  ${[wanted(field), ...enter].join("; ")}: `),
  };
}

function wanted(field: FormField): string {
  const count = field.options.length;
  if (count === 0) return expectation(schemaOf(field.schema));
  const range = count === 1 ? "1" : `1 to ${count}`;
  return field.type === "choices" ? `numbers from ${range}, with commas` : `a number, ${range}`;
}

/** What a typed line means; a choice may be typed as its number, its title or its value. */
export function readField(field: FormField, line: string): FieldAnswer {
  const text = line.trim();
  if (text === "") return emptyAnswer(field);
  const value = field.options.length > 0 ? chosen(field, text) : typed(field, text);
  if (value === undefined) return { kind: "wrong", why: `expected ${wanted(field)}` };
  const problem = problemOf(field, value);
  return problem === null ? { kind: "value", value } : { kind: "wrong", why: problem };
}

function emptyAnswer(field: FormField): FieldAnswer {
  if (field.default !== undefined) return { kind: "value", value: field.default };
  return field.isRequired ? { kind: "wrong", why: "an answer is needed" } : { kind: "left-out" };
}

function typed(field: FormField, text: string): Json | undefined {
  const read = coerceText(text, schemaOf(field.schema));
  return read.ok ? read.value : undefined;
}

function chosen({ type, options }: FormField, text: string): Json | undefined {
  const words = type === "choices" ? text.split(",").map((word) => word.trim()) : [text];
  const values = words.map(
    (word) =>
      (options[Number(word) - 1] ?? options.find(({ title }) => title === word))?.value ?? word,
  );
  return type === "choices" ? [...new Set(values)] : values[0];
}

function problemOf({ name, schema }: FormField, value: Json): string | null {
  return contentProblem({ properties: { [name]: schema } }, { [name]: value });
}
