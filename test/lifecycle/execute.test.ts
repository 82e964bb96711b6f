import fc from "fast-check";
import { expect, it } from "vitest";
import { execute } from "../../src/lifecycle/execute.ts";
import { fromConfig } from "../../src/lifecycle/from-config.ts";
import { anyText } from "../support/arbitraries.ts";
import { listing } from "../support/memory-server.ts";

it("calls by exposed name, over a load and over its tools alone (C022, C217)", async () => {
  const load = await fromConfig({ mcpServers: { "a b": { open: listing(["x.y"]) } } });
  for (const tools of [load, load.tools]) {
    expect(await execute(tools, "a_b_x_y")).toMatchObject({ output: "called x.y", isError: false });
  }
});

it("gives a result for any name that is not there, as a model would see it (C115, C145)", async () => {
  const load = await fromConfig({ mcpServers: { a: { open: listing(["b"]) } } });
  await fc.assert(
    fc.asyncProperty(
      anyText().filter((name) => name !== "a_b"),
      async (name) => {
        expect(await execute(load, name)).toEqual({
          output: `unknown tool: ${name}`,
          isError: true,
          content: [],
          failure: {
            tag: "invalid-argument",
            detail: `unknown tool: ${name}`,
            maybeExecuted: false,
          },
        });
      },
    ),
  );
});

it("knows no tool in what is no load", async () => {
  for (const tools of [undefined, null, 5, {}, { tools: 5 }, [null, {}]]) {
    expect(await execute(tools as never, "x")).toMatchObject({ output: "unknown tool: x" });
  }
});
