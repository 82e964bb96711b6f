/**
 * Reading a config: the one pure function over all dialects.
 *
 * Text and objects become one tree (`read-text`, `read-object`), the servers are found in it
 * (`wrappers`), each is read by itself (`read-server`), and what was found on the way becomes
 * diagnostics. A bad entry costs nothing but itself.
 */
import { cut } from "../failure.ts";
import { sanitize } from "../naming/names.ts";
import { sortedByName } from "../order.ts";
import type { DiagnosticCode } from "./codes.ts";
import { ownSeverity, quoted, toDiagnostics, wrongType } from "./diagnostics.ts";
import type { Finding, PositionOf, Report } from "./diagnostics.ts";
import { reportDuplicateKeys, reportRepeated } from "./duplicates.ts";
import { readChoice } from "./fields.ts";
import { givenParseOptions } from "./given-options.ts";
import type { ParseOptions } from "./given-options.ts";
import { memberOf } from "./item.ts";
import type { Entry, Item } from "./item.ts";
import { readObject } from "./read-object.ts";
import { readServer } from "./read-server.ts";
import type { ServerReading } from "./read-server.ts";
import { readText } from "./read-text.ts";
import type { ParsedConfig, ServerConfig } from "./server.ts";
import { timeoutUnit } from "./timeouts.ts";
import { findServers } from "./wrappers.ts";

/**
 * The servers of a config, and everything that is to be said about it. Pure; never throws.
 *
 * Takes the text of a config (JSON with comments, trailing commas and a BOM) or an object, in any
 * known dialect. Every key of the server map is in `servers`, in code point order of the names; a
 * server that cannot be used has `problems`. The input is never changed. Diagnostics of a text
 * carry line and column, those of an object do not; no value of the config is ever in one.
 *
 * @example
 * ```ts
 * import { parseConfig } from "mcp-source";
 * const { servers, diagnostics, ok } = parseConfig('{"mcpServers":{"git":{"command":"git-mcp"}}}');
 * servers[0]?.argv; // ["git-mcp"]
 * ```
 */
export function parseConfig(input: unknown, options: ParseOptions = {}): ParsedConfig {
  const given = givenParseOptions(options);
  const findings: Finding[] = [];
  const report: Report = (finding) => {
    findings.push(finding);
  };
  const { root, positionOf } = readInput(input, report);
  const entries = root === null ? [] : readEntries(root, report);
  const rules = {
    unit: timeoutUnit(given.dialect, given.fileName),
    variables: given.variables && { baseDir: given.baseDir, ...given.variables },
  };
  const readings = entries.map((entry) => readServer(entry, rules, report));
  reportNames(entries, report);
  const isAllowed = policyOf(root);
  const enabled = readings.map((reading) => ({
    ...reading,
    enabled: reading.enabled && isAllowed(reading.name),
  }));
  const isStrict = given.strict === true;
  const ownerOf = ownersOf(enabled);
  const naming = readNaming(root, report);
  const errors = errorsByPath(findings, isStrict, ownerOf);
  const servers = enabled.map((reading): ServerConfig => {
    const codes = errors.get(reading.source) ?? [];
    return { ...reading, problems: sortedByName(new Set(codes), (code) => code) };
  });
  const diagnostics = toDiagnostics(findings, { isStrict, ownerOf, positionOf });
  return {
    servers,
    diagnostics,
    ok: diagnostics.every((diagnostic) => diagnostic.severity !== "error"),
    ...(given.baseDir !== undefined && { baseDir: given.baseDir }),
    ...(naming !== undefined && { naming }),
  };
}

interface Input {
  /** The config's object; null when there is none. */
  readonly root: Item | null;
  readonly positionOf: PositionOf | null;
}

function readInput(input: unknown, report: Report): Input {
  if (typeof input !== "string")
    return { root: objectOnly(readObject(input), report), positionOf: null };
  const { root, findings, positionOf } = readText(input);
  for (const finding of findings) report(finding);
  return { root: root === null ? null : objectOnly(root, report), positionOf };
}

