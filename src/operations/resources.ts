/**
 * Resources: what a server lets its clients read, by URI.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/server/resources
 */
import { err, ok } from "../failure.ts";
import type { Failure, Result } from "../failure.ts";
import { isObject } from "../json.ts";
import type { JsonObject } from "../json.ts";
import { hintsWith } from "../lifecycle/list-tools.ts";
import type { CallOptions, Connected } from "../lifecycle/records.ts";
import type { Session } from "../lifecycle/session.ts";
import type { CacheHints } from "../protocol/cache-hints.ts";
import { INVALID_PARAMS } from "../protocol/messages.ts";
import { blankProblem } from "./arguments.ts";
import { expandUri } from "./expand-uri.ts";
import type { TemplateValue } from "./expand-uri.ts";
import { ask, inSession, objectsOf } from "./operation.ts";
import { onePage, wholeList } from "./paged.ts";
import type { ListFacts, ListKind, PageParams } from "./paged.ts";

/** A resource as its server lists it; further members are kept. */
export interface Resource extends JsonObject {
  readonly uri: string;
}

/** Every resource a server lists, in the server's order. */
export interface ResourceList extends ListFacts {
  readonly resources: readonly Resource[];
}

/** A template of resources as its server lists it; further members are kept. */
export interface ResourceTemplate extends JsonObject {
  readonly uriTemplate: string;
}

/** Every template of a server, in the server's order. */
export interface ResourceTemplateList extends ListFacts {
  readonly resourceTemplates: readonly ResourceTemplate[];
}

/** What reading a resource gave. */
export interface ResourceContents {
  /** The parts as they came, each with `text` or with base64 in `blob`. */
  readonly contents: readonly JsonObject[];
  /** How long it stays fresh; only in the 2026-07-28 revision. */
  readonly cache?: CacheHints;
  /** The whole result as it came. */
  readonly result: JsonObject;
}

const RESOURCES: ListKind<Resource> = {
  method: "resources/list",
  key: "resources",
  id: "uri",
  isItem: (item): item is Resource => typeof item["uri"] === "string",
};

const TEMPLATES: ListKind<ResourceTemplate> = {
  method: "resources/templates/list",
  key: "resourceTemplates",
  id: "uriTemplate",
  isItem: (item): item is ResourceTemplate => typeof item["uriTemplate"] === "string",
};

/**
 * Lists every resource, page by page.
 *
 * Ends at a cursor seen before; more than 1 000 pages or 100 000 entries is `limit`. `timeoutMs` is
 * for the whole list. Fails with `unsupported` where the server has no resources.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/server/resources
 *
 * @example
 * ```ts
 * import type { Connected } from "mcp-source";
 * import { listResources } from "mcp-source";
 * async function uris(connection: Connected): Promise<readonly string[]> {
 *   const listed = await listResources(connection);
 *   return listed.ok ? listed.value.resources.map((resource) => resource.uri) : [];
 * }
 * ```
 */
export function listResources(
  connection: Connected,
  options: CallOptions = {},
): Promise<Result<ResourceList>> {
  return inSession(connection, options, async (session, call) => {
    const listed = await wholeList(session, RESOURCES, call);
    if (!listed.ok) return listed;
    const { items, ...facts } = listed.value;
    return ok({ resources: items, ...facts });
  });
}

/**
 * One page of the resources, exactly as the server sent it, `nextCursor` included.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/server/utilities/pagination
 *
 * @example
 * ```ts
 * import type { Connected } from "mcp-source";
 * import { listResourcesPage } from "mcp-source";
 * const firstPage = (connection: Connected) => listResourcesPage(connection);
 * ```
 */
export function listResourcesPage(
  connection: Connected,
  params: PageParams = {},
  options: CallOptions = {},
): Promise<Result<JsonObject>> {
  return onePage(connection, RESOURCES, params, options);
}

/**
 * Lists every resource template, page by page, as `listResources` does.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/server/resources#resource-templates
 *
 * @example
 * ```ts
 * import type { Connected } from "mcp-source";
 * import { listResourceTemplates } from "mcp-source";
 * async function templates(connection: Connected): Promise<readonly string[]> {
 *   const listed = await listResourceTemplates(connection);
 *   return listed.ok ? listed.value.resourceTemplates.map((one) => one.uriTemplate) : [];
 * }
 * ```
 */
