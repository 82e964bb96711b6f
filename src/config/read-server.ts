/**
 * From one entry of a server map, in any dialect, to one server.
 */
import { nameMap } from "../json.ts";
import { readCommand } from "./command.ts";
import { quoted, wrongType } from "./diagnostics.ts";
import type { Report } from "./diagnostics.ts";
import { readEnv, readHeaders, readInheritEnv, readUrl } from "./endpoint.ts";
import { conflict, readBoolean, readChoice, readString } from "./fields.ts";
import type { Fields } from "./fields.ts";
import { hoistedFields } from "./hoist.ts";
import type { Entry, Item } from "./item.ts";
import { isReadKey, LOCAL_KEYS, REMOTE_KEYS, reportKeys } from "./keys.ts";
import { readReach } from "./kind.ts";
import type { Reach } from "./kind.ts";
import { lintServer } from "./lints.ts";
import type { ExpandOptions } from "./resolve-variable.ts";
import type { ServerConfig } from "./server.ts";
import { checkTemplates, checkVariables, variableUses } from "./texts.ts";
import type { Texts, UsedTexts } from "./texts.ts";
import { readTimeouts } from "./timeouts.ts";
import type { TimeoutUnit } from "./timeouts.ts";
import { readToolFilter } from "./tool-filter.ts";

/** A server before it is known which of its findings are errors. */
export type ServerReading = Omit<ServerConfig, "problems">;

/** What is the same for every server of a config. */
export interface ReadRules {
  readonly unit: TimeoutUnit;
  /** When given, variables without a value are reported. */
  readonly variables?: ExpandOptions | undefined;
}

/** The server of an entry; whatever stands there, there is one. */
export function readServer(entry: Entry, rules: ReadRules, report: Report): ServerReading {
  const { name, item } = entry;
  if (item.value.kind !== "object") report(wrongType(item, "object"));
  const all = hoistedFields(item, report);
  reportKeys(all, report);
  const fields = withoutNulls(all, report);
  const texts = readTexts(fields, report);
  const open = readOpen(fields, report);
  const reach = reachOf(item, fields, texts, report);
  const used = usedTexts(texts, reach);
  const variables = variableUses(used);
  checkTemplates(used, report);
  if (rules.variables !== undefined) checkVariables(used, rules.variables, report);
  lintServer(texts, report);
  reportIgnored(fields, reach, texts, report);
  const required = readFlag(fields, "required", report);
  const era = readEra(fields, report);
  const tools = readToolFilter(fields, report);
  const inheritEnv = readInheritEnv(fields, report);
  return {
    name,
    ...reach,
    enabled: readEnabled(fields, report),
    ...readTimeouts(fields, rules.unit, report),
    ...usedMembers(used),
    ...(reach.kind === "local" && inheritEnv !== undefined && { inheritEnv }),
    ...(tools !== undefined && { tools }),
    ...(required !== undefined && { required }),
    ...(era !== undefined && { era }),
    ...(open !== undefined && { open }),
    ...(variables.length > 0 && { variables }),
    source: item.path,
  };
}

function readTexts(fields: Fields, report: Report): Texts {
  const cwdAt = fields.get("cwd");
  const cwd = cwdAt === undefined ? undefined : readString(cwdAt, report);
  return {
    command: readCommand(fields, report),
    ...(cwdAt !== undefined && cwd !== undefined && { cwd: { text: cwd, at: cwdAt } }),
    env: readEnv(fields, report),
    url: readUrl(fields, report),
    headers: readHeaders(fields, report),
  };
}

function reachOf(item: Item, fields: Fields, texts: Texts, report: Report): Reach {
  const unknown: Reach = { kind: "unknown", transport: null };
  if (item.value.kind !== "object" || fields.has("open")) return unknown;
  const { command, url } = texts;
  const counterparts = {
    entry: item,
    hasUrl: url.isPresent,
    hasCommand: command.isPresent,
    isRunnable: command.argv !== undefined,
  };
  const reach = readReach(fields, counterparts, report);
  return reach.kind === "remote" && url.isForeign ? { ...reach, transport: null } : reach;
}