function objectOnly(root: Item, report: Report): Item | null {
  if (root.value.kind === "object") return root;
  report(wrongType(root, "object"));
  return null;
}

function readEntries(root: Item, report: Report): readonly Entry[] {
  const { entries, at } = findServers(root, report);
  if (at !== null && at.offset !== null) {
    reportDuplicateKeys(at, report);
    if (at !== root && root.value.kind === "object") {
      // Beside the wrapper stand settings of others; only a second wrapper concerns us.
      const isOnTheWay = (path: string): boolean =>
        at.path === path || at.path.startsWith(`${path}/`);
      reportRepeated(
        root.value.members.filter(({ item }) => isOnTheWay(item.path)),
        report,
      );
    }
  }
  return entries;
}

function reportNames(entries: readonly Entry[], report: Report): void {
  const byPrefix = new Map<string, string>();
  for (const { name, item: at } of entries) {
    if (name === "") report({ code: "empty-name", at, message: "a server has an empty name" });
    if (name.trim() !== name) {
      const message = `the name ${quoted(name)} starts or ends with a blank, which is kept`;
      report({ code: "surrounding-whitespace", at, message });
    }
    const prefix = sanitize(name);
    const earlier = byPrefix.get(prefix);
    if (earlier === undefined) byPrefix.set(prefix, name);
    else {
      const message = `${quoted(earlier)} and ${quoted(name)} both become tool prefix ${cut(prefix, PREFIX_LENGTH)}_`;
      report({ code: "name-collision", at, message });
    }
  }
}

const PREFIX_LENGTH = 80;

/** Gemini: `mcp.allowed` and `mcp.excluded` switch servers on and off by name. */
function policyOf(root: Item | null): (name: string) => boolean {
  const mcp = root === null ? undefined : memberOf(root, "mcp");
  const allowed = mcp === undefined ? undefined : namesIn(memberOf(mcp, "allowed"));
  const excluded = mcp === undefined ? undefined : namesIn(memberOf(mcp, "excluded"));
  return (name) => allowed?.has(name) !== false && excluded?.has(name) !== true;
}

function namesIn(at: Item | undefined): ReadonlySet<string> | undefined {
  if (at?.value.kind !== "array") return undefined;
  const names = at.value.items.flatMap(({ value }) =>
    value.kind === "string" ? [value.text] : [],
  );
  return new Set(names);
}

/** An object is not ours: in a bare map it is a server of that name. */
function readNaming(root: Item | null, report: Report): ParsedConfig["naming"] {
  const at = root === null ? undefined : memberOf(root, "naming");
  if (at === undefined || at.value.kind === "object" || at.value.kind === "undefined")
    return undefined;
  return readChoice(at, ["plain", "stable"], report);
}

/** The server whose entry holds a pointer. */
function ownersOf(readings: readonly ServerReading[]): (path: string) => ServerReading | undefined {
  const byPath = new Map(readings.map((reading) => [reading.source, reading]));
  return (path) => {
    for (let end = path.length; end > 0; end = path.lastIndexOf("/", end - 1)) {
      const owner = byPath.get(path.slice(0, end));
      if (owner !== undefined) return owner;
    }
    return undefined;
  };
}

/** The codes of each server's errors; sorted later, for member order must not change a server. */
function errorsByPath(
  findings: readonly Finding[],
  isStrict: boolean,
  ownerOf: (path: string) => ServerReading | undefined,
): ReadonlyMap<string, readonly DiagnosticCode[]> {
  const byPath = new Map<string, DiagnosticCode[]>();
  for (const finding of findings) {
    const owner = ownerOf(finding.at.path);
    if (owner === undefined || ownSeverity(finding, isStrict) !== "error") continue;
    const codes = byPath.get(owner.source);
    if (codes === undefined) byPath.set(owner.source, [finding.code]);
    else codes.push(finding.code);
  }
  return byPath;
}
