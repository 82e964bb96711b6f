import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../src/json.ts";
import { callTool, listTools, refresh, rename, withMeta } from "../../src/operations/tools.ts";
import { failureOf, valueOf } from "../support/results.ts";
import { ERAS, connectedTo, peerOf } from "./peer.ts";
import type { Peer, PeerScript } from "./peer.ts";

const tool = (name: string, more: JsonObject = {}): JsonObject => ({
  name,
  inputSchema: { type: "object", ...more },
});

/** A server whose tools can be changed. */
function changing(version: string, script: PeerScript = {}): { peer: Peer; tools: JsonObject[] } {
  const tools: JsonObject[] = [];
  const peer = peerOf(
    {
      "tools/list": ({ params }) =>
        tools.length > 1 && params["cursor"] === undefined
          ? { tools: tools.slice(0, 1), nextCursor: "rest" }
          : { tools: params["cursor"] === undefined ? tools : tools.slice(1) },
      ...script,
    },
    { version },
  );
  return { peer, tools };
}

describe.each(ERAS)("the tools of a server in the $era era", ({ version }) => {
  it("are listed anew in the server's order, page by page", async () => {
    const { peer, tools } = changing(version);
    const connection = await connectedTo(peer);
    tools.push(tool("z"), tool("b"), tool("a"));
    const listed = valueOf(await listTools(connection));
    expect(listed.tools.map(({ remoteName }) => remoteName)).toEqual(["z", "b", "a"]);
    expect(listed).toMatchObject({ rejected: [], pages: 2 });
    expect(connection.tools).toEqual([]);
  });

  it("are on a new record after refresh, and the old one still works", async () => {
    const called: unknown[] = [];
    const { peer, tools } = changing(version, {
      "tools/call": ({ params }) => {
        called.push(params["name"]);
        return { content: [] };
      },
    });
    tools.push(tool("old"));
    const connection = await connectedTo(peer);
    tools.push(tool("new"));
    const fresh = valueOf(await refresh(connection));
    expect(connection.tools.map(({ name }) => name)).toEqual(["peer_old"]);
    expect(fresh.tools.map(({ name }) => name)).toEqual(["peer_new", "peer_old"]);
    await connection.tools[0]?.execute();
    await fresh.tools[0]?.execute();
    expect(called).toEqual(["old", "new"]);
    expect(valueOf(await refresh(fresh)).tools).toHaveLength(2);
  });

  it("keep the names they had, and a new one takes no name that is given", async () => {
    const { peer, tools } = changing(version);
    tools.push(tool("a b"));
    const connection = await connectedTo(peer);
    expect(connection.tools.map(({ name }) => name)).toEqual(["peer_a_b"]);
    tools.push(tool("a_b"));
    const fresh = valueOf(await refresh(connection));
    const names = new Map(fresh.tools.map(({ remoteName, name }) => [remoteName, name]));
    expect(names.get("a b")).toBe("peer_a_b");
    expect(names.get("a_b")).toMatch(/^peer_a_b_[0-9a-f]{8}$/);
  });

  it("stay what they were when a list fails half-way", async () => {
    const error = { code: -32603, message: "no more" };
    let isBroken = false;
    const peer = peerOf(
      {
        "tools/list": ({ params }) => {
          if (params["cursor"] !== undefined) return { error };
          return isBroken ? { tools: [tool("x")], nextCursor: "n" } : { tools: [tool("old")] };
        },
      },
      { version },
    );
    const connection = await connectedTo(peer);
    isBroken = true;
    expect(failureOf(await refresh(connection))).toMatchObject({ tag: "rpc-error", ...error });
    expect(connection.tools.map(({ remoteName }) => remoteName)).toEqual(["old"]);
  });
});

