/**
 * The text of `call`: what the tool said.
 */
import type { ToolResult } from "../index.ts";
import type { TextStyle } from "./outcome.ts";
import { safeLines } from "./safe-text.ts";

/** The output of a tool: made safe for a terminal, untouched for a pipe or a file. */
export function callText({ output }: ToolResult, { isTerminal }: TextStyle): string {
  return isTerminal ? safeLines(output) : output;
}
