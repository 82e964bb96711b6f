/**
 * Calling a tool of a load by its exposed name.
 */
import { isObject } from "../json.ts";
import type { JsonObject } from "../json.ts";
import type { CallOptions, Load, Tool, ToolResult } from "./records.ts";

/**
 * Calls a tool by its exposed name; never rejects.
 *
 * A name that is not there gives `unknown tool: NAME` with `isError`, as a model would see it, and the
 * failure `invalid-argument`, by which a program tells it from an error of the tool.
 *
 * @example
 * ```ts
 * import { execute, fromConfig } from "mcp-source";
 * const load = await fromConfig({ mcpServers: {} });
 * (await execute(load, "nope")).output; // "unknown tool: nope"
 * ```
 */
export async function execute(
  tools: Pick<Load, "tools"> | readonly Tool[],
  name: string,
  args?: JsonObject,
  options?: CallOptions,
): Promise<ToolResult> {
  const tool = toolsOf(tools).find((candidate) => candidate.name === name);
  if (tool === undefined) {
    const output = `unknown tool: ${typeof name === "string" ? name : typeof name}`;
    const failure = { tag: "invalid-argument", detail: output, maybeExecuted: false } as const;
    return { output, isError: true, content: [], failure };
  }
  return tool.execute(args, options);
}

function toolsOf(tools: unknown): readonly Tool[] {
  const list: unknown = isObject(tools) ? tools["tools"] : tools;
  return Array.isArray(list) ? list.filter(isTool) : [];
}

function isTool(value: unknown): value is Tool {
  return (
    typeof value === "object" &&
    value !== null &&
    typeof Reflect.get(value, "execute") === "function"
  );
}
