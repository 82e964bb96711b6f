import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Json, JsonObject } from "../../src/json.ts";
import {
  clientCapabilities,
  clientEnvelope,
  initialize,
  initializeParams,
  readAgreement,
} from "../../src/lifecycle/initialize.ts";
import { memoryTransport } from "../../src/transport/memory.ts";
import type { Note, Transport } from "../../src/transport/transport.ts";
import { LEGACY_VERSIONS } from "../../src/protocol/versions.ts";
import { anyJson, anyJsonObject } from "../support/arbitraries.ts";
import { failureOf, valueOf } from "../support/results.ts";

const waitFor = (): never => {
  throw new Error("nobody asks here");
};

describe("what this client says of itself", () => {
  it("is its name and the version of its package, in both eras (B01)", () => {
    const path = resolve(import.meta.dirname, "../../package.json");
    const { version }: { version: string } = JSON.parse(readFileSync(path, "utf8"));
    const clientInfo = { name: "mcp-source", version };
    expect(initializeParams({}, "2025-11-25")).toEqual({
      protocolVersion: "2025-11-25",
      capabilities: {},
      clientInfo,
    });
    expect(clientEnvelope({}, "2026-07-28").clientInfo).toEqual(clientInfo);
  });

  it("is what the caller says instead, and its metadata where that is given (B01)", () => {
    const options = {
      clientInfo: { name: "host", version: "9", title: "Host" },
      initializeMeta: { trace: "t" },
    };
    expect(initializeParams(options, "2025-06-18")).toEqual({
      protocolVersion: "2025-06-18",
      capabilities: {},
      clientInfo: options.clientInfo,
      _meta: { trace: "t" },
    });
  });

  it.each([
    ["2024-11-05", {}],
    ["2025-03-26", {}],
    ["2025-06-18", {}],
    ["2025-11-25", { form: {}, url: {} }],
    ["2026-07-28", { form: {}, url: {} }],
  ])(
    "at %s advertises elicitation as %j, and only with a resolver (B03, C165)",
    (version, modes) => {
      expect(clientCapabilities({ waitFor }, version)).toEqual({ elicitation: modes });
      expect(JSON.stringify(clientCapabilities({}, version))).toBe("{}");
    },
  );

  it("keeps the caller's own capabilities and never changes them", () => {
    const capabilities = Object.freeze({ experimental: Object.freeze({ a: {} }) });
    const options = Object.freeze({ waitFor, capabilities });
    expect(clientCapabilities(options, "2025-06-18")).toEqual({
      elicitation: {},
      experimental: { a: {} },
    });
  });
});

describe("what an initialize result agrees to", () => {
  const read = (
    result: JsonObject,
  ): { notes: Note[]; agreement: ReturnType<typeof readAgreement> } => {
    const notes: Note[] = [];
    return { agreement: readAgreement(result, (note) => notes.push(note)), notes };
  };

  it.each(LEGACY_VERSIONS)("is any revision this client speaks: %s", (protocolVersion) => {
    const result = {
      protocolVersion,
      capabilities: { tools: {} },
      serverInfo: { name: "s" },
      instructions: "do",
    };
    expect(read(result)).toEqual({
      agreement: { ok: true, value: { ...result, era: "legacy" } },
      notes: [],
    });
  });

  it("is a failure for any other revision, naming both sides", () => {
    for (const theirs of ["2026-07-28", "1999-01-01", ""]) {
      const { agreement } = read({ protocolVersion: theirs });
      expect(failureOf(agreement)).toEqual({
        tag: "unsupported",
        detail: `the server speaks ${theirs}; this client speaks ${LEGACY_VERSIONS.join(", ")}, 2026-07-28`,
      });
    }
  });

  it("is an agreement or a failure, for any result", () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.constantFrom<Json>(...LEGACY_VERSIONS), anyJson()),
        anyJsonObject(),
        (protocolVersion, rest) => {
          const { agreement } = read({ ...rest, protocolVersion });
          if (!agreement.ok)
            expect(agreement.failure.tag).toMatch(/^(unsupported|malformed-body)$/);
          else expect(LEGACY_VERSIONS).toContain(agreement.value.protocolVersion);
        },
      ),
    );
  });

  it("tolerates and notes what a server leaves out", () => {
    const { agreement, notes } = read({ protocolVersion: "2024-11-05" });
    expect(valueOf(agreement)).toMatchObject({
      capabilities: {},
      serverInfo: null,
      instructions: null,
    });
    expect(notes.map(({ code }) => code)).toEqual(["missing-capabilities", "missing-server-info"]);
  });
});

