/**
 * Where in a config its servers are: under one of the wrappers, or at the top.
 */
import { cut } from "../failure.ts";
import { sortedByName } from "../order.ts";
import { wrongType } from "./diagnostics.ts";
import type { Finding, Report } from "./diagnostics.ts";
import { reportDuplicateNames } from "./duplicates.ts";
import { memberOf, membersByKey } from "./item.ts";
import type { Entry, Item } from "./item.ts";
import { COMMAND_KEYS, TYPE_KEYS, URL_KEYS } from "./keys.ts";

/** The servers of a config and the part of it that was read for them. */
export interface ServerMap {
  readonly entries: readonly Entry[];
  /** What was read; null when nothing was. */
  readonly at: Item | null;
}

const WRAPPERS: readonly string[] = ["mcpServers", "servers", "mcp_servers", "context_servers"];
/** Members of `mcp` that are no servers: Gemini's policy, and what VS Code asks for. */
const MCP_OPTIONS: ReadonlySet<string> = new Set([
  "allowed",
  "excluded",
  "serverCommand",
  "inputs",
]);
/** Members of a bare map that are no servers. */
const RESERVED: ReadonlySet<string> = new Set(["builtins", "agents", "a2a", "mcpServer"]);
const SERVER_KEYS: readonly string[] = [...COMMAND_KEYS, ...URL_KEYS, ...TYPE_KEYS, "open"];

const MAX_NAMES = 10;
const NAME_LENGTH = 40;

/** A wrapper that is there, by its label in messages. */
interface Wrapper {
  readonly label: string;
  readonly at: Item;
}

/** The servers of a config, each name once. */
export function findServers(root: Item, report: Report): ServerMap {
  const present = wrappersOf(root).filter(({ at }) => !reportNull(at, report));
  const candidates = present.filter(({ at }) => isMap(at));
  const used = candidates.find(({ at, label }) => entriesOf(at, label).length > 0);
  for (const { at, label } of present) {
    if (!isMap(at) && (used === undefined || label === "mcpServers")) {
      report(notAMap(at));
    }
  }
  if (used !== undefined) {
    reportSecond(candidates, used, report);
    if (used.at.value.kind === "array") {
      const message = `${used.at.path} is a list; write an object with the names as keys`;
      report({ code: "server-list", at: used.at, message });
    }
    const all = entriesOf(used.at, used.label, report);
    if (used.at.value.kind === "array") reportDuplicateNames(all, report);
    return { entries: unique(all), at: used.at };
  }
  if (present.length === 0) return bareMap(root, report);
  const empty = candidates[0];
  if (empty !== undefined) report(emptyServers(empty.at));
  return { entries: [], at: null };
}

function wrappersOf(root: Item): readonly Wrapper[] {
  const named = WRAPPERS.flatMap((label) => {
    const at = memberOf(root, label);
    return at === undefined || at.value.kind === "undefined" ? [] : [{ label, at }];
  });
  const mcp = memberOf(root, "mcp");
  if (mcp === undefined || mcp.value.kind === "undefined") return named;
  const servers = memberOf(mcp, "servers");
  if (servers !== undefined && isMap(servers) && !looksLikeServer(servers)) {
    return [...named, { label: "mcp.servers", at: servers }];
  }
  return isPolicy(mcp) ? named : [...named, { label: "mcp", at: mcp }];
}

function reportNull(at: Item, report: Report): boolean {
  if (at.value.kind !== "null") return false;
  report({ code: "null-value", at, message: `${at.path} is null and counts as absent` });
  return true;
}

function isMap({ value }: Item): boolean {
  return value.kind === "object" || value.kind === "array";
}

/** Whether `mcp` holds options only, such as Gemini's `allowed`. */
function isPolicy(mcp: Item): boolean {
  if (mcp.value.kind !== "object") return false;
  const { members } = mcp.value;
  return members.length > 0 && members.every(({ key }) => MCP_OPTIONS.has(key));
}

function notAMap(at: Item): Finding {
  const finding = wrongType(at, "object");
  return at.value.kind === "string"
    ? { ...finding, hint: "a plugin names a file here; load that file" }
    : finding;
}

