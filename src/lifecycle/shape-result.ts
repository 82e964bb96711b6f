/**
 * What a `tools/call` result says, as a `ToolResult`.
 *
 * @see https://modelcontextprotocol.io/specification/2025-11-25/server/tools
 */
import { describeFailure } from "../failure.ts";
import type { Failure, Result } from "../failure.ts";
import { canonicalJson, isDeeperThan, isObject } from "../json.ts";
import type { Json, JsonObject } from "../json.ts";
import { typeName } from "../protocol/messages.ts";
import type { ToolResult } from "./records.ts";

/** Deeper values overflow the stack of whoever prints them. */
const MAX_DEPTH = 1000;
const ERROR_WITHOUT_TEXT = "the tool returned an error";

/**
 * A result as the server sent it, shaped; a result that is none gives a `malformed-body` failure.
 *
 * Text: for an error the joined text; else the structured content as canonical JSON; else the joined
 * text; else one line for each part. A `structuredContent` of null, 0 or "" counts.
 */
export function shapeResult(result: JsonObject, server: string): ToolResult {
  const { content, structuredContent, isError, _meta: meta } = result;
  if (!Array.isArray(content) && (content !== undefined || structuredContent === undefined)) {
    const detail = `the result's content is ${typeName(content)}, not an array`;
    return failedResult({ tag: "malformed-body", detail, maybeExecuted: true }, server);
  }
  if (isDeeperThan(result, MAX_DEPTH)) {
    return failedResult(
      { tag: "limit", limit: "depth", value: MAX_DEPTH, maybeExecuted: true },
      server,
    );
  }
  const blocks: readonly JsonObject[] = (content ?? []).filter(isObject);
  const failed = isError === true;
  return {
    output: failed ? errorText(blocks, structuredContent) : resultText(blocks, structuredContent),
    isError: failed,
    content: blocks,
    ...(structuredContent === undefined ? {} : { structuredContent }),
    ...(isObject(meta) ? { metadata: meta } : {}),
  };
}

/**
 * What `callTool` or `callToolWithPolling` gave, as a tool's own `execute` gives it.
 *
 * Not checked against the tool's output schema. Anything but such an answer is `invalid-argument`.
 *
 * @example
 * ```ts
 * import type { Connected, ToolResult } from "mcp-source";
 * import { callToolWithPolling, toolResult } from "mcp-source";
 * async function research(connection: Connected): Promise<ToolResult> {
 *   const called = await callToolWithPolling(connection, "research", { topic: "tides" });
 *   return toolResult(called, connection.name);
 * }
 * ```
 */
export function toolResult(answer: Result<JsonObject>, server: string): ToolResult {
  try {
    if (answer.ok && isObject(answer.value)) return shapeResult(answer.value, server);
    if (!answer.ok && isObject(answer.failure)) return failedResult(answer.failure, server);
  } catch {
    // Only a proxy, or a getter of the caller's, comes here.
  }
  return failedResult(NO_ANSWER, server);
}

const NO_ANSWER: Failure = {
  tag: "invalid-argument",
  detail: "this is no answer of a call",
  maybeExecuted: false,
};

/** A `ToolResult` for a call that gave no result. */
export function failedResult(failure: Failure, server: string): ToolResult {
  const output = describeFailure(failure, { server, phase: "tools/call" });
  return { output, isError: true, content: [], failure };
}

function resultText(blocks: readonly JsonObject[], structured: Json | undefined): string {
  if (structured !== undefined) return canonicalJson(structured);
  return joinedText(blocks) ?? blocks.map(describePart).join("\n");
}

function errorText(blocks: readonly JsonObject[], structured: Json | undefined): string {
  const text = joinedText(blocks);
  if (text !== undefined && text !== "") return text;
  if (structured !== undefined) return canonicalJson(structured);
  return blocks.length === 0 ? ERROR_WITHOUT_TEXT : blocks.map(describePart).join("\n");
}

/** The text parts, joined; undefined when there is none. */
function joinedText(blocks: readonly JsonObject[]): string | undefined {
  const texts = blocks
    .filter((block) => block["type"] === "text")
    .map((block) => block["text"])
    .filter((text) => typeof text === "string");
  return texts.length === 0 ? undefined : texts.join("\n");
}

/** One line for a part that is not text, such as `[image image/png 3 bytes]`. */
function describePart(block: JsonObject): string {
  const resource = isObject(block["resource"]) ? block["resource"] : {};
  const words = [
    block["type"] ?? "part",
    block["uri"] ?? resource["uri"],
    block["mimeType"] ?? resource["mimeType"],
    size(block["data"] ?? resource["blob"] ?? resource["text"], resource["text"] !== undefined),
  ];
  return `[${words.filter((word) => typeof word === "string").join(" ")}]`;
}

function size(data: Json | undefined, isText: boolean): string | undefined {
  if (typeof data !== "string") return undefined;
  if (isText) return `${data.length} characters`;
  const padding = data.endsWith("==") ? 2 : data.endsWith("=") ? 1 : 0;
  return `${Math.floor((data.length * 3) / 4) - padding} bytes`;
}
