import fc from "fast-check";
import { expect, it } from "vitest";
import { itemRoute } from "../../src/cli/item-route.ts";
import { parseConfig } from "../../src/index.ts";
import { anyText } from "../support/arbitraries.ts";

const config = parseConfig({
  mcpServers: {
    docs: { command: "x" },
    "docs/old": { command: "x" },
    off: { command: "x", disabled: true },
  },
});
const targets = (text: string, server?: string) => {
  const route = itemRoute(text, server, config);
  return route.ok ? route.targets.map((one) => [one.server, one.item]) : route.problem;
};

it("starts every enabled server for a name that says nothing of its server", () => {
  expect(targets("review")).toEqual([
    ["docs", "review"],
    ["docs/old", "review"],
  ]);
});

it("starts the servers whose name and a slash begin the text, each with the rest", () => {
  expect(targets("docs/review")).toEqual([["docs", "review"]]);
  expect(targets("docs/old/review")).toEqual([
    ["docs", "old/review"],
    ["docs/old", "review"],
  ]);
  expect(targets("docsreview")).toEqual([
    ["docs", "docsreview"],
    ["docs/old", "docsreview"],
  ]);
});

it("takes the text as it is for the server of --server", () => {
  expect(targets("docs/review", "docs")).toEqual([["docs", "docs/review"]]);
});

it("says that a server is disabled, or not there", () => {
  expect(targets("off/review")).toMatchObject({ tag: "config", server: "off" });
  expect(targets("review", "off")).toMatchObject({ tag: "config", server: "off" });
  expect(targets("review", "dosc")).toMatchObject({
    tag: "usage",
    message: 'the config has no server "dosc"; did you mean "docs"?',
  });
});

it("keeps exactly the servers it has targets on, for any text", () => {
  fc.assert(
    fc.property(
      fc.oneof(
        anyText(),
        anyText().map((text) => `docs/${text}`),
      ),
      (text) => {
        const route = itemRoute(text, undefined, config);
        if (!route.ok) return;
        expect(route.parsed.servers.map(({ name }) => name)).toEqual(
          route.targets.map(({ server }) => server),
        );
        expect(route.targets.every(({ item }) => text.endsWith(item))).toBe(true);
      },
    ),
  );
});
