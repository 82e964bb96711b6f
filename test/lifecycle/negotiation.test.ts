import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Failure, TransportReason } from "../../src/failure.ts";
import type { Json } from "../../src/json.ts";
import { probeOutcome } from "../../src/lifecycle/discover.ts";
import { afterProbe, firstStep, lateObjection } from "../../src/lifecycle/negotiation.ts";
import type { EraSetting, ProbeOutcome, Step, Verdict } from "../../src/lifecycle/negotiation.ts";
import { LEGACY_VERSIONS, MODERN_VERSIONS } from "../../src/protocol/versions.ts";
import { anyFailure, anyJson, anyJsonObject, anyText } from "../support/arbitraries.ts";

const OURS = "2024-11-05, 2025-03-26, 2025-06-18, 2025-11-25, 2026-07-28";

const discovered = (...supportedVersions: string[]): ProbeOutcome => ({
  kind: "discovered",
  supportedVersions,
});
const failed = (failure: Failure): ProbeOutcome => ({ kind: "failed", failure });
const rpcError = (code: number, data?: Json, status?: number): ProbeOutcome =>
  failed({
    tag: "rpc-error",
    code,
    message: "m",
    ...(data === undefined ? {} : { data }),
    ...(status === undefined ? {} : { status }),
  });
const http = (status: number): ProbeOutcome => failed({ tag: "http-status", status, body: "" });

const MODERN: Step = { kind: "modern", version: "2026-07-28" };
const INITIALIZE: Step = { kind: "initialize", isFresh: false };
const initializeAt = (version: string, isFresh = false): Step => ({
  kind: "initialize",
  version,
  isFresh,
});
const DISCOVER_AGAIN: Step = { kind: "discover", version: "2026-07-28", isProbe: false };
const AS_IT_IS = "the failure as it is";
const noCommon = (theirs: string): Step => ({
  kind: "fail",
  failure: {
    tag: "unsupported",
    detail: `the server speaks ${theirs}; this client speaks ${OURS}`,
  },
});

/** Every outcome of a probe, and what follows when the older era is allowed. */
const TABLE: readonly [string, ProbeOutcome, Step | typeof AS_IT_IS][] = [
  ["a modern version of ours", discovered("2026-07-28"), MODERN],
  ["both eras", discovered("2024-11-05", "2026-07-28", "2031-01-01"), MODERN],
  ["an older version", discovered("2025-06-18"), initializeAt("2025-06-18", true)],
  ["several older", discovered("2024-11-05", "2025-06-18"), initializeAt("2025-06-18", true)],
  ["no version of ours", discovered("2031-01-01", "x"), noCommon("2031-01-01, x")],
  ["silence", { kind: "silent" }, INITIALIZE],
  ["an odd answer", { kind: "odd" }, INITIALIZE],
  [
    "an exit",
    { kind: "ended", failure: { tag: "peer-eof", exitCode: 1, signal: null } },
    INITIALIZE,
  ],
  ["-32022 with one of ours", rpcError(-32022, { supported: ["2026-07-28"] }), DISCOVER_AGAIN],
  [
    "-32022 with older ones",
    rpcError(-32022, { supported: ["2025-03-26", "2024-11-05"] }),
    initializeAt("2025-03-26"),
  ],
  [
    "-32022 with none of ours",
    rpcError(-32022, { supported: ["2031-01-01"] }),
    noCommon("2031-01-01"),
  ],
  ["-32022 without data", rpcError(-32022), INITIALIZE],
  ["-32022 with an empty list", rpcError(-32022, { supported: [] }), INITIALIZE],
  ["-32022 with data of another shape", rpcError(-32022, { supported: "2026-07-28" }), INITIALIZE],
  ["-32020, a header mismatch", rpcError(-32020), AS_IT_IS],
  ["-32020 with status 400", rpcError(-32020, undefined, 400), AS_IT_IS],
  ["-32021, a missing capability", rpcError(-32021), AS_IT_IS],
  ...[-32601, -32602, -32600, -32603, -32000, -32001, -32019, 0, 1].map(
    (code): [string, ProbeOutcome, Step] => [`error ${code}`, rpcError(code), INITIALIZE],
  ),
  ...[400, 404, 405, 415].map((status): [string, ProbeOutcome, Step] => [
    `error -32601 with status ${status}`,
    rpcError(-32601, undefined, status),
    INITIALIZE,
  ]),
  ...[408, 429, 500, 503].map((status): [string, ProbeOutcome, typeof AS_IT_IS] => [
    `an error with status ${status}`,
    rpcError(-32601, undefined, status),
    AS_IT_IS,
  ]),
  ...[400, 404, 405, 406, 415, 422].map((status): [string, ProbeOutcome, Step] => [
    `status ${status}`,
    http(status),
    INITIALIZE,
  ]),
  ...[301, 308, 401, 403, 408, 429, 500, 502, 503, 504].map(
    (status): [string, ProbeOutcome, typeof AS_IT_IS] => [
      `status ${status}`,
      http(status),
      AS_IT_IS,
    ],
  ),
  ["a body that is no JSON", failed({ tag: "malformed-body", detail: "not JSON" }), INITIALIZE],
  ...(["dns", "connect-failed", "tls", "reset", "stream-failed", "proxy"] as const).map(
    (reason: TransportReason): [string, ProbeOutcome, typeof AS_IT_IS] => [
      `a broken link (${reason})`,
      failed({ tag: "transport", reason, detail: "" }),
      AS_IT_IS,
    ],
  ),
  ["the end of the whole budget", failed({ tag: "timeout", timeoutMs: 1 }), AS_IT_IS],
  ["an abort", failed({ tag: "cancelled" }), AS_IT_IS],
  ["a close", failed({ tag: "closed", by: "client" }), AS_IT_IS],
];