export function listResourceTemplates(
  connection: Connected,
  options: CallOptions = {},
): Promise<Result<ResourceTemplateList>> {
  return inSession(connection, options, async (session, call) => {
    const listed = await wholeList(session, TEMPLATES, call);
    if (!listed.ok) return listed;
    const { items, ...facts } = listed.value;
    return ok({ resourceTemplates: items, ...facts });
  });
}

/**
 * One page of the resource templates, exactly as the server sent it, `nextCursor` included.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/server/utilities/pagination
 *
 * @example
 * ```ts
 * import type { Connected } from "mcp-source";
 * import { listResourceTemplatesPage } from "mcp-source";
 * const firstPage = (connection: Connected) => listResourceTemplatesPage(connection);
 * ```
 */
export function listResourceTemplatesPage(
  connection: Connected,
  params: PageParams = {},
  options: CallOptions = {},
): Promise<Result<JsonObject>> {
  return onePage(connection, TEMPLATES, params, options);
}

/**
 * Reads a resource; the URI travels as it is written, not normalised.
 *
 * Fails with `invalid-argument` for a blank URI, `unsupported` where the server has no resources, and
 * with an `rpc-error` that `isResourceNotFound` recognises when there is none under the URI.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/server/resources#reading-resources
 *
 * @example
 * ```ts
 * import type { Connected } from "mcp-source";
 * import { readResource } from "mcp-source";
 * async function firstText(connection: Connected, uri: string) {
 *   const read = await readResource(connection, uri);
 *   return read.ok ? read.value.contents[0]?.["text"] : undefined;
 * }
 * ```
 */
export function readResource(
  connection: Connected,
  uri: string,
  options: CallOptions = {},
): Promise<Result<ResourceContents>> {
  return inSession(connection, options, async (session, call) => {
    const problem = blankProblem("uri", uri);
    return problem === null ? read(session, uri, call) : err(problem);
  });
}

/**
 * Expands a URI template with `expandUri` and reads what is there.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/server/resources#resource-templates
 *
 * @example
 * ```ts
 * import type { Connected } from "mcp-source";
 * import { readTemplate } from "mcp-source";
 * const greet = (connection: Connected) =>
 *   readTemplate(connection, "greeting://{name}", { name: "Ada" });
 * ```
 */
export function readTemplate(
  connection: Connected,
  template: string,
  variables: Readonly<Record<string, TemplateValue>>,
  options: CallOptions = {},
): Promise<Result<ResourceContents>> {
  return inSession(connection, options, async (session, call) => {
    const uri = expandUri(template, variables);
    if (!uri.ok) return uri;
    const problem = blankProblem("the expanded uri", uri.value);
    return problem === null ? read(session, uri.value, call) : err(problem);
  });
}

async function read(
  session: Session,
  uri: string,
  options: CallOptions,
): Promise<Result<ResourceContents>> {
  const answer = await ask(session, "resources/read", { uri }, options);
  if (!answer.ok) return answer;
  const contents = objectsOf(answer.value, "contents");
  if (!contents.ok) return contents;
  const hints = hintsWith(session, undefined, answer.value);
  return ok({
    contents: contents.value,
    ...(hints === undefined ? {} : { cache: hints }),
    result: answer.value,
  });
}

/** The code for a resource that is not there, before 2026-07-28. */
const RESOURCE_NOT_FOUND = -32002;

/**
 * Whether a failure of reading says that there is no such resource: -32002 up to 2025-11-25, -32602
 * since.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/server/resources#error-handling
 *
 * @example
 * ```ts
 * import { isResourceNotFound } from "mcp-source";
 * isResourceNotFound({ tag: "rpc-error", code: -32002, message: "no such file" }); // true
 * ```
 */
export function isResourceNotFound(failure: Failure): boolean {
  if (!isObject(failure) || failure.tag !== "rpc-error") return false;
  return failure.code === RESOURCE_NOT_FOUND || failure.code === INVALID_PARAMS;
}
