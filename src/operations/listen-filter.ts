/**
 * What a subscription asks for, and what of it the server grants.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/subscriptions
 */
import { err, ok } from "../failure.ts";
import type { Result } from "../failure.ts";
import { isObject } from "../json.ts";
import type { Json, JsonObject } from "../json.ts";
import { invalid } from "./arguments.ts";

/** The lists a server can announce changes of. */
export type ListKindName = "tools" | "prompts" | "resources";

/** Which notifications are wanted; what is left out is not. Extensions may have members of their own. */
export interface ListenFilter extends JsonObject {
  readonly toolsListChanged?: boolean;
  readonly promptsListChanged?: boolean;
  readonly resourcesListChanged?: boolean;
  /** URIs of resources whose updates are wanted. */
  readonly resourceSubscriptions?: readonly string[];
}

const FLAGS = ["toolsListChanged", "promptsListChanged", "resourcesListChanged"] as const;

/** The filter member for a kind of list. */
export function flagOf(kind: ListKindName): (typeof FLAGS)[number] {
  return `${kind}ListChanged`;
}

/** Reads a filter of the caller's. */
export function readFilter(given: unknown): Result<ListenFilter> {
  if (!isObject(given)) return err(invalid("the filter is no object"));
  const odd = FLAGS.find((flag) => !isAbsentOr(given[flag], (value) => typeof value === "boolean"));
  if (odd !== undefined) return err(invalid(`filter.${odd} is no boolean`));
  return isFilter(given)
    ? ok(given)
    : err(invalid("filter.resourceSubscriptions is no list of strings"));
}

/** The filter a server grants, as far as it can be read. */
export function grantedBy(acknowledgement: JsonObject): ListenFilter {
  const params = isObject(acknowledgement["params"]) ? acknowledgement["params"] : {};
  const granted = params["notifications"];
  return isObject(granted) && isFilter(granted) ? granted : {};
}

/** The members of a filter that were asked for and not granted. */
export function missingIn(granted: ListenFilter, asked: ListenFilter): readonly string[] {
  return Object.keys(asked).filter((member) => {
    const wanted = asked[member];
    if (wanted === undefined || wanted === false) return false;
    const given = granted[member];
    if (!Array.isArray(wanted)) return given !== wanted;
    return !Array.isArray(given) || wanted.some((one) => !given.includes(one));
  });
}

function isFilter(value: JsonObject): value is ListenFilter {
  return (
    FLAGS.every((flag) => isAbsentOr(value[flag], (one) => typeof one === "boolean")) &&
    isAbsentOr(value["resourceSubscriptions"], isTexts)
  );
}

function isAbsentOr(value: Json | undefined, check: (value: Json) => boolean): boolean {
  return value === undefined || check(value);
}

function isTexts(value: Json): boolean {
  return Array.isArray(value) && value.every((text) => typeof text === "string");
}
