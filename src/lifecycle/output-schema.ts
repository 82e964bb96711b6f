/**
 * Whether a structured result keeps the tool's output schema: findings beside the result.
 *
 * Schemas come from outside: compiled only when a tool is called, inside one `try`, with limits on
 * depth and size, and under a clock where a regular expression could explode.
 */
import { isDeeperThan } from "../json.ts";
import type { Json, JsonObject } from "../json.ts";
import type { Note } from "../transport/transport.ts";
import type { Check } from "./schema-check.ts";

const MAX_SCHEMA_DEPTH = 200;
const MAX_SCHEMA_LENGTH = 2 ** 20;
const MAX_RESULT_LENGTH = 8 * 2 ** 20;

/** Compiled checks by schema; null marks one that cannot be used, with why. */
const checks = new WeakMap<JsonObject, Check | Note>();

/** What is wrong with a structured result, or with checking it; empty when all is well. */
export async function outputFindings(
  schema: JsonObject,
  structured: Json | undefined,
): Promise<readonly Note[]> {
  if (structured === undefined) {
    return [
      finding(
        "missing-structured-content",
        "the tool has an output schema, the result no structured content",
      ),
    ];
  }
  const check = checks.get(schema) ?? (await compile(schema));
  checks.set(schema, check);
  if ("code" in check) return [check];
  if (JSON.stringify(structured).length > MAX_RESULT_LENGTH) {
    return [finding("output-not-checked", "the result is larger than 8 MiB")];
  }
  const problem = check.problem(structured);
  return problem === null ? [] : [finding(problem.code, problem.detail)];
}

async function compile(schema: JsonObject): Promise<Check | Note> {
  if (isDeeperThan(schema, MAX_SCHEMA_DEPTH)) {
    return finding(
      "output-not-checked",
      `the output schema is deeper than ${MAX_SCHEMA_DEPTH} levels`,
    );
  }
  if (JSON.stringify(schema).length > MAX_SCHEMA_LENGTH) {
    return finding("output-not-checked", "the output schema is larger than 1 MiB");
  }
  const { compileCheck } = await import("./schema-check.ts");
  return compileCheck(schema);
}

function finding(code: string, detail: string): Note {
  return { code, detail };
}
