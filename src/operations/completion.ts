/**
 * Completion: what a server suggests for an argument that is being typed.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/server/utilities/completion
 */
import { err, ok } from "../failure.ts";
import type { Failure, Result } from "../failure.ts";
import { isObject } from "../json.ts";
import type { JsonObject } from "../json.ts";
import type { CallOptions, Connected } from "../lifecycle/records.ts";
import { isAtLeast } from "../protocol/versions.ts";
import { typeName } from "../protocol/messages.ts";
import { blankProblem, invalid, textsProblem } from "./arguments.ts";
import { ask, inSession, wrongShape } from "./operation.ts";
import { lacking } from "./support.ts";

/** What an argument belongs to: a prompt by name, or a resource template by its URI. */
export type CompletionReference =
  | { readonly type: "ref/prompt"; readonly name: string }
  | { readonly type: "ref/resource"; readonly uri: string };

/** The argument that is being typed; its value may be empty. */
export interface CompletionArgument {
  readonly name: string;
  readonly value: string;
}

/** How a completion is asked for. */
export interface CompletionOptions extends CallOptions {
  /** Arguments that have their values already; since 2025-06-18. */
  readonly context?: { readonly arguments: Readonly<Record<string, string>> };
}

/** What the server suggests. */
export interface Completion {
  /** Best first. */
  readonly values: readonly string[];
  /** How many there are in all, where the server says so. */
  readonly total?: number;
  /** Whether there are more than `values` holds, where the server says so. */
  readonly hasMore?: boolean;
  /** Whether the server sent more than the 100 values the protocol allows; they are all kept. */
  readonly isOverLimit: boolean;
}

const MAX_VALUES = 100;
const CONTEXT_SINCE = "2025-06-18";

/**
 * Asks what an argument of a prompt or a resource template may be.
 *
 * Fails with `invalid-argument` for a blank name, and with `unsupported` where the server has no
 * completions (servers of 2024-11-05 need not say so) or the revision no `context`.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/server/utilities/completion
 *
 * @example
 * ```ts
 * import type { Connected } from "mcp-source";
 * import { complete } from "mcp-source";
 * async function languages(connection: Connected, typed: string): Promise<readonly string[]> {
 *   const reference = { type: "ref/prompt", name: "review" } as const;
 *   const found = await complete(connection, reference, { name: "lang", value: typed });
 *   return found.ok ? found.value.values : [];
 * }
 * ```
 */
export function complete(
  connection: Connected,
  reference: CompletionReference,
  argument: CompletionArgument,
  options: CompletionOptions = {},
): Promise<Result<Completion>> {
  return inSession(connection, options, async (session, call) => {
    const { context } = options;
    const problem =
      referenceProblem(reference) ?? argumentProblem(argument) ?? contextProblem(context);
    if (problem !== null) return err(problem);
    if (context !== undefined && !isAtLeast(session.agreement.protocolVersion, CONTEXT_SINCE)) {
      return err(lacking(`completion has no context before ${CONTEXT_SINCE}`, "no context"));
    }
    const params: JsonObject = {
      ref: plainReference(reference),
      argument: { name: argument.name, value: argument.value },
      ...(context === undefined ? {} : { context: { arguments: context.arguments } }),
    };
    const answer = await ask(session, "completion/complete", params, call);
    return answer.ok ? readCompletion(answer.value) : answer;
  });
}

function plainReference(reference: CompletionReference): JsonObject {
  const { type } = reference;
  return type === "ref/prompt" ? { type, name: reference.name } : { type, uri: reference.uri };
}

function referenceProblem(reference: unknown): Failure | null {
  if (!isObject(reference)) return invalid("the reference is no object");
  switch (reference["type"]) {
    case "ref/prompt":
      return blankProblem("the reference's name", reference["name"]);
    case "ref/resource":
      return blankProblem("the reference's uri", reference["uri"]);
    default:
      return invalid('the reference\'s type is neither "ref/prompt" nor "ref/resource"');
  }
}

function argumentProblem(argument: unknown): Failure | null {
  if (!isObject(argument)) return invalid("the argument is no object");
  const problem = blankProblem("the argument's name", argument["name"]);
  if (problem !== null) return problem;
  return typeof argument["value"] === "string"
    ? null
    : invalid("the argument's value is no string");
}

function contextProblem(context: unknown): Failure | null {
  if (context === undefined) return null;
  if (!isObject(context) || !isObject(context["arguments"])) {
    return invalid("options.context is no { arguments }");
  }
  return textsProblem("options.context.arguments", context["arguments"]);
}

/** What a completion result says. */
export function readCompletion(result: JsonObject): Result<Completion> {
  const { completion } = result;
  if (!isObject(completion)) return err(wrongShape(`completion is ${typeName(completion)}`));
  const { values, total, hasMore } = completion;
  if (!Array.isArray(values)) return err(wrongShape(`values is ${typeName(values)}, not an array`));
  return ok({
    values: values.filter((value) => typeof value === "string"),
    ...(typeof total === "number" ? { total } : {}),
    ...(typeof hasMore === "boolean" ? { hasMore } : {}),
    isOverLimit: values.length > MAX_VALUES,
  });
}