describe("tools whose parameter headers are broken", () => {
  const broken = { properties: { a: { type: "string", "x-mcp-header": "" } } };

  it("are rejected with their reason over HTTP since 2026-07-28, and the others stay", async () => {
    const { peer, tools } = changing("2026-07-28");
    tools.push(tool("bad", broken), tool("good"));
    const listed = valueOf(await listTools(await connectedTo(peer)));
    expect(listed.tools.map(({ remoteName }) => remoteName)).toEqual(["good"]);
    expect(listed.rejected).toEqual([{ name: "bad", reason: "x-mcp-header at a: is empty" }]);
  });

  it("are tools like any other in the initialize era", async () => {
    const { peer, tools } = changing("2025-11-25");
    tools.push(tool("bad", broken));
    const listed = valueOf(await listTools(await connectedTo(peer)));
    expect(listed).toMatchObject({ tools: [{ remoteName: "bad" }], rejected: [] });
  });
});

describe.each(ERAS)("callTool in the $era era", ({ version }) => {
  it("gives the result as it came, an error of the tool included", async () => {
    const result = { content: [{ type: "new-kind", x: 1 }], isError: true, extra: null };
    const connection = await connectedTo(peerOf({ "tools/call": () => result }, { version }));
    expect(await callTool(connection, "t", { a: 1 })).toEqual({ ok: true, value: result });
  });

  it("takes a structured result without content, null too", async () => {
    const result = { structuredContent: null };
    const connection = await connectedTo(peerOf({ "tools/call": () => result }, { version }));
    expect(await callTool(connection, "")).toEqual({ ok: true, value: result });
  });

  it.each([
    ["a name that is no text", 7, {}],
    ["arguments that are a list", "t", []],
    ["arguments that are null", "t", null],
  ])("refuses %s and sends nothing", async (_, name, args) => {
    const peer = peerOf({}, { version });
    const connection = await connectedTo(peer);
    const failure = failureOf(await callTool(connection, name as never, args as never));
    expect(failure).toMatchObject({ tag: "invalid-argument", maybeExecuted: false });
    expect(peer.wire()).toEqual([]);
  });

  it("gives each of two calls its own progress, whatever its callback throws", async () => {
    const waiting: { token: unknown; finish: () => void }[] = [];
    const peer = peerOf(
      {
        "tools/call": ({ params }) =>
          new Promise((resolve) => {
            const meta = params["_meta"] as JsonObject;
            waiting.push({
              token: meta["progressToken"],
              finish: () => resolve({ content: [] }),
            });
          }),
      },
      { version },
    );
    const connection = await connectedTo(peer);
    const seen: string[] = [];
    const calls = ["a", "b"].map((name) =>
      callTool(
        connection,
        name,
        {},
        {
          onProgress: ({ progress }) => {
            seen.push(`${name}${progress}`);
            JSON.parse("{");
          },
        },
      ),
    );
    await Promise.resolve();
    const { until } = await import("../support/until.ts");
    await until("both calls arrived", () => waiting.length === 2);
    for (const progress of [1, 2]) {
      for (const { token } of waiting) {
        const params = { progressToken: token as string, progress };
        peer.send({ jsonrpc: "2.0", method: "notifications/progress", params });
      }
    }
    for (const { finish } of waiting) finish();
    expect((await Promise.all(calls)).every(({ ok }) => ok)).toBe(true);
    expect(seen).toEqual(["a1", "b1", "a2", "b2"]);
  });
});

describe("tools under other names and with more to say", () => {
  it("still call the server's own name, and the first record is unchanged", async () => {
    const seen: JsonObject[] = [];
    const { peer, tools } = changing("2025-11-25", {
      "tools/call": ({ params }) => {
        seen.push(params);
        return { content: [] };
      },
    });
    tools.push(tool("real"));
    const [first] = (await connectedTo(peer)).tools;
    if (first === undefined) return expect.fail("no tool");
    const renamed = rename(first, "short");
    expect(renamed.name).toBe("short");
    expect(first.name).toBe("peer_real");
    const marked = withMeta(renamed, { a: 1, b: 1 });
    await marked.execute({ x: 1 }, { meta: { b: 2 } });
    await renamed.execute();
    expect(seen).toEqual([
      { name: "real", arguments: { x: 1 }, _meta: { a: 1, b: 2 } },
      { name: "real", arguments: {} },
    ]);
  });
});
