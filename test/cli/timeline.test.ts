import { expect, it } from "vitest";
import { timings, timingText } from "../../src/cli/timeline.ts";

const at = (
  atMs: number,
  kind: string,
  server: string,
  phase?: "connect" | "initialize" | "tools/list",
) => ({
  atMs,
  event: { kind, server, ...(phase === undefined ? {} : { phase }) },
});

it("takes the time of each phase from what happened", () => {
  const moments = [
    at(0, "connecting", "a"),
    at(0, "phase", "a", "connect"),
    at(5, "connecting", "b"),
    at(10, "phase", "a", "initialize"),
    at(1510, "phase", "a", "tools/list"),
    at(1600, "connected", "a"),
    at(2005, "failed", "b", "initialize"),
  ];
  const found = timings(moments);
  expect(found.get("a")).toEqual({
    totalMs: 1600,
    phases: [
      ["connect", 10],
      ["initialize", 1500],
      ["tools/list", 90],
    ],
  });
  expect(found.get("b")).toEqual({ totalMs: 2000, phases: [] });
  expect(timingText(found.get("a")!)).toBe(
    "1.60 s: connect 0.01 s, initialize 1.50 s, tools/list 0.09 s",
  );
});

it("tells nothing about a server that was not begun, or has not ended", () => {
  expect(timings([at(0, "disabled", "a"), at(1, "connecting", "b")]).size).toBe(0);
});
