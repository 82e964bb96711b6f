import fc from "fast-check";
import { expect, it } from "vitest";
import { describeFailure } from "../../src/failure.ts";
import { fromConfig } from "../../src/lifecycle/from-config.ts";
import { orThrow, requireAll } from "../../src/lifecycle/require.ts";
import { anyFailure } from "../support/arbitraries.ts";
import { listing } from "../support/memory-server.ts";
import { failureOf, unconnected } from "../support/results.ts";

it("is the load itself when every enabled server is connected", async () => {
  const load = await fromConfig({
    mcpServers: { a: { open: listing(["x"]) }, off: { open: listing(["x"]), disabled: true } },
  });
  expect(requireAll(load)).toEqual({ ok: true, value: load });
  expect(orThrow(requireAll(load))).toBe(load);
});

it("is the failure of the first failed server in name order, and the load stays open", async () => {
  const load = await fromConfig({
    mcpServers: { b: { url: "ftp://x" }, c: {}, a: { open: listing(["x"]) } },
  });
  expect(failureOf(requireAll(load))).toBe(unconnected(load.connections[1]).failure);
  expect(load.statuses).toEqual({ a: "connected", b: "failed", c: "failed" });
  expect(await load.tools[0]!.execute()).toMatchObject({ isError: false });
});

it("is the failure of a load that did not run", async () => {
  const aborted = await fromConfig({ mcpServers: {} }, { signal: AbortSignal.abort() });
  expect(failureOf(requireAll(aborted))).toEqual({ tag: "cancelled" });
  expect(failureOf(requireAll(undefined as never))).toMatchObject({ tag: "invalid-argument" });
});

it("throws an error that carries the failure and its text, for any failure", () => {
  fc.assert(
    fc.property(anyFailure(), (failure) => {
      try {
        orThrow({ ok: false, failure });
        expect.fail("it did not throw");
      } catch (error) {
        expect(error).toBeInstanceOf(Error);
        expect(error).toMatchObject({ failure, message: describeFailure(failure) });
      }
    }),
  );
});
