// A small MCP server without dependencies: notes in memory, over stdio, one JSON message a line.
import { createInterface } from "node:readline";

const notes = ["buy milk", "call Ada"];

const tools = {
  add: {
    description: "Keeps a note.",
    argument: "text",
    run: ({ text }) => `kept as number ${notes.push(text)}`,
  },
  search: {
    description: "Finds the notes that contain a text.",
    argument: "query",
    run: ({ query }) => notes.filter((note) => note.includes(query)).join("\n") || "no such note",
  },
  clear: {
    description: "Deletes every note, after asking the person.",
    run: async () => {
      const answer = await ask(`Delete all ${notes.length} notes?`);
      if (answer.action !== "accept" || !answer.content.sure) return "kept everything";
      return `deleted ${notes.splice(0).length} notes`;
    },
  },
};

function definition([name, { description, argument }]) {
  const properties = argument === undefined ? {} : { [argument]: { type: "string" } };
  const inputSchema = { type: "object", properties, required: Object.keys(properties) };
  return { name, description, inputSchema };
}

const methods = {
  initialize: ({ protocolVersion, capabilities }) => {
    canAsk = capabilities.elicitation !== undefined;
    const serverInfo = { name: "notes", version: "1.0.0" };
    return { protocolVersion, capabilities: { tools: {} }, serverInfo };
  },
  ping: () => ({}),
  "tools/list": () => ({ tools: Object.entries(tools).map(definition) }),
  "tools/call": async ({ name, arguments: args }) => {
    if (tools[name] === undefined) throw new Error(`there is no tool ${name}`);
    const text = await tools[name].run(args);
    return { content: [{ type: "text", text }] };
  },
};

// A server may send requests too: this one asks the person behind the client.
let canAsk = false;
const waiting = new Map();

function ask(message) {
  if (!canAsk) return { action: "cancel" };
  const id = `ask-${waiting.size + 1}`;
  const requestedSchema = { type: "object", properties: { sure: { type: "boolean" } } };
  send({ id, method: "elicitation/create", params: { message, requestedSchema } });
  return new Promise((resolve) => waiting.set(id, resolve));
}

async function answer({ id, method, params }) {
  if (methods[method] === undefined) {
    return send({ id, error: { code: -32601, message: "Method not found" } });
  }
  try {
    send({ id, result: await methods[method](params ?? {}) });
  } catch (error) {
    send({ id, error: { code: -32602, message: String(error) } });
  }
}

function send(message) {
  process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
}

for await (const line of createInterface({ input: process.stdin })) {
  const message = JSON.parse(line);
  if (message.method === undefined) waiting.get(message.id)?.(message.result ?? {});
  else if (message.id !== undefined) void answer(message);
}
