/**
 * A server's tool definitions, as tools: what cannot be used is dropped and noted, one by one.
 *
 * @see https://modelcontextprotocol.io/specification/2025-11-25/server/tools
 */
import { isDeeperThan, isObject } from "../json.ts";
import type { JsonObject } from "../json.ts";
import { typeName } from "../protocol/messages.ts";
import type { Note } from "../transport/transport.ts";

/** What a definition says, before the tool has its exposed name. */
export interface ListedTool {
  readonly remoteName: string;
  readonly title?: string;
  readonly description: string;
  readonly inputSchema: JsonObject;
  readonly outputSchema?: JsonObject;
  readonly annotations?: JsonObject;
  readonly definition: JsonObject;
}

/** A deeper definition overflows the stack of whoever prints it. */
const MAX_DEPTH = 1000;

/** The usable tools of a list, each remote name once, and what was dropped or repaired. */
export function readTools(definitions: readonly JsonObject[]): {
  readonly tools: readonly ListedTool[];
  readonly notes: readonly Note[];
} {
  const tools = new Map<string, ListedTool>();
  const notes: Note[] = [];
  for (const definition of definitions) {
    const { name, inputSchema } = definition;
    if (typeof name !== "string" || name === "") {
      notes.push({
        code: "dropped-tool",
        detail: `a tool whose name is ${describeName(definition)}`,
      });
      continue;
    }
    if (tools.has(name)) {
      notes.push({
        code: "duplicate-tool",
        detail: `"${name}" is listed more than once; the first is kept`,
      });
      continue;
    }
    if (isDeeperThan(definition, MAX_DEPTH)) {
      notes.push({
        code: "dropped-tool",
        detail: `"${name}" is defined deeper than ${MAX_DEPTH} levels`,
      });
      continue;
    }
    if (!isObject(inputSchema)) {
      const detail = `"${name}" has no input schema (${typeName(inputSchema)}); any object is taken`;
      notes.push({ code: "missing-input-schema", detail });
    }
    tools.set(name, listedTool(name, definition));
  }
  return { tools: [...tools.values()], notes };
}

function describeName(definition: JsonObject): string {
  return definition["name"] === "" ? "empty" : typeName(definition["name"]);
}

function listedTool(remoteName: string, definition: JsonObject): ListedTool {
  const { title, description, inputSchema, outputSchema, annotations } = definition;
  return {
    remoteName,
    ...(typeof title === "string" ? { title } : {}),
    description: typeof description === "string" ? description : "",
    inputSchema: isObject(inputSchema) ? inputSchema : { type: "object" },
    ...(isObject(outputSchema) ? { outputSchema } : {}),
    ...(isObject(annotations) ? { annotations } : {}),
    definition,
  };
}

/** Whether a tool of 2025-11-25 may or must be called as a task; one that does not say may not. */
export function taskSupport({ definition }: ListedTool): "forbidden" | "optional" | "required" {
  const { execution } = definition;
  const support = isObject(execution) ? execution["taskSupport"] : undefined;
  return support === "optional" || support === "required" ? support : "forbidden";
}
