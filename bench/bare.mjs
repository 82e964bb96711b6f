// The bare loops that the library is measured against: no checks, no timeouts, no cancellation.
import { spawn } from "node:child_process";
import { Agent } from "undici";

const HELLO = {
  protocolVersion: "2025-11-25",
  capabilities: {},
  clientInfo: { name: "bare", version: "1" },
};

export async function bareStdio(command, args) {
  const child = spawn(command, args, { stdio: ["pipe", "pipe", "ignore"], detached: true });
  const waiting = new Map();
  let id = 0;
  let parts = [];
  child.stdout.on("data", (chunk) => {
    let from = 0;
    for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, from)) {
      const piece = chunk.subarray(from, end);
      const line = parts.length === 0 ? piece : Buffer.concat([...parts, piece]);
      parts = [];
      from = end + 1;
      const message = JSON.parse(line.toString("utf8"));
      waiting.get(message.id)?.(message);
      waiting.delete(message.id);
    }
    if (from < chunk.length) parts.push(chunk.subarray(from));
  });
  const rpc = (method, params) =>
    new Promise((resolve) => {
      waiting.set(++id, resolve);
      child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`);
    });
  await rpc("initialize", HELLO);
  child.stdin.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n');
  const call = (args) => rpc("tools/call", { name: "echo", arguments: args });
  return { call, close: () => child.stdin.end() };
}

export async function bareHttp(url) {
  const agent = new Agent();
  const { origin, pathname } = new URL(url);
  const headers = {
    "content-type": "application/json",
    accept: "application/json, text/event-stream",
  };
  let id = 0;
  const rpc = async (method, params) => {
    const body = JSON.stringify({ jsonrpc: "2.0", id: ++id, method, params });
    const answer = await agent.request({ origin, path: pathname, method: "POST", headers, body });
    return JSON.parse(await answer.body.text());
  };
  await rpc("initialize", HELLO);
  const call = (args) => rpc("tools/call", { name: "echo", arguments: args });
  return { call, close: () => agent.close() };
}
