/**
 * The restricted JSON Schema of elicitation forms: flat objects of primitives.
 *
 * @see https://modelcontextprotocol.io/specification/2025-11-25/client/elicitation
 */
import { isObject } from "../json.ts";
import type { Json, JsonObject } from "../json.ts";

/** One field of a form. */
export interface FormField {
  readonly name: string;
  /** What to show instead of the name. */
  readonly title: string;
  readonly description: string;
  readonly type: "string" | "number" | "integer" | "boolean" | "choice" | "choices";
  readonly isRequired: boolean;
  readonly default?: Json;
  /** Of `choice` and `choices`: what may be answered, in the server's order. */
  readonly options: readonly { readonly value: string; readonly title: string }[];
  /** The field's own schema. */
  readonly schema: JsonObject;
}

/**
 * The fields of a requested schema, in the server's order; a property this subset does not know is
 * read as a string.
 *
 * @example
 * ```ts
 * import { formFields } from "mcp-source";
 * formFields({ type: "object", properties: { age: { type: "integer" } } })[0]?.type; // "integer"
 * ```
 */
export function formFields(schema: JsonObject): readonly FormField[] {
  const properties = isObject(schema) ? schema["properties"] : undefined;
  const required = isObject(schema) ? schema["required"] : undefined;
  if (!isObject(properties)) return [];
  return Object.entries(properties).flatMap(([name, property]) => {
    if (!isObject(property)) return [];
    const isRequired = Array.isArray(required) && required.includes(name);
    return [formField(name, property, isRequired)];
  });
}

function formField(name: string, schema: JsonObject, isRequired: boolean): FormField {
  const { title, description, default: byDefault } = schema;
  return {
    name,
    title: typeof title === "string" ? title : name,
    description: typeof description === "string" ? description : "",
    type: fieldType(schema),
    isRequired,
    ...(byDefault === undefined ? {} : { default: byDefault }),
    options: fieldOptions(schema),
    schema,
  };
}

function fieldType(schema: JsonObject): FormField["type"] {
  const { type } = schema;
  if (type === "array") return "choices";
  if (Array.isArray(schema["enum"]) || Array.isArray(schema["oneOf"])) return "choice";
  return type === "number" || type === "integer" || type === "boolean" ? type : "string";
}

/** Choices are plain (`enum`, with the older `enumNames`) or titled (`oneOf`, `anyOf` of `const`). */
function fieldOptions(schema: JsonObject): FormField["options"] {
  const { enum: values, enumNames, oneOf, anyOf, items } = schema;
  if (Array.isArray(values)) {
    const titles: readonly Json[] = Array.isArray(enumNames) ? enumNames : [];
    return values.flatMap((value: Json, i) => {
      const title = titles[i];
      return typeof value === "string"
        ? [{ value, title: typeof title === "string" ? title : value }]
        : [];
    });
  }
  const titled = Array.isArray(oneOf) ? oneOf : anyOf;
  if (Array.isArray(titled)) return titled.filter(isObject).flatMap(titledOption);
  return isObject(items) ? fieldOptions(items) : [];
}

function titledOption(option: JsonObject): FormField["options"] {
  const { const: value, title } = option;
  if (typeof value !== "string") return [];
  return [{ value, title: typeof title === "string" ? title : value }];
}

/** The content with every missing member filled in by the schema's default. */
export function fillDefaults(schema: JsonObject, content: JsonObject): JsonObject {
  const defaults = formFields(schema).flatMap((field) =>
    field.default === undefined ? [] : [[field.name, field.default] as const],
  );
  return { ...Object.fromEntries(defaults), ...content };
}

/**
 * What is wrong with the content of an answer, naming the field and what it wants; null when it fits.
 *
 * @example
 * ```ts
 * import { contentProblem } from "mcp-source";
 * const schema = { type: "object", properties: { age: { type: "integer", minimum: 0 } } };
 * contentProblem(schema, { age: -1 }); // "age must be at least 0"
 * ```
 */
