/**
 * The libraries an HTTP connection needs, loaded when the first one opens, and its pool of sockets.
 */
import type * as Zlib from "node:zlib";
import type { createParser } from "eventsource-parser";
import type * as Undici from "undici";
import type { Dispatcher } from "undici";
import { err, ok } from "../../failure.ts";
import type { Result } from "../../failure.ts";

/** What an HTTP connection runs on. */
export interface HttpRuntime {
  readonly dispatcher: Dispatcher;
  /** Whether the sockets are this connection's own, to be destroyed with it. */
  readonly ownsDispatcher: boolean;
  readonly zlib: typeof Zlib;
  readonly createParser: typeof createParser;
}

/**
 * Loads what is needed and makes the sockets' pool, unless the caller has one; a proxy variable that
 * is no address is a `transport` failure (proxy).
 */
export async function loadRuntime(own: Dispatcher | undefined): Promise<Result<HttpRuntime>> {
  const [undici, zlib, parser] = await Promise.all([
    import("undici"),
    import("node:zlib"),
    import("eventsource-parser"),
  ]);
  const dispatcher = own === undefined ? createDispatcher(undici, process.env) : ok(own);
  if (!dispatcher.ok) return dispatcher;
  return ok({
    dispatcher: dispatcher.value,
    ownsDispatcher: own === undefined,
    zlib,
    createParser: parser.createParser,
  });
}

/** Connecting takes as long as the request's budget allows: undici's own limit would cut it short. */
const CONNECT = { timeout: 0 };

/**
 * The number of connections is not capped: a capped pool would queue the answer to a server's
 * request behind the very stream that waits for it.
 */
function createDispatcher(undici: typeof Undici, env: NodeJS.ProcessEnv): Result<Dispatcher> {
  const options = { connect: CONNECT, headersTimeout: 0, bodyTimeout: 0 };
  if (!wantsProxy(env)) return ok(new undici.Agent(options));
  try {
    const tls = { proxyTls: CONNECT, requestTls: CONNECT };
    return ok(new undici.EnvHttpProxyAgent({ ...options, ...tls }));
  } catch {
    const detail = "the environment names a proxy that is no address";
    return err({ tag: "transport", reason: "proxy", detail });
  }
}

/** Whether the environment names a proxy; `no_proxy` is then read by undici. */
export function wantsProxy(env: Readonly<Record<string, string | undefined>>): boolean {
  const names = ["http_proxy", "HTTP_PROXY", "https_proxy", "HTTPS_PROXY"];
  return names.some((name) => (env[name] ?? "") !== "");
}
