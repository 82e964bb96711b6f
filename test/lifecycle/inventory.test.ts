import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../src/json.ts";
import { inventory } from "../../src/lifecycle/inventory.ts";
import { counted, listing, silent } from "../support/memory-server.ts";
import { fact } from "../support/until.ts";

const SCHEMA = { type: "object" };

describe("an inventory", () => {
  it("lists by original names, unfiltered and sorted, and has disconnected (C070, C071, C072)", async () => {
    const { open, counts } = counted(listing(["z/a", "a b", "B"]));
    const found = await inventory({ mcpServers: { "my srv": { open, tools: { "a b": true } } } });
    const tool = (name: string): object => ({ name, description: "", inputSchema: SCHEMA });
    expect(found.tools).toEqual({ "my srv": [tool("B"), tool("a b"), tool("z/a")] });
    expect(found.statuses).toEqual({ "my srv": "connected" });
    expect(counts).toEqual({ opened: 1, closed: 1 });
  });

  it("has no tools key for a server that failed or is disabled (C073, C074)", async () => {
    const found = await inventory({
      mcpServers: {
        bad: {},
        off: { open: listing(["a"]), disabled: true },
        none: { open: listing([]) },
      },
    });
    expect(Object.keys(found.tools)).toEqual(["none"]);
    expect(found.statuses).toEqual({ bad: "failed", none: "connected", off: "disabled" });
    expect(Object.keys(found.errors)).toEqual(["bad"]);
    expect(found.failure).toBeNull();
  });

  it("is one failure when it is aborted, and everything is closed (C074)", async () => {
    const controller = new AbortController();
    const reached = fact<void>();
    const first = counted(listing(["a"]));
    const second = counted(
      listing([], {
        "tools/list": () => {
          reached.resolve();
          return new Promise(() => undefined);
        },
      }),
    );
    const servers = { a: { open: first.open }, b: { open: second.open } };
    const finding = inventory({ mcpServers: servers }, { signal: controller.signal });
    await reached.promise;
    controller.abort();
    expect(await finding).toMatchObject({ failure: { tag: "cancelled" }, tools: {}, statuses: {} });
    expect(first.counts.closed).toBeGreaterThan(0);
    expect(second.counts.closed).toBeGreaterThan(0);
  });

  it("tells no server that it may ask something (C075)", async () => {
    const offers: JsonObject[] = [];
    const open = listing(["a"], {
      initialize: (params) => {
        offers.push(params);
        return { protocolVersion: "2025-11-25", capabilities: { tools: {} } };
      },
    });
    const waitFor = (): never => {
      throw new Error("nobody asks here");
    };
    await inventory({ mcpServers: { a: { open } } }, { waitFor });
    expect(offers.map(({ capabilities }) => JSON.stringify(capabilities))).toEqual(["{}"]);
  });

  it("says which names of a filter match nothing, by server (C076)", async () => {
    const found = await inventory({
      mcpServers: {
        a: { open: listing(["x", "y"]), tools: { x: true, zz: true, gone: true } },
        b: { open: listing(["x"]), tools: { x: false } },
      },
    });
    expect(found.unmatched).toEqual({ a: ["gone", "zz"] });
  });

  it("is bounded by each server's own time", async () => {
    const found = await inventory({
      mcpServers: { hung: { open: silent(), timeout: 30 }, live: { open: listing(["a"]) } },
    });
    expect(found.statuses).toEqual({ hung: "failed", live: "connected" });
  });

  it("says what is wrong with its arguments", async () => {
    expect((await inventory("{")).failure).toMatchObject({ tag: "config" });
    expect((await inventory({}, { concurrency: 0 })).failure).toMatchObject({
      tag: "invalid-argument",
    });
  });

  it("ignores that a server is required: there is nothing to keep open", async () => {
    const found = await inventory({
      mcpServers: { need: { required: true }, live: { open: listing(["a"]) } },
    });
    expect(found.failure).toBeNull();
    expect(Object.keys(found.tools)).toEqual(["live"]);
  });
});
