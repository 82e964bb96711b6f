/**
 * The libraries an HTTP connection needs, loaded when the first one opens, and its pool of sockets.
 */
import type * as Zlib from "node:zlib";
import type { createParser } from "eventsource-parser";
import type * as Undici from "undici";
import type { Dispatcher } from "undici";
import { err, ok } from "../../failure.ts";
import type { Result } from "../../failure.ts";
import { ownSockets, sharedSockets } from "./sockets.ts";
import type { Sockets } from "./sockets.ts";

/** What an HTTP connection runs on. */
export interface HttpRuntime {
  readonly sockets: Sockets;
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
  const sockets = own === undefined ? createSockets(undici) : ok(sharedSockets(own, false));
  if (!sockets.ok) return sockets;
  return ok({ sockets: sockets.value, zlib, createParser: parser.createParser });
}

/** Connecting takes as long as the request's budget allows: undici's own limit would cut it short. */
const CONNECT = { timeout: 0 };
const NO_CLOCKS = { headersTimeout: 0, bodyTimeout: 0 };

function createSockets(undici: typeof Undici): Result<Sockets> {
  if (wantsProxy(process.env)) return proxiedSockets(undici);
  // One connector for all, so that they share the sessions of TLS.
  const connect = undici.buildConnector(CONNECT);
  return ok(ownSockets((origin) => new undici.Client(origin, { ...NO_CLOCKS, connect })));
}

function proxiedSockets(undici: typeof Undici): Result<Sockets> {
  try {
    const connect = { connect: CONNECT, proxyTls: CONNECT, requestTls: CONNECT };
    const agent = new undici.EnvHttpProxyAgent({ ...NO_CLOCKS, ...connect });
    return ok(sharedSockets(agent, true));
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