function emptyServers(at: Item): Finding {
  return { code: "empty-servers", at, message: "the config names no servers" };
}

/** Another wrapper counts when something in it looks like a server: `servers` means much elsewhere. */
function reportSecond(candidates: readonly Wrapper[], used: Wrapper, report: Report): void {
  for (const other of candidates) {
    if (other === used) continue;
    if (!entriesOf(other.at, other.label).some(({ item }) => looksLikeServer(item))) continue;
    const message = `both ${used.label} and ${other.label} hold entries; using ${used.label}`;
    report({ code: "multiple-wrappers", at: other.at, message });
  }
}

function entriesOf(at: Item, label: string, report?: Report): readonly Entry[] {
  if (at.value.kind === "array") {
    return at.value.items.map((item, index) => listEntry(item, index, report));
  }
  if (at.value.kind !== "object") return [];
  return at.value.members
    .filter(({ key }) => label !== "mcp" || !MCP_OPTIONS.has(key))
    .map(({ key, item }) => ({ name: key, item }));
}

/** An element names itself, or is an object with the name as its one key. */
function listEntry(item: Item, index: number, report?: Report): Entry {
  const name = memberOf(item, "name");
  if (name?.value.kind === "string") return { name: name.value.text, item };
  const [only, second] = item.value.kind === "object" ? item.value.members : [];
  if (only?.item.value.kind === "object" && second === undefined) {
    return { name: only.key, item: only.item };
  }
  if (item.value.kind === "object") {
    const message = `${item.path} has no name and is called "${index}"`;
    report?.({ code: "missing-name", at: item, message });
  }
  return { name: String(index), item };
}

/** Of entries with one name the last counts. */
function unique(entries: readonly Entry[]): readonly Entry[] {
  const byName = new Map(entries.map((entry) => [entry.name, entry]));
  return sortedByName(byName.values(), (entry) => entry.name);
}

function bareMap(root: Item, report: Report): ServerMap {
  const entries = [...membersByKey(root)]
    .map(([name, item]) => ({ name, item }))
    .filter(
      ({ name, item }) => !RESERVED.has(name) && !/^[$_]/.test(name) && !isOption(name, item),
    );
  if (entries.length === 0) {
    report(emptyServers(root));
    return { entries, at: null };
  }
  if (entries.some(({ item }) => looksLikeServer(item))) {
    return { entries: unique(entries), at: root };
  }
  const names = unique(entries).map(({ name }) => cut(name, NAME_LENGTH));
  const listed = names.length > MAX_NAMES ? [...names.slice(0, MAX_NAMES), "…"] : names;
  const message = `no mcpServers, servers or mcp object; found: ${listed.join(", ")}`;
  const hint = hintFor(root);
  report({ code: "no-servers", at: root, message, ...(hint !== undefined && { hint }) });
  return { entries: [], at: null };
}

/** Members of the top that are no server by what they hold. */
function isOption(name: string, item: Item): boolean {
  const { kind } = item.value;
  if (name === "naming") return kind !== "object";
  if (name === "inputs") return kind === "array";
  if (name === "mcp" && isPolicy(item)) return true;
  return kind === "null" && (name === "mcp" || WRAPPERS.includes(name));
}

/** Whether an object has a member that only servers have. */
function looksLikeServer(item: Item): boolean {
  return SERVER_KEYS.some((key) => {
    const member = memberOf(item, key);
    return member !== undefined && member.value.kind !== "undefined";
  });
}

function hintFor(root: Item): string | undefined {
  if (looksLikeServer(root)) return "this is one server; put it under mcpServers with a name";
  if (memberOf(root, "packages") !== undefined || memberOf(root, "remotes") !== undefined) {
    return "this reads like a server.json of the registry, which describes a server and starts none";
  }
  const server = memberOf(root, "server");
  if (server !== undefined && memberOf(server, "mcp_config") !== undefined) {
    return "this reads like an MCPB manifest; put its server.mcp_config under mcpServers with a name";
  }
  return undefined;
}
