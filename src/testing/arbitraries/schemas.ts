/**
 * JSON Schemas and the tools that have them.
 */
import type { Json, JsonObject } from "../../json.ts";
import type { Arbitrary, FastCheck } from "./fast-check.ts";
import { anyJson, anyJsonObject, anyName, anyText, members } from "./values.ts";

const DIALECTS = [
  "https://json-schema.org/draft/2020-12/schema",
  "http://json-schema.org/draft-07/schema#",
  "http://json-schema.org/draft-04/schema#",
  "https://example.com/own",
];
const PATTERNS = ["^[a-z]+$", "(a+)+$", "[", "\\p{L}", "^.{3,}$"];
const REFERENCES = ["#", "#/$defs/node", "#/definitions/x", "https://example.com/schema"];

/** A schema: mostly one that a server would write, now and then one that no validator takes. */
export function anySchema(fc: FastCheck): Arbitrary<JsonObject> {
  return fc.letrec<{ schema: JsonObject; object: JsonObject }>((tie) => ({
    schema: fc.oneof(
      { maxDepth: 3, withCrossShrink: true },
      { weight: 4, arbitrary: leaf(fc) },
      { weight: 3, arbitrary: tie("object") },
      fc.record({ type: fc.constant("array"), items: tie("schema") }),
      fc.record({ anyOf: fc.array(tie("schema"), { minLength: 1, maxLength: 3 }) }),
      fc.record({ not: tie("schema") }),
    ),
    object: fc.record(
      {
        type: fc.constant("object"),
        $schema: fc.constantFrom(...DIALECTS),
        properties: members(fc, anyName(fc), tie("schema"), 4),
        required: fc.array(anyName(fc), { maxLength: 3 }),
        additionalProperties: fc.oneof(fc.boolean(), tie("schema")),
        $defs: fc.record({ node: tie("schema") }),
        description: anyText(fc),
      },
      { requiredKeys: ["type"] },
    ),
  })).object;
}

function leaf(fc: FastCheck): Arbitrary<JsonObject> {
  const text = fc.record(
    {
      type: fc.constant("string"),
      minLength: fc.nat(5),
      maxLength: fc.nat(100),
      pattern: fc.constantFrom(...PATTERNS),
      format: fc.constantFrom("email", "uri", "date-time", "unheard-of"),
      description: anyText(fc),
      default: anyJson(fc),
    },
    { requiredKeys: ["type"] },
  );
  const number = fc.record(
    { type: fc.constantFrom("integer", "number"), minimum: fc.integer(), maximum: fc.integer() },
    { requiredKeys: ["type"] },
  );
  return fc.oneof(
    text,
    number,
    fc.record({ type: fc.constantFrom("boolean", "null") }),
    fc.record({ enum: fc.array(anyJson(fc), { minLength: 1, maxLength: 4 }) }),
    fc.record({ const: anyJson(fc) }),
    fc.record({ $ref: fc.constantFrom(...REFERENCES) }),
    fc.record({ type: fc.constantFrom<Json>("strange", 5, ["string", "null"]) }),
  );
}

/** The definition of a tool. */
export function anyTool(fc: FastCheck): Arbitrary<JsonObject> {
  return fc.record(
    {
      name: anyName(fc).filter((name) => name !== ""),
      title: anyText(fc),
      description: anyText(fc),
      inputSchema: anySchema(fc),
      outputSchema: anySchema(fc),
      annotations: fc.record(
        {
          readOnlyHint: fc.boolean(),
          destructiveHint: fc.boolean(),
          idempotentHint: fc.boolean(),
          openWorldHint: fc.boolean(),
        },
        { requiredKeys: [] },
      ),
      _meta: anyJsonObject(fc),
    },
    { requiredKeys: ["name", "inputSchema"] },
  );
}
