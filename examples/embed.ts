// Tools are plain data: a short map turns them into the shape another library wants.
import { disconnectAll, execute, fromConfig } from "mcp-source";
import type { JsonObject, Load, Tool } from "mcp-source";

/** What many chat interfaces take as a tool. */
interface FunctionTool {
  readonly type: "function";
  readonly function: {
    readonly name: string;
    readonly description: string;
    readonly parameters: JsonObject;
  };
}

function functionTool({ name, description, inputSchema }: Tool): FunctionTool {
  return { type: "function", function: { name, description, parameters: inputSchema } };
}

/** Runs what a model asked for; a failed call is text too, so the model can react to it. */
async function toolMessage(load: Load, call: { id: string; name: string; arguments: string }) {
  const { output } = await execute(load, call.name, JSON.parse(call.arguments));
  return { role: "tool", tool_call_id: call.id, content: output };
}

const load = await fromConfig({
  mcpServers: { notes: { command: "node", args: ["examples/notes-server.mjs"] } },
});
try {
  console.log(JSON.stringify(load.tools.map(functionTool)[0]));
  const call = { id: "call-1", name: "notes_search", arguments: '{"query":"milk"}' };
  console.log(JSON.stringify(await toolMessage(load, call)));
  console.log(JSON.stringify(await toolMessage(load, { ...call, name: "notes_find" })));
} finally {
  await disconnectAll(load);
}