describe("after server/discover", () => {
  it.each(TABLE)("%s", (_, outcome, expected) => {
    const step = afterProbe(outcome, { mayInitialize: true, hasRetried: false });
    const failure = "failure" in outcome ? outcome.failure : null;
    expect(step).toEqual(expected === AS_IT_IS ? { kind: "fail", failure } : expected);
  });

  it.each(TABLE)("%s, when the older era is not allowed", (_, outcome, expected) => {
    const step = afterProbe(outcome, { mayInitialize: false, hasRetried: false });
    if (expected === AS_IT_IS || expected.kind !== "initialize") {
      expect(step).toEqual(afterProbe(outcome, { mayInitialize: true, hasRetried: false }));
    } else {
      expect(step.kind).toBe("fail");
    }
  });

  it("asks again only once for a version that the server named itself", () => {
    const outcome = rpcError(-32022, { supported: ["2026-07-28"] });
    expect(afterProbe(outcome, { mayInitialize: true, hasRetried: true })).toMatchObject({
      kind: "fail",
      failure: { tag: "rpc-error", code: -32022 },
    });
  });
});

describe("the first step", () => {
  const legacyVerdict: Verdict = { era: "legacy", protocolVersion: "2025-06-18" };
  const modernVerdict: Verdict = { era: "modern", protocolVersion: "2026-07-28" };
  const probe: Step = { kind: "discover", version: "2026-07-28", isProbe: true };
  const discover: Step = { kind: "discover", version: "2026-07-28", isProbe: false };
  const undecided = undefined;

  it.each<[EraSetting, Verdict | undefined, string | undefined, Step]>([
    ["auto", undecided, undefined, probe],
    ["auto", legacyVerdict, undefined, INITIALIZE],
    ["auto", modernVerdict, undefined, discover],
    ["legacy", undecided, undefined, INITIALIZE],
    ["legacy", modernVerdict, undefined, INITIALIZE],
    ["modern", undecided, undefined, discover],
    ["modern", legacyVerdict, undefined, discover],
    ["auto", undecided, "2025-03-26", initializeAt("2025-03-26")],
    ["modern", modernVerdict, "2025-03-26", initializeAt("2025-03-26")],
    ["auto", undecided, "2026-07-28", discover],
    ["legacy", legacyVerdict, "2026-07-28", discover],
    ["auto", { era: "modern", protocolVersion: "2031-01-01" }, undefined, discover],
  ])("setting %s, verdict %j, pinned %s", (setting, verdict, pinned, step) => {
    expect(firstStep(setting, verdict, pinned)).toEqual(step);
  });
});

