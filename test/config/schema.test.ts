import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { Ajv } from "ajv";
import fc from "fast-check";
import { parse } from "jsonc-parser";
import { describe, expect, it } from "vitest";
import { COMMON_KEYS, LOCAL_KEYS, REMOTE_KEYS } from "../../src/config/keys.ts";
import { parseConfig } from "../../src/config/parse-config.ts";
import { objectOf } from "../support/arbitraries.ts";
import { anyEntry, anyServerMap } from "./arbitraries.ts";

const SCHEMA = JSON.parse(
  readFileSync(join(import.meta.dirname, "../../schema/mcp-source.config.schema.json"), "utf8"),
);
const validate = new Ajv({
  strictTypes: false,
  strictRequired: false,
  allowUnionTypes: true,
}).compile(SCHEMA);
/** What a schema can say as well. */
const SAID_BY_BOTH =
  /^(?:wrong-type|missing-command|missing-url|missing-command-or-url|missing-name)$/;

/** Valid says: nothing of the wrong type, nothing missing. No error at all says: valid. */
function assertAgreement(config: unknown): void {
  const isValid = validate(config);
  // A disabled server's errors are warnings; a schema knows no such thing.
  const { diagnostics, servers } = parseConfig(config);
  const problems = servers.flatMap((server) => server.problems);
  const codes = [
    ...problems,
    ...diagnostics.filter((d) => d.severity === "error").map((d) => d.code),
  ];
  if (isValid) expect(codes.filter((code) => SAID_BY_BOTH.test(code))).toEqual([]);
  if (codes.length === 0) expect(isValid ? [] : validate.errors).toEqual([]);
}

describe("the JSON Schema of a config", () => {
  it("agrees with parseConfig, for any server", () => {
    fc.assert(
      fc.property(anyEntry(), (entry) => assertAgreement({ mcpServers: { a: entry } })),
      { numRuns: 500, examples: [[{ command: "x", enabled: 5 }], [{ transport: "http" }]] },
    );
  });

  it("agrees with parseConfig, for any wrapper", () => {
    const wrapper = fc.constantFrom("mcpServers", "servers", "mcp_servers", "context_servers");
    fc.assert(
      fc.property(wrapper, anyServerMap(), fc.boolean(), (key, map, isList) => {
        const list = Object.entries(map).map(([name, entry]) => objectOf([[name, entry ?? null]]));
        assertAgreement(objectOf([[key, isList ? list : map]]));
        assertAgreement({ mcp: { servers: map } });
      }),
    );
  });

  it("describes every member that an entry may have, and no other", () => {
    const described = Object.keys(SCHEMA.definitions.server.properties);
    const expected = [...LOCAL_KEYS, ...REMOTE_KEYS, ...COMMON_KEYS];
    expect(described.toSorted()).toEqual(expected.toSorted());
    for (const property of Object.values<{ description?: string }>(
      SCHEMA.definitions.server.properties,
    )) {
      expect(property.description).toMatch(/\.$/);
    }
  });

  const corpus = resolve(import.meta.dirname, "../../../shared/configs");
  it.runIf(existsSync(corpus))("agrees with parseConfig on real configs of every dialect", () => {
    const files = readdirSync(corpus).filter((file) => /^\d+\.json$/.test(file));
    expect(files.length).toBeGreaterThan(0);
    for (const file of files) {
      const text = readFileSync(join(corpus, file), "utf8").replace(/^\ufeff/, "");
      const config: unknown = parse(text, [], { allowTrailingComma: true });
      if (parseConfig(text).servers.length > 0) assertAgreement(config);
    }
  });
});
