// A server over Streamable HTTP that wants a bearer token; prints its address when it listens.
import { createServer } from "node:http";

const TOKEN = "Bearer letmein-2";

const results = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: "vault", version: "1.0.0" },
  }),
  "tools/list": () => ({
    tools: [{ name: "open", description: "Opens the vault.", inputSchema: { type: "object" } }],
  }),
  "tools/call": () => ({ content: [{ type: "text", text: "a hundred coins" }] }),
};

function answer({ id, method, params }) {
  const result = results[method]?.(params);
  if (result !== undefined) return { jsonrpc: "2.0", id, result };
  return { jsonrpc: "2.0", id, error: { code: -32601, message: "Method not found" } };
}

async function respond(request, response) {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  if (request.headers.authorization !== TOKEN) {
    return response.writeHead(401, { "WWW-Authenticate": 'Bearer error="invalid_token"' }).end();
  }
  if (request.method !== "POST") return response.writeHead(405).end();
  const message = JSON.parse(Buffer.concat(chunks).toString("utf8"));
  if (message.id === undefined) return response.writeHead(202).end();
  response.writeHead(200, { "Content-Type": "application/json" });
  return response.end(JSON.stringify(answer(message)));
}

const server = createServer((request, response) => void respond(request, response));
server.listen(0, "127.0.0.1", () => {
  process.stdout.write(`http://127.0.0.1:${server.address().port}/mcp\n`);
});