function usedTexts(texts: Texts, { kind }: Reach): UsedTexts {
  const { command, cwd, env, url, headers } = texts;
  const none: UsedTexts = { argv: [], env: [], headers: [] };
  if (kind === "local") {
    return { ...none, argv: command.argv ?? [], env, ...(cwd !== undefined && { cwd }) };
  }
  if (kind === "remote") {
    return { ...none, headers, ...(url.piece !== undefined && { url: url.piece }) };
  }
  return none;
}

type TextMembers = Pick<ServerConfig, "argv" | "cwd" | "env" | "url" | "headers">;

function usedMembers({ argv, cwd, env, url, headers }: UsedTexts): TextMembers {
  return {
    ...(argv.length > 0 && { argv: argv.map((piece) => piece.text) }),
    ...(cwd !== undefined && { cwd: cwd.text }),
    ...(env.length > 0 && { env: nameMap(env.map((piece) => [piece.name, piece.text])) }),
    ...(url !== undefined && { url: url.text }),
    ...(headers.length > 0 && {
      headers: nameMap(headers.map((piece) => [piece.name, piece.text])),
    }),
  };
}

function readOpen(fields: Fields, report: Report): unknown {
  const at = fields.get("open");
  if (at === undefined) return undefined;
  if (at.value.kind === "function") return at.value.call;
  report(wrongType(at, "function"));
  return undefined;
}

function readFlag(fields: Fields, key: string, report: Report): boolean | undefined {
  const at = fields.get(key);
  return at === undefined ? undefined : readBoolean(at, report);
}

function readEra(fields: Fields, report: Report): ServerConfig["era"] {
  const at = fields.get("era");
  return at === undefined ? undefined : readChoice(at, ["auto", "legacy", "modern"], report);
}

/** Off wins. `disabled: false` is what several hosts write into every entry, and says nothing. */
function readEnabled(fields: Fields, report: Report): boolean {
  const enabled = readFlag(fields, "enabled", report);
  const isActive = readFlag(fields, "isActive", report);
  const disabled = readFlag(fields, "disabled", report);
  const off = disabled === true ? "disabled" : enabled === false ? "enabled" : "isActive";
  const isOff = disabled === true || enabled === false || isActive === false;
  const on = enabled === true ? "enabled" : isActive === true ? "isActive" : undefined;
  const at = fields.get(off);
  if (isOff && on !== undefined && at !== undefined) report(conflict(at, on, off));
  return !isOff;
}

/** Members of the other kind; not said where the member of this kind is what is missing. */
function reportIgnored(fields: Fields, reach: Reach, texts: Texts, report: Report): void {
  const isOpen = fields.get("open")?.value.kind === "function";
  const keys = [
    ...(isOpen || (reach.kind === "remote" && texts.url.isPresent) ? LOCAL_KEYS : []),
    ...(isOpen || (reach.kind === "local" && texts.command.isPresent) ? REMOTE_KEYS : []),
  ];
  const kind = isOpen ? "server with a transport of its own" : `${reach.kind} server`;
  for (const key of keys) {
    const at = fields.get(key);
    if (at === undefined || isEmpty(at)) continue;
    report({ code: "ignored-key", at, message: `${quoted(key)} has no effect on a ${kind}` });
  }
}

function isEmpty({ value }: Item): boolean {
  if (value.kind === "array") return value.items.length === 0;
  return value.kind === "object" && value.members.length === 0;
}

/** Null counts as absent, so that a generator may write every member. */
function withoutNulls(fields: Fields, report: Report): Fields {
  const kept = new Map<string, Item>();
  for (const [key, at] of fields) {
    if (at.value.kind !== "null") kept.set(key, at);
    else if (isReadKey(key)) {
      report({ code: "null-value", at, message: `${at.path} is null and counts as absent` });
    }
  }
  return kept;
}
