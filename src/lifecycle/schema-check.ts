/**
 * JSON Schema checks over ajv, which is loaded with this file and not before.
 */
import { runInNewContext } from "node:vm";
import { Ajv } from "ajv";
import type { Options, ValidateFunction } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import { isObject } from "../json.ts";
import type { Json, JsonObject } from "../json.ts";
import type { Note } from "../transport/transport.ts";

/** A compiled schema. */
export interface Check {
  /** What is wrong with a value, or null. Never throws. */
  problem(value: Json): Note | null;
}

const OPTIONS: Options = {
  strict: false,
  logger: false,
  validateFormats: false,
  unicodeRegExp: false,
  addUsedSchema: false,
};
const TIME_LIMIT_MS = 100;
const DRAFT_07 = /^https?:\/\/json-schema\.org\/draft-07\/schema#?$/;
const DRAFT_2020_12 = /^https?:\/\/json-schema\.org\/draft\/2020-12\/schema#?$/;
/** Keywords whose cost a hostile schema can drive up without a bound. */
const COSTLY_KEYWORDS: ReadonlySet<string> = new Set([
  "pattern",
  "patternProperties",
  "uniqueItems",
]);

let draft07: Ajv | undefined;
let draft2020: Ajv | undefined;

/** A check for a schema, or why there is none: an unknown dialect, or a schema that is broken. */
export function compileCheck(schema: JsonObject): Check | Note {
  const ajv = dialectOf(schema);
  if (ajv === undefined) {
    return {
      code: "output-not-checked",
      detail: `the schema's dialect is not supported: ${JSON.stringify(schema["$schema"])}`,
    };
  }
  const compile = (): ValidateFunction => ajv.compile(schema);
  const compiled = attempt(compile, false);
  if (!compiled.ok) {
    return {
      code: "output-not-checked",
      detail: `the output schema does not compile: ${compiled.why}`,
    };
  }
  const validate = compiled.value;
  const isCostly = mentions(schema, COSTLY_KEYWORDS);
  return {
    problem: (value) => {
      const outcome = attempt(() => validate(value), isCostly);
      if (!outcome.ok) return { code: "output-not-checked", detail: outcome.why };
      if (outcome.value === true) return null;
      const [first] = validate.errors ?? [];
      const place = first?.instancePath === "" ? "the result" : (first?.instancePath ?? "");
      return { code: "output-schema", detail: `${place} ${first?.message ?? "does not match"}` };
    },
  };
}

function dialectOf(schema: JsonObject): Ajv | undefined {
  const dialect = schema["$schema"];
  if (dialect === undefined || (typeof dialect === "string" && DRAFT_2020_12.test(dialect))) {
    return (draft2020 ??= new Ajv2020(OPTIONS));
  }
  if (typeof dialect === "string" && DRAFT_07.test(dialect)) return (draft07 ??= new Ajv(OPTIONS));
  return undefined;
}

type Attempt<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly why: string };

/** Runs foreign code; under a clock when it may not come back. */
function attempt<T>(run: () => T, underClock: boolean): Attempt<T> {
  try {
    if (!underClock) return { ok: true, value: run() };
    const outcome: { attempt: Attempt<T> } = { attempt: { ok: false, why: "it did not run" } };
    const keep = (): void => void (outcome.attempt = { ok: true, value: run() });
    // The clock of `vm` interrupts whatever runs inside the call, functions of this realm too.
    runInNewContext("keep()", { keep }, { timeout: TIME_LIMIT_MS });
    return outcome.attempt;
  } catch (error) {
    return { ok: false, why: error instanceof Error ? error.message : "it threw" };
  }
}

function mentions(value: Json | undefined, keywords: ReadonlySet<string>): boolean {
  if (Array.isArray(value)) return value.some((item: Json) => mentions(item, keywords));
  if (!isObject(value)) return false;
  return Object.entries(value).some(
    ([key, member]) => keywords.has(key) || mentions(member, keywords),
  );
}
