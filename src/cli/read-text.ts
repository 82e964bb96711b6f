/**
 * What `read` puts on stdout: text as it is, bytes as they are, or a description of bytes.
 */
import { visible } from "../index.ts";
import type { JsonObject } from "../index.ts";
import type { TextStyle } from "./outcome.ts";
import { safeLines, withoutWorkflowCommands } from "./safe-text.ts";

/**
 * The contents of a resource.
 *
 * One of them goes to a pipe or a file byte for byte. A terminal gets text made safe, and bytes
 * described, with the command line that has them. Several stand each below a line that says what it is.
 */
export function readResult(
  contents: readonly JsonObject[],
  again: string,
  style: TextStyle,
): string | Uint8Array {
  const [only, ...others] = contents;
  if (only === undefined) return "";
  if (others.length > 0) return contents.map((one) => titled(one, style)).join("\n\n");
  if (canWrite(only, style)) return bytesOf(only);
  if (!isBlob(only)) return shown(only, style);
  const keep = style.isWorkflowLog ? "--json" : "> FILE";
  return `${shown(only, style)}\nTo keep it: ${again} ${keep}`;
}

/** What is said beside the contents. */
export function readRemarks(
  contents: readonly JsonObject[],
  again: string,
  { paint }: TextStyle,
): readonly string[] {
  if (contents.length === 0) return [paint("faint", "The resource is empty.")];
  const isPartial = contents.length > 1 && contents.some(isBlob);
  return isPartial ? [paint("faint", `Bytes are in the report, as base64: ${again} --json`)] : [];
}

/** The lines of a log could be commands to the runner, so that bytes with such lines are not written. */
function canWrite(content: JsonObject, { isTerminal, isWorkflowLog }: TextStyle): boolean {
  if (isTerminal) return false;
  if (!isWorkflowLog) return true;
  const text = new TextDecoder().decode(bytesOf(content));
  return isBlob(content) && withoutWorkflowCommands(text) === text;
}

function isBlob({ text, blob }: JsonObject): boolean {
  return typeof text !== "string" && typeof blob === "string";
}

function bytesOf({ text, blob }: JsonObject): Uint8Array {
  if (typeof text === "string") return Buffer.from(text, "utf8");
  return Buffer.from(typeof blob === "string" ? blob : "", "base64");
}

function titled(content: JsonObject, style: TextStyle): string {
  const { uri, mimeType } = content;
  const words = [uri, mimeType].filter((word) => typeof word === "string");
  const title = visible(`--- ${words.join(" ")} ---`);
  return `${style.paint("strong", title)}\n${shown(content, style)}`;
}

function shown(content: JsonObject, { isTerminal }: TextStyle): string {
  const { text, mimeType } = content;
  if (typeof text === "string") return isTerminal ? safeLines(text) : text;
  const type = typeof mimeType === "string" ? ` ${mimeType}` : "";
  return visible(`[blob${type} ${bytesOf(content).length} bytes]`);
}
