// A transport is a record of functions: here one in this process, and one that watches another.
import { disconnectAll, execute, fromConfig, memoryTransport, stdioTransport } from "mcp-source";
import type { Json, JsonObject, OpenTransport } from "mcp-source";

/** A server in this process: a function from a message to its answer. */
const clock = memoryTransport(({ id, method }) =>
  id === undefined ? undefined : { jsonrpc: "2.0", id, result: clockResult(method) },
);

function clockResult(method: Json | undefined): JsonObject {
  if (method === "initialize") {
    const serverInfo = { name: "clock", version: "1.0.0" };
    return { protocolVersion: "2025-11-25", capabilities: { tools: {} }, serverInfo };
  }
  if (method === "tools/list") {
    return { tools: [{ name: "year", inputSchema: { type: "object" } }] };
  }
  return { content: [{ type: "text", text: "2026" }] };
}

/** Any transport, with every request printed. */
function watched(open: OpenTransport): OpenTransport {
  return async (inbound, options) => {
    const opened = await open(inbound, options);
    if (!opened.ok) return opened;
    const { rpc } = opened.value;
    const watchedRpc: typeof rpc = (method, params, rpcOptions) => {
      console.log(`> ${method}`);
      return rpc(method, params, rpcOptions);
    };
    return { ok: true, value: { ...opened.value, rpc: watchedRpc } };
  };
}

const notes = stdioTransport({ command: process.execPath, args: ["examples/notes-server.mjs"] });
const load = await fromConfig({
  mcpServers: { clock: { open: clock }, notes: { open: watched(notes) } },
});
try {
  console.log(load.tools.map((tool) => tool.name).join(" "));
  console.log((await execute(load, "clock_year")).output);
  console.log((await execute(load, "notes_search", { query: "Ada" })).output);
} finally {
  await disconnectAll(load);
}
