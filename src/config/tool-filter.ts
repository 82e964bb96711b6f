/**
 * Which tools a server exposes: every dialect's lists and maps in one form.
 */
import { sortedByName } from "../order.ts";
import { wrongType } from "./diagnostics.ts";
import type { Report } from "./diagnostics.ts";
import { readBoolean, readNames } from "./fields.ts";
import type { Fields } from "./fields.ts";
import type { Item, ObjectValue } from "./item.ts";
import { ALLOW_KEYS, DENY_KEYS } from "./keys.ts";
import type { ToolFilter } from "./server.ts";

/** The filter of an entry, its names sorted, each once; undefined = all tools. */
export function readToolFilter(fields: Fields, report: Report): ToolFilter | undefined {
  const filters = [
    filterOfTools(fields.get("tools"), report),
    ...ALLOW_KEYS.map((key) => allowList(fields.get(key), report)),
    ...DENY_KEYS.map((key) => denyList(fields.get(key), report)),
  ].filter((filter) => filter !== undefined);
  const allows = filters.flatMap((filter) => (filter.allow === undefined ? [] : [filter.allow]));
  const deny = filters.flatMap((filter) => filter.deny ?? []);
  // A tool has to pass every list.
  const allow = allows.reduce<readonly string[] | undefined>(
    (kept, list) => (kept === undefined ? list : kept.filter((name) => list.includes(name))),
    undefined,
  );
  if (allow === undefined && deny.length === 0) return undefined;
  return {
    ...(allow === undefined ? {} : { allow: sortedOnce(allow) }),
    ...(deny.length === 0 ? {} : { deny: sortedOnce(deny) }),
  };
}

function filterOfTools(at: Item | undefined, report: Report): ToolFilter | undefined {
  if (at?.value.kind === "object") return filterOfMap(at, at.value, report);
  if (at?.value.kind === "string" && at.value.text === "*") return undefined;
  return allowList(at, report);
}

/** `{ name: true }` allows only the true ones; `{ name: false }` alone drops the false ones. */
function filterOfMap(at: Item, map: ObjectValue, report: Report): ToolFilter | undefined {
  const { members } = map;
  if (members.length > 0 && members.every(({ item }) => item.value.kind === "object")) {
    const message = "tools as a map of transforms is not read; use names with true or false";
    report({ code: "unsupported-key", at, message });
    return undefined;
  }
  const switches = new Map(
    members
      .filter(({ item }) => item.value.kind !== "undefined")
      .map(({ key, item }) => [key, readBoolean(item, report)]),
  );
  const names = [...switches.keys()];
  const allow = names.filter((name) => switches.get(name) === true);
  const deny = names.filter((name) => switches.get(name) === false);
  return { ...(allow.length === 0 ? {} : { allow }), deny };
}

function allowList(at: Item | undefined, report: Report): ToolFilter | undefined {
  if (at === undefined) return undefined;
  if (at.value.kind !== "array") {
    report(wrongType(at, "string[]", "array of strings"));
    return undefined;
  }
  const allow = readNames(at, report);
  if (allow === undefined || allow.includes("*")) return undefined;
  if (allow.length === 0) {
    const message = 'an empty list allows no tool; leave it out or write ["*"] for all';
    report({ code: "empty-allow-list", at, message });
  }
  return { allow };
}

function denyList(at: Item | undefined, report: Report): ToolFilter | undefined {
  const deny = at === undefined ? undefined : readNames(at, report);
  if (deny === undefined) return undefined;
  return deny.includes("*") ? { allow: [] } : { deny };
}

function sortedOnce(names: readonly string[]): readonly string[] {
  return sortedByName(new Set(names), (name) => name);
}
