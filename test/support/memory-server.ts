import type { Json, JsonObject } from "../../src/json.ts";
import { memoryTransport } from "../../src/transport/memory.ts";
import type { MemoryAnswer } from "../../src/transport/memory.ts";
import type { OpenTransport } from "../../src/transport/transport.ts";

/** What a server says to each method: the result, an error, or nothing at all. */
export type Script = Readonly<
  Record<string, (params: JsonObject) => Json | undefined | Promise<Json | undefined>>
>;

/** The answer to a handshake. */
export const AGREED: JsonObject = {
  protocolVersion: "2025-11-25",
  capabilities: { tools: {} },
  serverInfo: { name: "memory", version: "1" },
};

/** A server of the initialize era after a script; other methods it does not have. */
export function scripted(script: Script): MemoryAnswer {
  return async ({ id, method, params }) => {
    if (id === undefined || typeof method !== "string") return undefined;
    const respond = Object.hasOwn(script, method) ? script[method] : undefined;
    if (respond === undefined && method !== "initialize") {
      return { jsonrpc: "2.0", id, error: { code: -32601, message: "Method not found" } };
    }
    const asked: JsonObject = params !== undefined && isMembers(params) ? params : {};
    const said = respond === undefined ? AGREED : await respond(asked);
    if (said === undefined) return undefined;
    return isError(said) ? { jsonrpc: "2.0", id, ...said } : { jsonrpc: "2.0", id, result: said };
  };
}

/** A server that lists these tools, in this order, and answers a call with the tool's name. */
export function listing(names: readonly string[], more: Script = {}): OpenTransport {
  const tools = names.map((name) => ({ name, inputSchema: { type: "object" } }));
  return memoryTransport(
    scripted({
      "tools/list": () => ({ tools }),
      "tools/call": ({ name }) => ({ content: [{ type: "text", text: `called ${word(name)}` }] }),
      ...more,
    }),
  );
}

/** A server that never answers. */
export function silent(): OpenTransport {
  return memoryTransport(() => undefined);
}

/** A transport that counts how often it is opened and closed. */
export function counted(open: OpenTransport): {
  readonly open: OpenTransport;
  readonly counts: { opened: number; closed: number };
} {
  const counts = { opened: 0, closed: 0 };
  return {
    counts,
    open: async (inbound, options) => {
      counts.opened++;
      const opened = await open(inbound, options);
      if (!opened.ok) return opened;
      const { close } = opened.value;
      const closing = (closeOptions?: { readonly hurry?: boolean }): Promise<void> => {
        counts.closed++;
        return close(closeOptions);
      };
      return { ok: true, value: { ...opened.value, close: closing } };
    },
  };
}

/** A text from the wire; nothing else is called by it. */
function word(value: Json | undefined): string {
  return typeof value === "string" ? value : "";
}

function isMembers(value: Json): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isError(value: Json): value is JsonObject {
  return isMembers(value) && typeof value["error"] === "object";
}
