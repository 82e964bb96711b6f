/**
 * A server with its variables replaced by their values, and what of it must never be printed.
 */
import { err, ok, visible } from "../failure.ts";
import type { Result } from "../failure.ts";
import { nameMap } from "../json.ts";
import { attempt } from "./attempt.ts";
import { sortedByName } from "../order.ts";
import type { DiagnosticCode } from "./codes.ts";
import { pointer } from "./item.ts";
import { joinPath } from "./join-path.ts";
import { givenExpandOptions } from "./given-options.ts";
import { resolveVariable, userHomeOf } from "./resolve-variable.ts";
import type { ExpandOptions } from "./resolve-variable.ts";
import { serverSecrets } from "./secrets.ts";
import type { Secret } from "./secrets.ts";
import type { ServerConfig } from "./server.ts";
import { partsOf, variableName } from "./template.ts";
import type { Variable } from "./template.ts";
import { isEnvName, isHeaderName, isHeaderValue, isHttpUrl } from "./wire-rules.ts";

/** A server ready to be connected; keep it out of everything that is printed or stored. */
export interface ExpandedServer {
  /** The server, with no variable left and an absolute `cwd` where a base is known. */
  readonly server: ServerConfig;
  /** Every value that text about this server must not show; for `redactor`. */
  readonly secrets: readonly Secret[];
}

/**
 * The server with every variable in its command, cwd, env, url and headers replaced, in one pass.
 *
 * A value is put in as it is: never scanned for variables again, split, or trimmed. Fails with
 * tag `config` and the code `undefined-variable`, `unresolved-input`, `unsupported-variable`,
 * `unreadable-file`, `empty-command`, `nul-character`, `invalid-env-name`, `invalid-header` or
 * `invalid-url`; the detail names variable and place, never a value.
 *
 * @example
 * ```ts
 * import { expandServer, parseConfig } from "mcp-source";
 * const { servers } = parseConfig({ mcpServers: { docs: { url: "https://${HOST}/mcp" } } });
 * for (const server of servers) {
 *   const expanded = expandServer(server, { env: { HOST: "docs.example" } });
 *   if (expanded.ok) console.log(expanded.value.server.url); // "https://docs.example/mcp"
 * }
 * ```
 */
export function expandServer(
  server: ServerConfig,
  options: ExpandOptions = {},
): Result<ExpandedServer> {
  // A record made by hand may lack what the type promises.
  const expanded = attempt(() => expandRecord(server, givenExpandOptions(options)));
  return expanded ?? err({ tag: "config", detail: "the server is not a server of a config" });
}

function expandRecord(server: ServerConfig, options: ExpandOptions): Result<ExpandedServer> {
  const expansion = startExpansion(server, options);
  const expanded: ServerConfig = { ...server, ...expandedMembers(server, expansion) };
  if (expansion.faults.length === 0) checkExpanded(expanded, expansion.fault);
  const [first] = expansion.faults;
  if (first !== undefined) {
    const detail = [...new Set(expansion.faults.map((fault) => fault.text))].join("; ");
    return err({ tag: "config", code: first.code, detail: visible(detail) });
  }
  return ok({ server: expanded, secrets: serverSecrets(expansion.values, expanded) });
}

interface Fault {
  readonly code: DiagnosticCode;
  readonly text: string;
}

/** What one run collects: the values it put in, and what it could not do. */
interface Expansion {
  readonly options: ExpandOptions;
  readonly values: Secret[];
  readonly faults: Fault[];
  /** The text with its variables replaced. */
  readonly text: (template: string, member: string) => string;
  readonly fault: (code: DiagnosticCode, member: string, text: string) => void;
}