describe("any negotiation", () => {
  const anyVersions = (): fc.Arbitrary<string[]> =>
    fc.array(
      fc.oneof(fc.constantFrom(...LEGACY_VERSIONS, ...MODERN_VERSIONS, "2031-01-01"), anyText()),
      { minLength: 1, maxLength: 4 },
    );
  const anyCode = (): fc.Arbitrary<number> =>
    fc.oneof(fc.constantFrom(-32020, -32021, -32022, -32601, 0), fc.integer());
  const anyData = (): fc.Arbitrary<Json> =>
    fc.oneof(
      anyVersions().map((supported) => ({ supported })),
      anyJson(),
    );
  const anyOutcome = (): fc.Arbitrary<ProbeOutcome> =>
    fc.oneof(
      anyVersions().map((versions) => discovered(...versions)),
      fc.constantFrom<ProbeOutcome>({ kind: "silent" }, { kind: "odd" }),
      fc.tuple(anyCode(), anyData()).map(([code, data]) => rpcError(code, data)),
      fc
        .tuple(anyCode(), fc.integer({ min: 300, max: 599 }))
        .map(([code, status]) => rpcError(code, undefined, status)),
      fc.integer({ min: 300, max: 599 }).map(http),
      anyFailure().map(failed),
      anyFailure().map((failure): ProbeOutcome => ({ kind: "ended", failure })),
    );
  const FINAL_CODES = [-32020, -32021];

  it("never shakes hands after a final error, for any outcome", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...FINAL_CODES),
        anyData(),
        fc.boolean(),
        (code, data, hasRetried) => {
          const step = afterProbe(rpcError(code, data), { mayInitialize: true, hasRetried });
          expect(step).toMatchObject({ kind: "fail", failure: { tag: "rpc-error", code } });
        },
      ),
    );
  });

  it("ends, for any outcomes one after the other", () => {
    fc.assert(
      fc.property(
        fc.constantFrom<EraSetting>("auto", "legacy", "modern"),
        fc.infiniteStream(
          fc.oneof(
            anyOutcome(),
            fc.constant(rpcError(-32022, { supported: [...MODERN_VERSIONS] })),
          ),
        ),
        (setting, outcomes) => {
          let step = firstStep(setting, undefined, undefined);
          const context = { mayInitialize: setting === "auto", hasRetried: false };
          let asked = 0;
          while (step.kind === "discover") {
            asked++;
            const next = outcomes.next();
            if (next.done === true) throw new Error("the stream is infinite");
            step = afterProbe(next.value, context);
            if (step.kind === "discover") context.hasRetried = true;
          }
          expect(asked).toBeLessThanOrEqual(2);
          if (setting === "modern") expect(step.kind).not.toBe("initialize");
        },
      ),
    );
  });

  it("decides on a late answer as on a prompt one, or lets the handshake go on, for any outcome", () => {
    fc.assert(
      fc.property(anyOutcome(), fc.boolean(), fc.boolean(), (outcome, hasRetried, isProcess) => {
        const context = { mayInitialize: true, hasRetried };
        const prompt = afterProbe(outcome, context);
        const late = lateObjection(outcome, context, isProcess);
        if (late !== null) expect(late).toEqual(prompt);
        if (prompt.kind === "modern") expect(late).toEqual(prompt);
        if (late?.kind === "initialize") expect(isProcess).toBe(true);
        expect(late).not.toEqual(INITIALIZE);
      }),
    );
  });

  it.each([500, 503, 401, 408])(
    "leaves a late refusal with status %i to the handshake",
    (status) => {
      const context = { mayInitialize: true, hasRetried: false };
      expect(lateObjection(http(status), context, false)).toBeNull();
      expect(lateObjection(rpcError(-32000, undefined, status), context, false)).toBeNull();
    },
  );

  it("offers only versions this client speaks, for any outcome", () => {
    fc.assert(
      fc.property(anyOutcome(), fc.boolean(), (outcome, hasRetried) => {
        const step = afterProbe(outcome, { mayInitialize: true, hasRetried });
        if (step.kind === "modern" || step.kind === "discover") {
          expect(MODERN_VERSIONS).toContain(step.version);
        } else if (step.kind === "initialize" && step.version !== undefined) {
          expect(LEGACY_VERSIONS).toContain(step.version);
        }
      }),
    );
  });

  it("does not depend on the order in which a server names its versions", () => {
    fc.assert(
      fc.property(anyVersions(), (versions) => {
        const context = { mayInitialize: true, hasRetried: false };
        const there = afterProbe(discovered(...versions), context);
        const back = afterProbe(discovered(...versions.toReversed()), context);
        if (there.kind !== "fail") expect(back).toEqual(there);
        expect(back.kind).toBe(there.kind);
      }),
    );
  });

  it("reads any discover result as versions or as odd, and never fails on it", () => {
    fc.assert(
      fc.property(
        fc.oneof(
          anyJsonObject(),
          anyJson().map((supportedVersions) => ({ supportedVersions })),
        ),
        (value) => {
          const outcome = probeOutcome({ ok: true, value });
          expect(["discovered", "odd"]).toContain(outcome.kind);
          if (outcome.kind !== "discovered") return;
          expect(outcome.supportedVersions.length).toBeGreaterThan(0);
          expect(value["supportedVersions"]).toEqual(
            expect.arrayContaining([...outcome.supportedVersions]),
          );
        },
      ),
    );
  });
});
