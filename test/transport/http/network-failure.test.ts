import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer as createTlsServer } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it, onTestFinished } from "vitest";
import { isFailedWrite, networkFailure } from "../../../src/transport/http/network-failure.ts";
import { anyText } from "../../support/arbitraries.ts";
import { openClient, rawServer } from "./peer.ts";

function coded(code: string, message = "text"): Error {
  return Object.assign(new Error(message), { code });
}

describe("an error of the network", () => {
  it.each([
    ["ENOTFOUND", "unsent", "dns"],
    ["EAI_AGAIN", "unsent", "dns"],
    ["ECONNREFUSED", "unsent", "connect-failed"],
    ["EHOSTUNREACH", "unsent", "connect-failed"],
    ["ENETUNREACH", "unsent", "connect-failed"],
    ["ETIMEDOUT", "unsent", "connect-failed"],
    ["DEPTH_ZERO_SELF_SIGNED_CERT", "unsent", "tls"],
    ["CERT_HAS_EXPIRED", "unsent", "tls"],
    ["ERR_TLS_CERT_ALTNAME_INVALID", "unsent", "tls"],
    ["ERR_SSL_WRONG_VERSION_NUMBER", "unsent", "tls"],
    ["UNABLE_TO_VERIFY_LEAF_SIGNATURE", "unsent", "tls"],
    ["EPROTO", "unsent", "tls"],
    ["ECONNRESET", "sent", "reset"],
    ["EPIPE", "sent", "reset"],
    ["UND_ERR_SOCKET", "sent", "reset"],
    ["ECONNRESET", "streaming", "reset"],
    ["UND_ERR_SOCKET", "streaming", "stream-failed"],
    ["HPE_INVALID_CONSTANT", "sent", "stream-failed"],
  ] as const)("%s when %s is %s", (code, stage, reason) => {
    expect(networkFailure(coded(code), stage)).toEqual({
      tag: "transport",
      reason,
      code,
      detail: "text",
    });
  });

  it("of both addresses of a host speaks through the errors inside", () => {
    const inner = [
      coded("ECONNREFUSED", "connect ::1"),
      coded("ECONNREFUSED", "connect 127.0.0.1"),
    ];
    const both = new AggregateError(inner, "");
    expect(networkFailure(both)).toEqual({
      tag: "transport",
      reason: "connect-failed",
      code: "ECONNREFUSED",
      detail: "connect ::1; connect 127.0.0.1",
    });
  });

  it("that is wrapped speaks through its cause", () => {
    const wrapped = new Error("fetch failed", { cause: coded("ENOTFOUND", "no such host") });
    expect(networkFailure(wrapped)).toMatchObject({ reason: "dns", detail: "no such host" });
  });

  it("of a proxy that refuses to tunnel is its own reason", () => {
    const refused = coded("UND_ERR_ABORTED", "Proxy response (407) !== 200 when HTTP Tunneling");
    expect(networkFailure(refused)).toMatchObject({ reason: "proxy" });
  });

  it("gives a failure, for anything that can be thrown", () => {
    fc.assert(
      fc.property(fc.oneof(fc.anything(), anyText()), (thrown) => {
        const failure = networkFailure(thrown);
        expect(failure.tag).toBe("transport");
        expect(failure.detail).not.toBe("");
        expect(typeof isFailedWrite(thrown)).toBe("boolean");
      }),
    );
  });

  it("proves that nothing arrived only when the write itself failed", () => {
    const write = Object.assign(coded("EPIPE"), { syscall: "write" });
    const read = Object.assign(coded("ECONNRESET"), { syscall: "read" });
    expect([isFailedWrite(write), isFailedWrite(read)]).toEqual([true, false]);
  });
});

describe("a peer that", () => {
  it("refuses the connection", async () => {
    const client = await openClient("http://127.0.0.1:1/mcp");
    expect(await client.fail("initialize")).toMatchObject({
      tag: "transport",
      reason: "connect-failed",
      code: "ECONNREFUSED",
      maybeExecuted: false,
    });
  });

  it("refuses it on each address of a name", async () => {
    const client = await openClient("http://localhost:1/mcp");
    const failure = await client.fail("initialize");
    expect(failure).toMatchObject({ reason: "connect-failed", code: "ECONNREFUSED" });
  });

  it("shows a certificate nobody vouches for", async () => {
    const client = await openClient(await tlsServer());
    expect(await client.fail("initialize")).toMatchObject({
      tag: "transport",
      reason: "tls",
      code: "DEPTH_ZERO_SELF_SIGNED_CERT",
      maybeExecuted: false,
    });
  });

  it("does not speak HTTP", async () => {
    const client = await openClient(await rawServer((socket) => socket.end("SSH-2.0-x\r\n")));
    expect(await client.fail("initialize")).toMatchObject({
      tag: "transport",
      reason: "stream-failed",
      maybeExecuted: true,
    });
  });

  it("hangs up before the answer", async () => {
    const client = await openClient(await rawServer((socket) => socket.destroy()));
    expect(await client.fail("tools/call")).toMatchObject({
      tag: "transport",
      reason: "reset",
      maybeExecuted: true,
    });
  });

  it("hangs up in the middle of a body", async () => {
    const head = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 99\r\n\r\n{";
    const client = await openClient(await rawServer((socket) => socket.end(head)));
    expect(await client.fail("tools/call")).toMatchObject({
      tag: "transport",
      reason: "stream-failed",
    });
  });

  it("sends early hints first is heard", async () => {
    const body = '{"jsonrpc":"2.0","id":1,"result":{}}';
    const head = `HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\nHTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n`;
    const client = await openClient(await rawServer((socket) => socket.write(head + body)));
    expect(await client.call("m")).toEqual({});
  });
});

async function tlsServer(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "mcp-source-tls-"));
  const [key, cert] = [join(folder, "key.pem"), join(folder, "cert.pem")];
  const curve = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1"];
  const args = ["req", "-x509", ...curve, "-nodes", "-days", "2", "-subj", "/CN=127.0.0.1"];
  execFileSync("openssl", [...args, "-keyout", key, "-out", cert], { stdio: "ignore" });
  const server = createTlsServer({ key: readFileSync(key), cert: readFileSync(cert) });
  rmSync(folder, { recursive: true });
  server.on("tlsClientError", () => undefined);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const address = server.address();
  return `https://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}/mcp`;
}
