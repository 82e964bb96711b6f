/**
 * From a server to the transport that reaches it: the one place that chooses.
 */
import { homedir } from "node:os";
import { expandServer } from "../config/expand-server.ts";
import { redactor } from "../config/redact.ts";
import type { ServerConfig } from "../config/server.ts";
import { err, ok } from "../failure.ts";
import type { Result } from "../failure.ts";
import { guardedOpen } from "../transport/guard.ts";
import { httpTransport } from "../transport/http/http-transport.ts";
import { childEnv } from "../transport/stdio/child-env.ts";
import { stdioTransport } from "../transport/stdio/stdio-transport.ts";
import type { OpenTransport } from "../transport/transport.ts";
import type { Target } from "./read-arguments.ts";
import type { ConnectOptions } from "./records.ts";

/** The transport for a target, with its variables expanded; `config` when that cannot be done. */
export function openServer(target: Target, options: ConnectOptions): Result<OpenTransport> {
  if (target.open !== null) return ok(guardedOpen(target.open, target.timeoutMs));
  if (target.server === null) return err({ tag: "config", detail: "there is nothing to open" });
  const env = options.env ?? process.env;
  const expanded = expandServer(target.server, {
    env,
    userHome: homedir(),
    baseDir: options.baseDir ?? process.cwd(),
    ...(options.inputs === undefined ? {} : { inputs: options.inputs }),
    ...(options.onUndefined === undefined ? {} : { onUndefined: options.onUndefined }),
  });
  if (!expanded.ok) return expanded;
  const { server, secrets } = expanded.value;
  const redact = redactor(secrets);
  if (server.url !== undefined && server.kind === "remote") {
    return ok(httpTransport({ url: server.url, headers: server.headers ?? {}, redact }));
  }
  return ok(stdioTransport(stdioSpec(server, env, redact)));
}

function stdioSpec(
  server: ServerConfig,
  parentEnv: Readonly<Record<string, string | undefined>>,
  redact: (text: string) => string,
): Parameters<typeof stdioTransport>[0] {
  const [command = "", ...args] = server.argv ?? [];
  return {
    command,
    args,
    env: childEnv(server.env ?? {}, server.inheritEnv ?? "safe", parentEnv, process.platform),
    redact,
    ...(server.cwd === undefined ? {} : { cwd: server.cwd }),
  };
}
