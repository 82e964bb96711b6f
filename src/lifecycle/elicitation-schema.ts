/**
 * The restricted JSON Schema of elicitation forms: flat objects of primitives.
 */
import { isObject } from "../json.ts";
import type { JsonObject } from "../json.ts";

/** The content with every missing member filled in by the schema's default. */
export function fillDefaults(schema: JsonObject, content: JsonObject): JsonObject {
  const properties = isObject(schema["properties"]) ? schema["properties"] : {};
  const defaults = Object.entries(properties).flatMap(([key, property]) => {
    const value = isObject(property) ? property["default"] : undefined;
    return value === undefined ? [] : [[key, value] as const];
  });
  return { ...Object.fromEntries(defaults), ...content };
}
