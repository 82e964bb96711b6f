/**
 * What a config says, as data: servers with their variables unexpanded, and what was found on the way.
 *
 * Lives in this folder: reading any dialect into these records, expanding variables, and one file
 * that reads a config from disk. Not here: connecting anything.
 */
import type { DiagnosticCode, Severity } from "./codes.ts";

export type { DiagnosticCode, Severity } from "./codes.ts";

/** One server of a config, as written; variables are not expanded. */
export interface ServerConfig {
  readonly name: string;
  readonly kind: "local" | "remote" | "unknown";
  readonly transport: "stdio" | "http" | "sse" | "auto" | null;
  readonly enabled: boolean;
  /** One budget for connecting, negotiating and listing, in milliseconds. */
  readonly timeoutMs: number;
  /** The budget of one call, in milliseconds; `timeoutMs` when absent. */
  readonly callTimeoutMs?: number;
  /** Program and arguments of a local server. */
  readonly argv?: readonly string[];
  /** The child's folder, as written. */
  readonly cwd?: string;
  /** Variables for the child; null removes an inherited one. */
  readonly env?: Readonly<Record<string, string | null>>;
  /** What a child inherits: `safe` (default), everything, nothing, or these names on top of `safe`. */
  readonly inheritEnv?: "safe" | boolean | readonly string[];
  readonly url?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Which tools to expose, by their original names; absent = all. */
  readonly tools?: ToolFilter;
  /** Whether a load without this server counts as failed. */
  readonly required?: boolean;
  /** Which generation of the protocol to speak; `auto` when absent. */
  readonly era?: "auto" | "legacy" | "modern";
  /** A transport of the caller's own, a function; the server then has kind `unknown`. */
  readonly open?: unknown;
  /** Every variable in the command, cwd, env, url and headers, in that order; absent = none. */
  readonly variables?: readonly VariableUse[];
  /** JSON pointer of the entry in the config. */
  readonly source: string;
  /** Codes of the diagnostics that keep this server from being connected. */
  readonly problems: readonly DiagnosticCode[];
}

/** One place where a config refers to a variable. */
export interface VariableUse {
  /** `env:NAME`, `input:ID`, `file:PATH` or `predef:NAME`. */
  readonly name: string;
  readonly hasDefault: boolean;
  /** JSON pointer of the text that holds it. */
  readonly path: string;
}

/** An allow list and a deny list of original tool names; deny wins. */
export interface ToolFilter {
  readonly allow?: readonly string[];
  readonly deny?: readonly string[];
}

/** One finding about a config. */
export interface Diagnostic {
  readonly code: DiagnosticCode;
  readonly severity: Severity;
  /** One line; values of the config are never in it. */
  readonly message: string;
  /** JSON pointer of the place. */
  readonly path: string;
  readonly server?: string;
  /** From 1; only for text input. */
  readonly line?: number;
  /** From 1; only for text input. */
  readonly column?: number;
  readonly expected?: string;
  readonly actual?: string;
  readonly didYouMean?: string;
  readonly hint?: string;
}

/** A config, read: every key of its server map is in `servers`, in code point order. */
export interface ParsedConfig {
  readonly servers: readonly ServerConfig[];
  readonly diagnostics: readonly Diagnostic[];
  /** Whether no diagnostic is an error. */
  readonly ok: boolean;
  /** Where relative paths start; absent = the process's own folder. */
  readonly baseDir?: string;
  /** The rule for the exposed names, when the config names one beside its servers. */
  readonly naming?: "plain" | "stable";
}