function startExpansion(server: ServerConfig, options: ExpandOptions): Expansion {
  const values: Secret[] = [];
  const faults: Fault[] = [];
  const places = placesByName(server);
  const valueOf = (variable: Variable, member: string): string => {
    const written = places.get(variableName(variable))?.shift();
    const resolution = resolveVariable(variable, options);
    if (resolution.kind === "value") {
      if (resolution.isSecret) values.push({ name: variable.name, value: resolution.value });
      return resolution.value;
    }
    if (options.onUndefined === "empty") return "";
    if (options.onUndefined === "keep") return variable.text;
    const place = written ?? `${server.source}${member}`;
    faults.push({ code: resolution.code, text: `${place} ${resolution.text}` });
    return "";
  };
  return {
    options,
    values,
    faults,
    text: (template, member) =>
      partsOf(template)
        .map((part) => (typeof part === "string" ? part : valueOf(part, member)))
        .join(""),
    fault: (code, member, text) => {
      faults.push({ code, text: `${server.source}${member} ${text}` });
    },
  };
}

/** Where each variable is written, its uses in the order in which they are expanded. */
function placesByName(server: ServerConfig): ReadonlyMap<string, string[]> {
  const places = new Map<string, string[]>();
  for (const { name, path } of server.variables ?? []) {
    places.set(name, [...(places.get(name) ?? []), path]);
  }
  return places;
}

type Expandable = Pick<ServerConfig, "argv" | "cwd" | "env" | "url" | "headers">;

/** In the order of `variables`: argv, cwd, env, url, headers; names in code point order. */
function expandedMembers(server: ServerConfig, expansion: Expansion): Expandable {
  const { argv, env, url, headers } = server;
  const { text } = expansion;
  return {
    ...(argv && { argv: argv.map((part, i) => text(part, pointer("/argv", i))) }),
    ...expandedCwd(server, expansion),
    ...(env && {
      env: mapValues(env, (value, name) =>
        value === null ? null : text(value, pointer("/env", name)),
      ),
    }),
    ...(url !== undefined && { url: text(url, "/url") }),
    ...(headers && {
      headers: mapValues(headers, (value, name) => text(value, pointer("/headers", name))),
    }),
  };
}

function mapValues<T>(
  record: Readonly<Record<string, T>>,
  change: (value: T, name: string) => T,
): Record<string, T> {
  const entries = sortedByName(Object.entries(record), ([name]) => name);
  return nameMap(entries.map(([name, value]) => [name, change(value, name)]));
}

/** Only `cwd` knows `~` and a base; a local server without one runs where its config lives. */
function expandedCwd(server: ServerConfig, expansion: Expansion): Pick<ServerConfig, "cwd"> {
  const { options } = expansion;
  if (server.kind !== "local" && server.cwd === undefined) return {};
  const cwd = server.cwd === undefined ? "" : expansion.text(server.cwd, "/cwd");
  const path = joinPath(cwd, options.baseDir, userHomeOf(options));
  if (path === undefined) {
    expansion.fault("undefined-variable", "/cwd", "starts with ~, and no home folder is known");
  }
  return path === undefined || path === "" ? {} : { cwd: path };
}

/** What no peer and no process can take; found here, where it can still be said readably. */
function checkExpanded(server: ServerConfig, fault: Expansion["fault"]): void {
  const { argv, cwd, env, url, headers } = server;
  const checkNul = (text: string | null, member: string): void => {
    if (text?.includes("\0") === true) fault("nul-character", member, "holds a NUL character");
  };
  if (argv !== undefined && (argv[0] ?? "").trim() === "") {
    fault("empty-command", "/argv/0", "is empty");
  }
  argv?.forEach((part, i) => checkNul(part, pointer("/argv", i)));
  if (cwd !== undefined) checkNul(cwd, "/cwd");
  for (const [name, value] of Object.entries(env ?? {})) {
    const member = pointer("/env", name);
    if (!isEnvName(name))
      fault("invalid-env-name", member, "is no name of an environment variable");
    checkNul(value, member);
  }
  if (url !== undefined && !isHttpUrl(url)) {
    fault("invalid-url", "/url", "is no absolute http or https url");
  }
  for (const [name, value] of Object.entries(headers ?? {})) {
    const member = pointer("/headers", name);
    if (!isHeaderName(name)) fault("invalid-header", member, "is no name of a header");
    if (!isHeaderValue(value)) {
      fault("invalid-header", member, "holds a character that a header cannot carry");
    }
  }
}
