import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../src/json.ts";
import type { Connected } from "../../src/lifecycle/records.ts";
import {
  addKnownTools,
  clearKnownTools,
  removeKnownTools,
} from "../../src/operations/known-tools.ts";
import { saveSession } from "../../src/operations/saved-session.ts";
import { callTool, listTools } from "../../src/operations/tools.ts";
import { failureOf, valueOf } from "../support/results.ts";
import { connectedTo, peerOf } from "./peer.ts";
import type { Peer } from "./peer.ts";

const version = "2026-07-28";

/** A tool whose argument `a` travels in a header, too. */
const mirrored = (name: string, header = "A"): JsonObject => ({
  name,
  inputSchema: { type: "object", properties: { a: { type: "string", "x-mcp-header": header } } },
});

const BAD: readonly JsonObject[] = [
  mirrored("x", ""),
  mirrored("x", "not a token"),
  { name: "x", inputSchema: { type: "object", items: mirrored("y")["inputSchema"] ?? null } },
  { name: "", inputSchema: {} },
  { inputSchema: {} },
  { name: "x" },
];

function listingPeer(tools: { current: readonly JsonObject[] }): Peer {
  return peerOf(
    {
      "tools/list": () => ({ tools: tools.current }),
      "tools/call": () => ({ content: [] }),
    },
    { version },
  );
}

/** The parameter headers of a call. */
async function headersOf(peer: Peer, connection: Connected, name: string): Promise<JsonObject> {
  valueOf(await callTool(connection, name, { a: "v" }));
  const headers = peer.sent.at(-1)?.headers ?? {};
  return Object.fromEntries(
    Object.entries(headers).filter(([key]) => key.startsWith("Mcp-Param-")),
  );
}

describe("known tools", () => {
  it("have their headers sent though they were never listed", async () => {
    const peer = listingPeer({ current: [] });
    const connection = await connectedTo(peer);
    expect(await headersOf(peer, connection, "t")).toEqual({});
    expect(addKnownTools(connection, [mirrored("t")])).toEqual({
      ok: true,
      value: { added: ["t"] },
    });
    expect(await headersOf(peer, connection, "t")).toEqual({ "Mcp-Param-A": "v" });
    expect(valueOf(await listTools(connection)).tools).toEqual([]);
    expect(await headersOf(peer, connection, "t")).toEqual({ "Mcp-Param-A": "v" });
  });

  it("are the later ones of two under one name, and a listed one comes first", async () => {
    const tools = { current: [] as JsonObject[] };
    const peer = listingPeer(tools);
    const connection = await connectedTo(peer);
    valueOf(addKnownTools(connection, [mirrored("t", "First")]));
    valueOf(addKnownTools(connection, [mirrored("t", "Second")]));
    expect(await headersOf(peer, connection, "t")).toEqual({ "Mcp-Param-Second": "v" });
    tools.current = [mirrored("t", "Listed")];
    valueOf(await listTools(connection));
    expect(await headersOf(peer, connection, "t")).toEqual({ "Mcp-Param-Listed": "v" });
    tools.current = [mirrored("t", "")];
    valueOf(await listTools(connection));
    expect(await headersOf(peer, connection, "t")).toEqual({ "Mcp-Param-Second": "v" });
  });

  it("are added all or not at all, for any mixture", async () => {
    const peer = listingPeer({ current: [] });
    const connection = await connectedTo(peer);
    const good = fc.constantFrom("a", "b", "c").map((name) => mirrored(name));
    const bad = fc.oneof(fc.constantFrom(...BAD), fc.anything() as fc.Arbitrary<JsonObject>);
    await fc.assert(
      fc.asyncProperty(fc.array(fc.oneof({ arbitrary: good, weight: 4 }, bad)), async (tools) => {
        const before = valueOf(saveSession(connection)).knownTools;
        const added = addKnownTools(connection, tools);
        const after = valueOf(saveSession(connection)).knownTools;
        if (!added.ok) {
          expect(added.failure).toMatchObject({ tag: "invalid-argument", maybeExecuted: false });
          expect(after).toEqual(before);
        } else {
          const names = after.map(({ name }) => name);
          expect(names).toEqual(expect.arrayContaining([...added.value.added]));
          expect(added.value.added).toHaveLength(tools.length);
        }
      }),
    );
  });

  it("name each bad definition with its place", async () => {
    const connection = await connectedTo(listingPeer({ current: [] }));
    const added = addKnownTools(connection, [
      mirrored("good"),
      mirrored("bad", ""),
      { name: "worse" },
    ]);
    expect(failureOf(added)).toMatchObject({
      detail: '[1] "bad": x-mcp-header at a: is empty; [2] "worse" has no input schema',
    });
  });

  it("are removed by name, while what the server lists keeps its headers", async () => {
    const peer = listingPeer({ current: [mirrored("listed")] });
    const connection = await connectedTo(peer);
    valueOf(addKnownTools(connection, [mirrored("known")]));
    const removed = valueOf(removeKnownTools(connection, ["listed", "known", "neither"]));
    expect(removed).toEqual({ removed: ["known"] });
    expect(await headersOf(peer, connection, "listed")).toEqual({ "Mcp-Param-A": "v" });
    expect(await headersOf(peer, connection, "known")).toEqual({});
    expect(failureOf(removeKnownTools(connection, [1] as never)).tag).toBe("invalid-argument");
  });

  it("are all removed at once, while what the server lists keeps its headers", async () => {
    const peer = listingPeer({ current: [mirrored("listed")] });
    const connection = await connectedTo(peer);
    valueOf(addKnownTools(connection, [mirrored("known")]));
    valueOf(clearKnownTools(connection));
    expect(await headersOf(peer, connection, "listed")).toEqual({ "Mcp-Param-A": "v" });
    expect(await headersOf(peer, connection, "known")).toEqual({});
  });

  it("keep their headers while a list is on its way and when it fails half-way", async () => {
    let isBroken = false;
    const seen: JsonObject[] = [];
    const peer = peerOf(
      {
        "tools/call": () => ({ content: [] }),
        "tools/list": async ({ params }) => {
          if (!isBroken) return { tools: [mirrored("t")] };
          seen.push(await headersOf(peer, connection, "t"));
          const error = { code: -32603, message: "no" };
          return params["cursor"] === undefined ? { tools: [], nextCursor: "n" } : { error };
        },
      },
      { version },
    );
    const connection: Connected = await connectedTo(peer);
    isBroken = true;
    expect(failureOf(await listTools(connection)).tag).toBe("rpc-error");
    seen.push(await headersOf(peer, connection, "t"));
    expect(seen).toEqual([1, 2, 3].map(() => ({ "Mcp-Param-A": "v" })));
  });

  it("need a connection", () => {
    for (const made of [
      addKnownTools({} as never, []),
      removeKnownTools({} as never, []),
      clearKnownTools({} as never),
    ]) {
      expect(failureOf(made).tag).toBe("invalid-argument");
    }
  });
});