export function contentProblem(schema: JsonObject, content: JsonObject): string | null {
  for (const field of formFields(schema)) {
    const value = content[field.name];
    if (value === undefined) {
      if (field.isRequired) return `${field.name} is missing`;
      continue;
    }
    const problem = valueProblem(field, value);
    if (problem !== null) return `${field.name} ${problem}`;
  }
  return null;
}

function valueProblem(field: FormField, value: Json): string | null {
  switch (field.type) {
    case "boolean":
      return typeof value === "boolean" ? null : "must be true or false";
    case "integer":
    case "number":
      return numberProblem(field, value);
    case "choice":
      return isOption(field, value) ? null : `must be one of ${optionList(field)}`;
    case "choices":
      return choicesProblem(field, value);
    case "string":
      return textProblem(field.schema, value);
  }
}

function numberProblem(field: FormField, value: Json): string | null {
  if (typeof value !== "number") return "must be a number";
  if (field.type === "integer" && !Number.isInteger(value)) return "must be a whole number";
  const { minimum, maximum } = field.schema;
  if (typeof minimum === "number" && value < minimum) return `must be at least ${minimum}`;
  if (typeof maximum === "number" && value > maximum) return `must be at most ${maximum}`;
  return null;
}

function choicesProblem(field: FormField, value: Json): string | null {
  if (!Array.isArray(value)) return "must be a list";
  if (!value.every((item: Json) => isOption(field, item))) {
    return `must hold only ${optionList(field)}`;
  }
  const { minItems, maxItems } = field.schema;
  if (typeof minItems === "number" && value.length < minItems) return `needs at least ${minItems}`;
  if (typeof maxItems === "number" && value.length > maxItems) return `takes at most ${maxItems}`;
  return null;
}

function isOption(field: FormField, value: Json): boolean {
  return field.options.some((option) => option.value === value);
}

function optionList(field: FormField): string {
  return field.options.map((option) => option.value).join(", ");
}

function textProblem(schema: JsonObject, value: Json): string | null {
  if (typeof value !== "string") return "must be text";
  const { minLength, maxLength, format } = schema;
  const { length } = Array.from(value);
  if (typeof minLength === "number" && length < minLength)
    return `needs at least ${minLength} characters`;
  if (typeof maxLength === "number" && length > maxLength)
    return `takes at most ${maxLength} characters`;
  if (typeof format !== "string") return null;
  const isOfFormat = FORMATS.get(format);
  return isOfFormat === undefined || isOfFormat(value) ? null : `must be a valid ${format}`;
}

/** Checked by hand: a pattern of the server's own is never run. */
const FORMATS: ReadonlyMap<string, (text: string) => boolean> = new Map([
  ["email", (text) => /^[^\s@]+@[^\s@.]+(?:\.[^\s@.]+)*$/.test(text)],
  ["uri", (text) => /^[a-z][a-z0-9+.-]*:/i.test(text) && URL.canParse(text)],
  ["date", isDate],
  ["date-time", isDateTime],
]);

function isDate(text: string): boolean {
  const [, year, month, day] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text) ?? [];
  if (year === undefined) return false;
  const days = daysIn(Number(year), Number(month));
  return Number(day) >= 1 && Number(day) <= days;
}

function daysIn(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  if (month < 1 || month > 12) return 0;
  return [4, 6, 9, 11].includes(month) ? 30 : 31;
}

function isDateTime(text: string): boolean {
  const [, date, hour, minute, second] =
    /^(\d{4}-\d{2}-\d{2})[Tt](\d{2}):(\d{2}):(\d{2})(?:\.\d+)?(?:[Zz]|[+-]\d{2}:\d{2})$/.exec(
      text,
    ) ?? [];
  if (date === undefined) return false;
  return isDate(date) && Number(hour) < 24 && Number(minute) < 60 && Number(second) <= 60;
}
