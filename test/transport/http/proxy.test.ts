import { createServer } from "node:http";
import { connect } from "node:net";
import type { Socket } from "node:net";
import { afterEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { httpTransport } from "../../../src/transport/http/http-transport.ts";
import { wantsProxy } from "../../../src/transport/http/runtime.ts";
import { httpServerForTest, sendJson } from "../../support/http-server.ts";
import { failureOf } from "../../support/results.ts";
import { answerTo, openClient } from "./peer.ts";

/** A proxy that tunnels, or refuses with a status, and every address it was asked for. */
async function proxy(refusal?: string): Promise<{ url: string; asked: string[] }> {
  const asked: string[] = [];
  const sockets = new Set<Socket>();
  const server = createServer().on("connect", (request, socket: Socket) => {
    asked.push(request.url ?? "");
    sockets.add(socket.on("error", () => undefined));
    if (refusal !== undefined) return socket.end(`HTTP/1.1 ${refusal}\r\n\r\n`);
    const { hostname, port } = new URL(`http://${request.url ?? ""}`);
    const upstream = connect(Number(port), hostname, () => {
      socket.write("HTTP/1.1 200 OK\r\n\r\n");
      socket.pipe(upstream).pipe(socket);
    });
    sockets.add(upstream.on("error", () => undefined));
    return upstream;
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return { url: `http://127.0.0.1:${port}`, asked };
}

const serving = (): ReturnType<typeof httpServerForTest> =>
  httpServerForTest((seen, response) => sendJson(response, answerTo(seen)));

afterEach(() => vi.unstubAllEnvs());

describe("a proxy in the environment", () => {
  it.each(["http_proxy", "HTTP_PROXY"])("named by %s carries the calls", async (name) => {
    const { url, asked } = await proxy();
    const server = await serving();
    vi.stubEnv(name, url);
    const { call } = await openClient({ url: server.url, headers: { "x-key": "k" } });
    expect(await call("m")).toEqual({ ok: true });
    expect(await call("m")).toEqual({ ok: true });
    expect(asked).toContain(new URL(server.url).host);
    expect(server.seen[1]?.headers["x-key"]).toBe("k");
  });

  it("is passed by for the hosts of no_proxy", async () => {
    const { url, asked } = await proxy();
    const server = await serving();
    vi.stubEnv("http_proxy", url);
    vi.stubEnv("no_proxy", "127.0.0.1");
    expect(await (await openClient(server.url)).call("m")).toEqual({ ok: true });
    expect(asked).toEqual([]);
  });

  it("that refuses is a failure of its own", async () => {
    const { url } = await proxy("407 Proxy Authentication Required");
    vi.stubEnv("http_proxy", url);
    const { fail } = await openClient("http://127.0.0.1:1/mcp");
    expect(await fail("m")).toMatchObject({
      tag: "transport",
      reason: "proxy",
      maybeExecuted: false,
    });
  });

  it("that is no address is a failure of opening", async () => {
    vi.stubEnv("http_proxy", "::::");
    const inbound = { request: () => Promise.resolve(null), notification: () => undefined };
    const failure = failureOf(await httpTransport({ url: "http://127.0.0.1:1/" })(inbound, {}));
    expect(failure).toMatchObject({ tag: "transport", reason: "proxy" });
  });

  it("is wanted by a variable that is not empty", () => {
    expect(wantsProxy({ https_proxy: "http://127.0.0.1:1" })).toBe(true);
    expect(wantsProxy({ http_proxy: "", NO_PROXY: "*" })).toBe(false);
  });
});
