// A server whose tokens run out: a helper command prints one, and a new one when it is refused.
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { disconnectAll, execute, fromConfig } from "mcp-source";
import type { Authorize, Result } from "mcp-source";

const server = spawn("node", ["examples/guarded-server.mjs"], {
  stdio: ["ignore", "pipe", "inherit"],
});
const [url] = await once(createInterface(server.stdout), "line");

/** What the helper prints; where it fails, that is the failure of the request. */
function readToken(args: readonly string[]): Promise<Result<string>> {
  const command = ["examples/token-helper.mjs", ...args];
  return new Promise((resolve) => {
    execFile("node", command, { timeout: 10_000 }, (error, stdout) => {
      const failure = { tag: "auth", detail: "the token helper failed" } as const;
      resolve(error === null ? { ok: true, value: stdout.trim() } : { ok: false, failure });
    });
  });
}

let token: string | null = null;

const authorize: Authorize = async ({ url: asked, operation, refused }) => {
  // The hook is asked for every HTTP server of the load: the token is for one of them.
  if (asked !== url) return { ok: true, value: { headers: [], used: null } };
  if (token === null || refused !== undefined) {
    if (refused !== undefined) console.log(`${operation}: refused with ${refused.status}`);
    const read = await readToken(refused === undefined ? [] : ["--renew"]);
    if (!read.ok) return read;
    token = read.value;
  }
  const headers = [["Authorization", `Bearer ${token}`]] as const;
  return { ok: true, value: { headers, used: "the helper's token" } };
};

const load = await fromConfig({ mcpServers: { vault: { url } } }, { authorize });
try {
  console.log(load.errors["vault"] ?? "connected");
  console.log((await execute(load, "vault_open")).output);
} finally {
  await disconnectAll(load);
  server.kill();
}
