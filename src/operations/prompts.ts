/**
 * Prompts: texts of a server, filled in with arguments.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/server/prompts
 */
import { err, ok } from "../failure.ts";
import type { Result } from "../failure.ts";
import type { JsonObject } from "../json.ts";
import type { CallOptions, Connected } from "../lifecycle/records.ts";
import { blankProblem, textsProblem } from "./arguments.ts";
import { ask, inSession, objectsOf } from "./operation.ts";
import { onePage, wholeList } from "./paged.ts";
import type { ListFacts, ListKind, PageParams } from "./paged.ts";

/** A prompt as its server lists it; further members are kept. */
export interface Prompt extends JsonObject {
  readonly name: string;
}

/** Every prompt of a server, in the server's order. */
export interface PromptList extends ListFacts {
  readonly prompts: readonly Prompt[];
}

const PROMPTS: ListKind<Prompt> = {
  method: "prompts/list",
  key: "prompts",
  id: "name",
  isItem: (item): item is Prompt => typeof item["name"] === "string",
};

/**
 * Lists every prompt, page by page.
 *
 * Ends at a cursor seen before; more than 1 000 pages or 100 000 entries is `limit`. `timeoutMs` is
 * for the whole list. Fails with `unsupported` where the server has no prompts.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/server/prompts
 *
 * @example
 * ```ts
 * import type { Connected } from "mcp-source";
 * import { listPrompts } from "mcp-source";
 * async function promptNames(connection: Connected): Promise<readonly string[]> {
 *   const listed = await listPrompts(connection);
 *   return listed.ok ? listed.value.prompts.map((prompt) => prompt.name) : [];
 * }
 * ```
 */
export function listPrompts(
  connection: Connected,
  options: CallOptions = {},
): Promise<Result<PromptList>> {
  return inSession(connection, options, async (session, call) => {
    const listed = await wholeList(session, PROMPTS, call);
    if (!listed.ok) return listed;
    const { items, ...facts } = listed.value;
    return ok({ prompts: items, ...facts });
  });
}

/**
 * One page of the prompts, exactly as the server sent it, `nextCursor` included.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/server/utilities/pagination
 *
 * @example
 * ```ts
 * import type { Connected } from "mcp-source";
 * import { listPromptsPage } from "mcp-source";
 * async function secondPage(connection: Connected) {
 *   return listPromptsPage(connection, { cursor: "page-2" });
 * }
 * ```
 */
export function listPromptsPage(
  connection: Connected,
  params: PageParams = {},
  options: CallOptions = {},
): Promise<Result<JsonObject>> {
  return onePage(connection, PROMPTS, params, options);
}

/**
 * A prompt with its arguments filled in: the result as it came, `messages` at least.
 *
 * Arguments are texts. What the server asks on the way is answered as with a tool call. Fails with
 * `invalid-argument` for a blank name, `unsupported` where the server has no prompts, `rpc-error`
 * (-32602) for a name or argument the server does not know.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/server/prompts
 *
 * @example
 * ```ts
 * import type { Connected } from "mcp-source";
 * import { getPrompt } from "mcp-source";
 * async function review(connection: Connected) {
 *   const prompt = await getPrompt(connection, "review", { lang: "go" });
 *   return prompt.ok ? prompt.value["messages"] : prompt.failure;
 * }
 * ```
 */
export function getPrompt(
  connection: Connected,
  name: string,
  args: Readonly<Record<string, string>> = {},
  options: CallOptions = {},
): Promise<Result<JsonObject>> {
  return inSession(connection, options, async (session, call) => {
    const problem = blankProblem("name", name) ?? textsProblem("args", args);
    if (problem !== null) return err(problem);
    const answer = await ask(session, "prompts/get", { name, arguments: args }, call);
    if (!answer.ok) return answer;
    const messages = objectsOf(answer.value, "messages");
    return messages.ok ? answer : messages;
  });
}
