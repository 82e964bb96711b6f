// So many servers over HTTP in a process of its own, each on a port of its own: node http-servers.mjs 500
// Prints their URLs as one line of JSON; afterwards answers each line on stdin with the number of
// sockets that are open, and ends with stdin.
import { createServer } from "node:http";
import { createInterface } from "node:readline";

const RESULTS = {
  initialize: {
    protocolVersion: "2025-11-25",
    capabilities: { tools: {} },
    serverInfo: { name: "http", version: "1" },
  },
  "tools/list": { tools: [{ name: "t", inputSchema: { type: "object" } }] },
  "tools/call": { content: [{ type: "text", text: "hi" }] },
};

const sockets = new Set();
const servers = await Promise.all(Array.from({ length: Number(process.argv[2]) }, listen));
const urls = servers.map((server) => `http://127.0.0.1:${server.address().port}/mcp`);
process.stdout.write(`${JSON.stringify(urls)}\n`);
const questions = createInterface({ input: process.stdin });
questions.on("line", () => process.stdout.write(`${sockets.size}\n`));
questions.on("close", () => process.exit(0));

function listen() {
  const server = createServer((request, response) => {
    if (request.method !== "POST") return response.writeHead(405).end();
    let body = "";
    request.setEncoding("utf8").on("data", (text) => (body += text));
    request.on("end", () => answer(JSON.parse(body), response));
  });
  server.keepAliveTimeout = 60_000;
  server.on("connection", (socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined).once("close", () => sockets.delete(socket));
  });
  return new Promise((resolve) => {
    server.listen(0, "127.0.0.1", () => resolve(server));
  });
}

function answer({ id, method }, response) {
  if (id === undefined) return response.writeHead(202).end();
  const result = RESULTS[method];
  const error = { code: -32601, message: "Method not found" };
  const message = { jsonrpc: "2.0", id, ...(result === undefined ? { error } : { result }) };
  response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(message));
}
