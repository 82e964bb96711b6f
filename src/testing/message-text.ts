/**
 * Messages as text, and back.
 */
import type { Failure } from "../failure.ts";
import { parseJson } from "../json.ts";
import type { Json, JsonObject } from "../json.ts";

/** The text of a message; null for what has none, such as a cycle, a bigint or endless nesting. */
export function messageText(message: JsonObject): string | null {
  try {
    return JSON.stringify(message);
  } catch {
    return null;
  }
}

/** A copy of a message as the other side reads it; undefined when it has no text. */
export function throughText(message: JsonObject): Json | undefined {
  const text = messageText(message);
  return text === null ? undefined : parseJson(text)?.value;
}

/** Why a message without a text is not sent. */
export const NOT_JSON: Failure = {
  tag: "invalid-argument",
  detail: "the message cannot be written as JSON",
};
