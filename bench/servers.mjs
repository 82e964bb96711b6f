// The peers of the benchmark: the least that answers, over stdio (no argument) or HTTP (argument "http").
import { createServer } from "node:http";

const TOOL = { name: "echo", inputSchema: { type: "object" } };
const AGREED = {
  protocolVersion: "2025-11-25",
  capabilities: { tools: {} },
  serverInfo: { name: "bench", version: "1" },
};

function resultOf({ method, params }) {
  if (method === "initialize") return AGREED;
  if (method === "tools/list") return { tools: [TOOL] };
  const { bytes, text } = params.arguments;
  return { content: [{ type: "text", text: bytes === undefined ? text : "x".repeat(bytes) }] };
}

function answer(line) {
  const message = JSON.parse(line);
  if (message.id === undefined) return "";
  return JSON.stringify({ jsonrpc: "2.0", id: message.id, result: resultOf(message) });
}

function serveStdio() {
  let rest = "";
  process.stdin.setEncoding("utf8");
  process.stdin.on("data", (chunk) => {
    const lines = (rest + chunk).split("\n");
    rest = lines.pop();
    const answers = lines.map(answer).filter((text) => text !== "");
    if (answers.length > 0) process.stdout.write(`${answers.join("\n")}\n`);
  });
}

function serveHttp() {
  const server = createServer((request, response) => {
    let body = "";
    request.setEncoding("utf8");
    request.on("data", (chunk) => (body += chunk));
    request.on("end", () => {
      const text = body === "" ? "" : answer(body);
      if (text === "") response.writeHead(202).end();
      else response.writeHead(200, { "content-type": "application/json" }).end(text);
    });
  });
  server.listen(0, "127.0.0.1", () => {
    process.stdout.write(`http://127.0.0.1:${server.address().port}/mcp\n`);
  });
  process.stdin.resume().on("end", () => process.exit(0));
}

if (process.argv[2] === "http") serveHttp();
else serveStdio();
