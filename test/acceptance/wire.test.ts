/**
 * What goes over the wire of a load in the initialize era, byte by byte.
 */
import { describe, expect, it, onTestFinished } from "vitest";
import { disconnectAll, fromConfig } from "../../src/index.ts";
import type { Load, LoadOptions } from "../../src/index.ts";
import { VERSION } from "../../src/lifecycle/version.ts";
import { LEGS } from "../support/legs.ts";
import type { Leg, Way } from "../support/legs.ts";

async function loadOver(
  way: Way,
  entry: object,
  options: LoadOptions = {},
): Promise<{ leg: Leg; load: Load }> {
  const leg = await way.start();
  const load = await fromConfig({ mcpServers: { s: { ...leg.entry, ...entry } } }, options);
  onTestFinished(async () => {
    await disconnectAll(load);
    await leg.stop();
  });
  return { leg, load };
}

const CLIENT = `{"name":"mcp-source","version":"${VERSION}"}`;

describe.each(LEGS)("over $kind", (way) => {
  it("is the same, to the byte, when nobody can be asked (C008, C016, C027, C190, C206)", async () => {
    const { leg, load } = await loadOver(way, { era: "legacy" });
    expect(load.errors).toEqual({});
    expect(leg.wire()).toEqual([
      `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":${CLIENT}}}`,
      '{"jsonrpc":"2.0","method":"notifications/initialized"}',
      '{"jsonrpc":"2.0","id":2,"method":"tools/list"}',
      '{"jsonrpc":"2.0","id":3,"method":"tools/list","params":{"cursor":"second"}}',
    ]);
  });

  it("begins with one question about the era when that is not known", async () => {
    const { leg } = await loadOver(way, {});
    const methods = leg.wire().map((text) => /"method":"([^"]+)"/.exec(text)?.[1]);
    expect(methods).toEqual([
      "server/discover",
      "initialize",
      "notifications/initialized",
      "tools/list",
      "tools/list",
    ]);
    expect(leg.wire()[1]).toBe(
      `{"jsonrpc":"2.0","id":2,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":${CLIENT}}}`,
    );
  });

  it("carries what the caller says of itself (B01, B03, B04, C165)", async () => {
    const options: LoadOptions = {
      clientInfo: { name: "host", version: "7", title: "A host" },
      initializeMeta: { trace: "t1" },
      protocolVersion: "2025-06-18",
      waitFor: ({ id }) => ({ id, ok: false }),
    };
    const { leg, load } = await loadOver(way, {}, options);
    expect(leg.wire()[0]).toBe(
      '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18",' +
        '"capabilities":{"elicitation":{}},' +
        '"clientInfo":{"name":"host","version":"7","title":"A host"},"_meta":{"trace":"t1"}}}',
    );
    expect(load.connections[0]).toMatchObject({ protocolVersion: "2025-06-18" });
  });
});