describe("the handshake", () => {
  /** A server that answers `initialize` with these, one after the other. */
  async function shake(...answers: JsonObject[]): Promise<{
    sent: JsonObject[];
    notes: Note[];
    outcome: Awaited<ReturnType<typeof initialize>>;
  }> {
    const sent: JsonObject[] = [];
    const notes: Note[] = [];
    const open = memoryTransport((message) => {
      sent.push(message);
      const { id } = message;
      return id === undefined ? undefined : { jsonrpc: "2.0", id, ...answers.shift() };
    });
    const inbound = { request: () => Promise.resolve(null), notification: () => undefined };
    const transport: Transport = valueOf(await open(inbound, {}));
    const outcome = await initialize(
      transport,
      {},
      {
        version: "2025-11-25",
        remainingMs: () => 10_000,
        note: (note) => notes.push(note),
      },
    );
    return { sent, notes, outcome };
  }
  const agreed = { result: { protocolVersion: "2025-06-18", capabilities: {}, serverInfo: {} } };

  it("offers the latest, takes what the server names, and says that it is done", async () => {
    const { sent, outcome, notes } = await shake(agreed);
    expect(valueOf(outcome)).toMatchObject({ era: "legacy", protocolVersion: "2025-06-18" });
    expect(sent.map(({ method }) => method)).toEqual(["initialize", "notifications/initialized"]);
    expect(sent[1]).toEqual({ jsonrpc: "2.0", method: "notifications/initialized" });
    expect(notes).toEqual([]);
  });

  it("offers once more what a refusal names, the best that is common", async () => {
    const data = { supported: ["2024-11-05", "2025-03-26", "1999-01-01"], requested: "2025-11-25" };
    const refusal = { error: { code: -32602, message: "no", data } };
    const { sent, outcome } = await shake(refusal, agreed);
    expect(outcome.ok).toBe(true);
    const offers = sent.flatMap(({ method, params }) =>
      method === "initialize" ? [(params as JsonObject)["protocolVersion"]] : [],
    );
    expect(offers).toEqual(["2025-11-25", "2025-03-26"]);
    const again = await shake(refusal, refusal);
    expect(failureOf(again.outcome)).toMatchObject({ tag: "rpc-error", code: -32602 });
    expect(again.sent).toHaveLength(2);
  });

  it.each<[JsonObject, number]>([
    [{ code: -32602, message: "no" }, 1],
    [{ code: -32602, message: "no", data: { supported: ["1999-01-01"] } }, 1],
    [{ code: -32602, message: "no", data: { supported: ["2025-11-25"] } }, 1],
    [{ code: -32600, message: "no", data: { supported: ["2024-11-05"] } }, 1],
  ])("is over after the refusal %j (C189)", async (error, offers) => {
    const { sent, outcome } = await shake({ error }, agreed);
    expect(failureOf(outcome)).toMatchObject({ tag: "rpc-error", code: error["code"] });
    expect(sent).toHaveLength(offers);
  });

  it("never says that it is done when there is no agreement", async () => {
    const { sent } = await shake({ result: { protocolVersion: "1999-01-01" } });
    expect(sent.map(({ method }) => method)).toEqual(["initialize"]);
  });
});
