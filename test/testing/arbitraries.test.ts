import { Ajv } from "ajv";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isObject, parseConfig } from "../../src/index.ts";
import type { Json } from "../../src/index.ts";
import { readTools } from "../../src/lifecycle/read-tools.ts";
import { readMessage } from "../../src/protocol/messages.ts";
import { arbitraries } from "../../src/testing/index.ts";

const any = arbitraries(fc);

/** What so many draws come to; a generator that misses a kind is seen by its absence. */
function draws<T>(arbitrary: fc.Arbitrary<T>, count = 500): readonly T[] {
  return fc.sample(arbitrary, { numRuns: count, seed: 7 });
}

describe("names", () => {
  it("are ordinary, easily confused and hostile", () => {
    const names = draws(any.serverName());
    expect(names.filter((name) => /^[a-zA-Z0-9_-]+$/.test(name)).length).toBeGreaterThan(100);
    expect(names).toEqual(expect.arrayContaining(["__proto__", "", "a_b", "a.b"]));
    expect(names.some((name) => /[\ud800-\udfff]/u.test(name))).toBe(true);
    expect(draws(any.toolName())).not.toContain("");
  });
});

describe("configs", () => {
  it("name servers of each kind, and give findings, in each wrapper", () => {
    const parsed = draws(any.config()).map((config) => parseConfig(config));
    const servers = parsed.flatMap((config) => config.servers);
    expect(new Set(servers.map(({ kind }) => kind))).toEqual(
      new Set(["local", "remote", "unknown"]),
    );
    expect(new Set(servers.map(({ transport }) => transport)).size).toBe(5);
    const codes = new Set(parsed.flatMap(({ diagnostics }) => diagnostics.map(({ code }) => code)));
    expect(codes.size).toBeGreaterThan(20);
  });

  it("have texts that are read as they are meant, for any config", () => {
    fc.assert(
      fc.property(any.configText(), (text) => {
        const { diagnostics } = parseConfig(text);
        expect(diagnostics.map(({ code }) => code)).not.toContain("invalid-json");
      }),
    );
  });
});

describe("tools and schemas", () => {
  it("are listed as they are, for any tool", () => {
    fc.assert(
      fc.property(any.tool(), (tool) => {
        const { tools, notes } = readTools([tool]);
        expect(tools).toMatchObject([{ remoteName: tool["name"], definition: tool }]);
        expect(notes).toEqual([]);
      }),
    );
  });

  it("are taken by a validator mostly, but not always", () => {
    const schemas = draws(any.jsonSchema(), 60);
    const taken = schemas.filter((schema) => {
      try {
        new Ajv({ strict: false, logger: false }).compile(schema);
        return true;
      } catch {
        return false;
      }
    });
    expect(schemas.every((schema) => schema["type"] === "object")).toBe(true);
    expect(taken.length).toBeGreaterThan(6);
    expect(taken.length).toBeLessThan(60);
  });
});

describe("messages", () => {
  it("are read as what they are, for any valid one", () => {
    fc.assert(
      fc.property(any.message(), (message) => {
        expect(readMessage(message).kind).not.toBe("junk");
        expect(message["jsonrpc"]).toBe("2.0");
      }),
    );
  });

  it("are against the rules, for any malformed one", () => {
    fc.assert(
      fc.property(any.malformedMessage(), (value) => {
        expect(isValid(value)).toBe(false);
      }),
    );
  });

  function isValid(value: Json): boolean {
    if (!isObject(value) || value["jsonrpc"] !== "2.0") return false;
    const { id, method, params, result, error } = value;
    const hasId = typeof id === "string" || typeof id === "number";
    const isCall = typeof method === "string" && (params === undefined || isObject(params));
    if (method !== undefined)
      return isCall && (hasId || id === undefined) && result === undefined && error === undefined;
    return (
      hasId && (result === undefined ? isObject(error) : isObject(result) && error === undefined)
    );
  }
});

describe("chunks", () => {
  it("hold the same bytes in the same order, none empty, for any bytes", () => {
    fc.assert(
      fc.property(
        fc
          .uint8Array({ maxLength: 60 })
          .chain((bytes) => fc.tuple(fc.constant(bytes), any.chunks(bytes))),
        ([bytes, chunks]) => {
          expect(Buffer.concat(chunks)).toEqual(Buffer.from(bytes));
          expect(chunks.every((chunk) => chunk.length > 0)).toBe(true);
        },
      ),
    );
  });

  it("are cut everywhere", () => {
    const cuts = draws(any.chunks(new Uint8Array(6))).map((chunks) => chunks[0]?.length);
    expect(new Set(cuts)).toEqual(new Set([1, 2, 3, 4, 5, 6]));
  });
});

describe("fault plans", () => {
  it("are plain JSON, with a fault of each kind among them", () => {
    const plans = draws(any.faultPlan());
    expect(JSON.parse(JSON.stringify(plans))).toEqual(plans);
    expect(new Set(plans.flat().map(({ kind }) => kind)).size).toBe(17);
    expect(plans).toContainEqual([]);
  });

  it("hold only the kinds and methods that are asked for", () => {
    const plans = draws(any.faultPlan({ kinds: ["drop", "late"], methods: ["ping"], maxMs: 3 }));
    for (const fault of plans.flat()) {
      expect(["drop", "late"]).toContain(fault.kind);
      expect([undefined, "ping"]).toContain(fault.method);
      if (fault.kind === "late") expect(fault.ms).toBeLessThanOrEqual(3);
    }
  });
});
