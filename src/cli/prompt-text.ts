/**
 * The text of `prompt`: the messages, each under the role that speaks it.
 */
import { isObject, toolResult } from "../index.ts";
import type { Json, JsonObject } from "../index.ts";
import type { TextStyle } from "./outcome.ts";
import { safeLines } from "./safe-text.ts";

/** The messages of a prompt: safe for a terminal, untouched for a pipe or a file. */
export function promptText({ messages }: JsonObject, { paint, isTerminal }: TextStyle): string {
  const list: readonly Json[] = Array.isArray(messages) ? messages : [];
  const shown = (text: string): string => (isTerminal ? safeLines(text) : text);
  return list
    .filter(isObject)
    .map(({ role, content }) => {
      const speaker = typeof role === "string" ? role : "unknown";
      return `${paint("strong", `${shown(speaker)}:`)}\n${shown(contentText(content))}`;
    })
    .join("\n\n");
}

function contentText(content: Json | undefined): string {
  const blocks: readonly Json[] = Array.isArray(content) ? content : [content];
  return blocks.filter(isObject).map(blockText).join("\n");
}

/** A block's text; one that is none is described, and a resource shown below its description. */
function blockText(block: JsonObject): string {
  const described = toolResult({ ok: true, value: { content: [block] } }, "").output;
  const { resource } = block;
  const text = isObject(resource) ? resource["text"] : undefined;
  return typeof text === "string" ? `${described}\n${text}` : described;
}
