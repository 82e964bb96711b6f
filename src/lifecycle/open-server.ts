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
import type { HttpServerSpec } from "../transport/http/server-spec.ts";
import { sseTransport } from "../transport/sse/sse-transport.ts";
import { childEnv } from "../transport/stdio/child-env.ts";
import { stdioTransport } from "../transport/stdio/stdio-transport.ts";
import type { OpenTransport } from "../transport/transport.ts";
import { emit } from "./inbox.ts";
import type { Inbox } from "./inbox.ts";
import type { Target } from "./read-arguments.ts";
import type { ConnectOptions } from "./records.ts";

/** How a server is reached. */
export interface Ways {
  readonly open: OpenTransport;
  /** The older transport, for a server that refuses the first as an address it does not know. */
  readonly fallback: OpenTransport | null;
  readonly isRemote: boolean;
}

/** What is opened, and who is told of its secrets. */
export interface Opening {
  readonly target: Target;
  readonly options: ConnectOptions;
  readonly inbox: Inbox;
}

/**
 * The ways to a target, with its variables expanded; `config` when that cannot be done.
 *
 * @param sessionId - A session known from before, to go on with.
 */
export function openServer(
  { target, options, inbox }: Opening,
  sessionId: string | null = null,
): Result<Ways> {
  if (target.open !== null) return ok(only(guardedOpen(target.open, target.timeoutMs)));
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
  inbox.hide(redact);
  if (server.url === undefined || server.kind !== "remote") {
    const onStderr = (line: string): void =>
      emit(options, { kind: "stderr", server: server.name, line });
    return ok(only(stdioTransport({ ...stdioSpec(server, env, redact), onStderr })));
  }
  const { authorize, ownsSession } = options;
  const spec = {
    url: server.url,
    headers: server.headers ?? {},
    redact,
    ...(authorize === undefined ? {} : { authorize }),
    ...(ownsSession === undefined ? {} : { ownsSession }),
    ...(sessionId === null ? {} : { sessionId }),
  };
  return ok(remoteWays(server.transport, spec));
}

function only(open: OpenTransport): Ways {
  return { open, fallback: null, isRemote: false };
}

function remoteWays(transport: ServerConfig["transport"], spec: HttpServerSpec): Ways {
  if (transport === "sse") return { open: sseTransport(spec), fallback: null, isRemote: true };
  const fallback = transport === "http" ? null : sseTransport(spec);
  return { open: httpTransport(spec), fallback, isRemote: true };
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
