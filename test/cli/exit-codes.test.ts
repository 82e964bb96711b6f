import fc from "fast-check";
import { expect, it } from "vitest";
import { EXIT, failureExit, forgivenExit, signalExit, worstExit } from "../../src/cli/exit-code.ts";
import { anyFailure } from "../support/arbitraries.ts";

const anyCode = (): fc.Arbitrary<number> => fc.constantFrom(...Object.values(EXIT));

it("ranks what did not happen above what was found: 70, 2, 3, 4, 5, 1, 0", () => {
  const ranked = [70, 2, 3, 4, 5, 1, 0];
  for (const [i, code] of ranked.entries()) expect(worstExit(ranked.slice(i))).toBe(code);
  expect(worstExit([])).toBe(0);
});

it("does not depend on the order or the number of codes, for any codes", () => {
  fc.assert(
    fc.property(fc.array(anyCode()), (codes) => {
      expect(worstExit([...codes, ...codes].reverse())).toBe(worstExit(codes));
    }),
  );
});

it("gives every failure a code that says who has to act, for any failure", () => {
  fc.assert(
    fc.property(anyFailure(), fc.constantFrom("initialize", "tools/call"), (failure, phase) => {
      expect([EXIT.unusable, EXIT.auth, EXIT.server, EXIT.tool]).toContain(
        failureExit(failure, phase),
      );
    }),
  );
});

it.each([
  [{ tag: "config", detail: "" }, "config", 2],
  [{ tag: "http-status", status: 401, body: "" }, "initialize", 3],
  [{ tag: "http-status", status: 403, body: "" }, "initialize", 3],
  [{ tag: "http-status", status: 500, body: "" }, "initialize", 4],
  [{ tag: "rpc-error", code: -32602, message: "" }, "tools/call", 5],
  [{ tag: "rpc-error", code: -32602, message: "" }, "initialize", 4],
  [{ tag: "rpc-error", code: -32602, message: "" }, "prompts/get", 5],
  [{ tag: "rpc-error", code: -32002, message: "" }, "resources/read", 5],
  [{ tag: "rpc-error", code: -32602, message: "" }, "completion/complete", 5],
  [{ tag: "rpc-error", code: -32603, message: "" }, "prompts/list", 4],
  [{ tag: "rpc-error", code: 1, message: "", status: 401 }, "tools/call", 3],
  [{ tag: "timeout", timeoutMs: 1 }, "tools/call", 4],
] as const)("%o at %s is %i", (failure, phase, code) => {
  expect(failureExit(failure, phase)).toBe(code);
});

it("forgives findings and failures, never a command that could not run, a bug or a signal", () => {
  for (const code of [0, 1, 3, 4, 5]) expect(forgivenExit(code, true)).toBe(0);
  expect(forgivenExit(2, true)).toBe(0);
  expect(forgivenExit(2, false)).toBe(2);
  expect(forgivenExit(70, true)).toBe(70);
  expect(forgivenExit(signalExit("SIGINT"), true)).toBe(130);
});
