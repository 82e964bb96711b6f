import fc from "fast-check";
import { expect, it } from "vitest";
import { disconnect, disconnectAll } from "../../src/lifecycle/disconnect.ts";
import { fromConfig } from "../../src/lifecycle/from-config.ts";
import { counted, listing } from "../support/memory-server.ts";
import { connected } from "../support/results.ts";

it("ends one connection and leaves the others alone (C033)", async () => {
  const load = await fromConfig({
    mcpServers: { a: { open: listing(["x"]) }, b: { open: listing(["x"]) } },
  });
  await disconnect(load.connections[0]!);
  expect(await load.tools[0]!.execute()).toMatchObject({
    failure: { tag: "closed", by: "client" },
  });
  expect(await load.tools[1]!.execute()).toMatchObject({ isError: false });
  expect(await connected(load.connections[0]).closed).toMatchObject({ failure: null });
});

it("ends all of them, as often as it is asked, failed and disabled ones too (C022, C198)", async () => {
  const { open, counts } = counted(listing(["x"]));
  const load = await fromConfig({
    mcpServers: { a: { open }, bad: {}, off: { open, disabled: true } },
  });
  await disconnectAll(load);
  await disconnectAll(load);
  for (const connection of load.connections) await disconnect(connection);
  expect(counts.opened).toBe(1);
  expect(await load.tools[0]!.execute()).toMatchObject({ failure: { tag: "closed" } });
});

it("is what disposing of a load or a connection does", async () => {
  const load = await fromConfig({
    mcpServers: { a: { open: listing(["x"]) }, b: { open: listing(["x"]) } },
  });
  await connected(load.connections[0])[Symbol.asyncDispose]();
  expect(await load.tools[0]!.execute()).toMatchObject({ failure: { tag: "closed" } });
  await load[Symbol.asyncDispose]();
  expect(await load.tools[1]!.execute()).toMatchObject({ failure: { tag: "closed" } });
});

it("resolves for anything at all", async () => {
  await fc.assert(
    fc.asyncProperty(fc.anything(), async (value) => {
      await disconnect(value as never);
      await disconnectAll(value as never);
      await disconnectAll({ connections: [value] } as never);
      await disconnect({ transport: { close: () => Promise.reject(value) } } as never);
    }),
  );
});
