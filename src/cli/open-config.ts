/**
 * The config of a command: found, said, and read.
 */
import { homedir } from "node:os";
import { relative, resolve, sep } from "node:path";
import { loadConfigFile, visible } from "../index.ts";
import type { Diagnostic, Failure, ParsedConfig } from "../index.ts";
import type { EraChoice, Settings } from "./command-line.ts";
import { findConfigs, USUAL_PLACES } from "./find-config.ts";
import { wayOut } from "./way-out.ts";
import type { Host } from "./host.ts";
import type { Finding, Problem } from "./outcome.ts";
import type { Voice } from "./voice.ts";

/** A config that was read, or why there is none. */
export type Opened =
  | { readonly ok: true; readonly file: string; readonly parsed: ParsedConfig }
  | { readonly ok: false; readonly problem: Problem };

/** How a config is read. */
export interface Reading {
  /** Whether variables without a value are findings; else they fail their server at its start. */
  readonly checksVariables?: boolean;
  readonly isStrict?: boolean;
}

/** The files a command is about: those given, else the first that is in a usual place. */
export function configFiles(
  given: readonly string[],
  host: Host,
  voice: Voice,
):
  | { readonly ok: true; readonly files: readonly string[] }
  | { readonly ok: false; readonly problem: Problem } {
  if (given.length > 0) return { ok: true, files: given };
  const [first, ...others] = findConfigs(host.cwd);
  if (first === undefined) return { ok: false, problem: NO_CONFIG };
  const unread = others.length === 0 ? "" : `; not read: ${others.join(", ")}`;
  voice.note(`Using ${first}${unread}`);
  return { ok: true, files: [first] };
}

const NO_CONFIG: Problem = {
  tag: "config",
  message: `there is no config here; looked for ${USUAL_PLACES.join(", ")}`,
  fix: 'give one with -c PATH, or write a mcp.json such as {"mcpServers":{"NAME":{"command":"PROGRAM","args":[]}}}',
};

/** Reads the one config of a live command. */
export async function openConfig(
  settings: Settings,
  host: Host,
  voice: Voice,
  reading: Reading = {},
): Promise<Opened> {
  const found = configFiles(settings.configs, host, voice);
  if (!found.ok) return found;
  const opened = await readConfig(found.files[0] ?? "", host, reading);
  return opened.ok ? { ...opened, parsed: inEra(opened.parsed, settings.era) } : opened;
}

/** The config with every server in the era of `--era`; as it is when there is none. */
function inEra(parsed: ParsedConfig, era: EraChoice | undefined): ParsedConfig {
  if (era === undefined) return parsed;
  return { ...parsed, servers: parsed.servers.map((server) => ({ ...server, era })) };
}

/** Reads a config file. */
export async function readConfig(path: string, host: Host, reading: Reading): Promise<Opened> {
  const read = await loadConfigFile(resolve(host.cwd, path), {
    fileName: path,
    strict: reading.isStrict === true,
    ...(reading.checksVariables === true && {
      variables: { env: host.env, userHome: homedir() },
    }),
  });
  const file = shownPath(path, host.cwd);
  if (!read.ok) return { ok: false, problem: unreadable(read.failure, file) };
  return { ok: true, file, parsed: read.value };
}

function unreadable(failure: Failure, file: string): Problem {
  const why = failure.tag === "config" ? (failure.detail.split(": ").at(-1) ?? "") : failure.tag;
  return {
    tag: "config",
    message: `cannot read ${visible(file)}: ${REASONS[why] ?? why}`,
    fix: "give the path of a config with -c PATH",
  };
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: "there is no such file",
  EACCES: "it may not be read",
  EISDIR: "it is a folder",
};

/** A path as reports show it: relative to the current folder, the same on every machine. */
export function shownPath(path: string, cwd: string): string {
  const shown = relative(cwd, resolve(cwd, path));
  return shown === "" ? "." : shown.replaceAll(sep, "/");
}

/** What reading a config found, with the file and the way out. */
function configFinding(diagnostic: Diagnostic, file: string): Finding {
  const { code, severity, message, path, server, line, column } = diagnostic;
  return {
    id: code,
    severity,
    message,
    fix: wayOut(diagnostic),
    pointer: path,
    ...(server !== undefined && { server }),
    location: {
      file,
      ...(line !== undefined && { line }),
      ...(column !== undefined && { column }),
    },
  };
}

/** What reading a config found about some of its servers, or about no server in particular. */
export function configFindings(
  parsed: ParsedConfig,
  file: string,
  isChosen: (server: string) => boolean = () => true,
): readonly Finding[] {
  return parsed.diagnostics
    .filter(({ server }) => server === undefined || isChosen(server))
    .map((diagnostic) => configFinding(diagnostic, file));
}
