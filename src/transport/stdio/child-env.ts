/**
 * What a child process finds in its environment, decided without reading any.
 */
import { nameMap } from "../../json.ts";

/** What a child inherits: `safe` (a short list), everything, nothing, or these names on top of `safe`. */
export type Inherit = "safe" | boolean | readonly string[];

/** Variables by name; an absent value is no variable. */
export type Variables = Readonly<Record<string, string | undefined>>;

const SAFE_POSIX: ReadonlySet<string> = wordSet(
  "HOME LOGNAME PATH SHELL USER TERM COLORTERM NO_COLOR LANG LANGUAGE TZ TMPDIR TMP TEMP",
);

/** Proxies and certificate authorities: without them a child behind a proxy reaches nothing. */
const SAFE_EVERYWHERE: ReadonlySet<string> = wordSet(
  `HTTP_PROXY HTTPS_PROXY ALL_PROXY NO_PROXY SSL_CERT_FILE SSL_CERT_DIR NODE_EXTRA_CA_CERTS
   REQUESTS_CA_BUNDLE CURL_CA_BUNDLE AWS_CA_BUNDLE GIT_SSL_CAINFO PIP_CERT DENO_CERT`,
);

/** Also what git, npm and .NET refuse to start without. */
const SAFE_WINDOWS: ReadonlySet<string> = wordSet(
  `ALLUSERSPROFILE APPDATA COMMONPROGRAMFILES COMMONPROGRAMFILES(X86) COMMONPROGRAMW6432
   COMPUTERNAME COMSPEC HOMEDRIVE HOMEPATH LOCALAPPDATA NUMBER_OF_PROCESSORS OS PATH PATHEXT
   PROCESSOR_ARCHITECTURE PROGRAMDATA PROGRAMFILES PROGRAMFILES(X86) PROGRAMW6432 PSMODULEPATH
   PUBLIC SYSTEMDRIVE SYSTEMROOT TEMP TMP USERDOMAIN USERNAME USERPROFILE WINDIR
   HOME LANG TERM TZ NO_COLOR`,
);

/**
 * The whole environment of a child: what it inherits, and the configured variables over that.
 *
 * A configured `null` removes an inherited variable. Inherited values that start with `()` are
 * shell functions and are dropped. On Windows names are the same in any case, and the configured
 * spelling wins.
 *
 * @param configured - The server's own variables, expanded.
 * @param inherit - What to take over from the parent.
 * @param parentEnv - The parent's environment.
 * @param platform - As in `process.platform`.
 *
 * @example
 * ```ts
 * import { childEnv } from "mcp-source";
 * childEnv({ A: "1" }, "safe", { HOME: "/home/me", SECRET: "x" }, "linux"); // { HOME: "/home/me", A: "1" }
 * ```
 */
export function childEnv(
  configured: Readonly<Record<string, string | null>>,
  inherit: Inherit,
  parentEnv: Variables,
  platform: string,
): Readonly<Record<string, string>> {
  const sameName = platform === "win32" ? upperCase : asWritten;
  const chosen = new Map<string, readonly [name: string, value: string]>();
  for (const [name, value] of entriesIn(parentEnv)) {
    if (typeof value !== "string" || value.startsWith("()")) continue;
    if (isInherited(name, inherit, platform)) chosen.set(sameName(name), [name, value]);
  }
  for (const [name, value] of entriesIn(configured)) {
    chosen.delete(sameName(name));
    if (typeof value === "string") chosen.set(sameName(name), [name, value]);
  }
  return nameMap(chosen.values());
}

function entriesIn(variables: unknown): readonly (readonly [string, unknown])[] {
  return typeof variables === "object" && variables !== null ? Object.entries(variables) : [];
}

function isInherited(name: string, inherit: Inherit, platform: string): boolean {
  if (typeof inherit === "boolean") return inherit;
  const isSafe = platform === "win32" ? isSafeOnWindows(name) : isSafeOnPosix(name);
  if (isSafe || inherit === "safe") return isSafe;
  const sameName = platform === "win32" ? upperCase : asWritten;
  if (!Array.isArray(inherit)) return false;
  return inherit.some((other) => typeof other === "string" && sameName(other) === sameName(name));
}

function isSafeOnPosix(name: string): boolean {
  if (SAFE_POSIX.has(name) || SAFE_EVERYWHERE.has(name)) return true;
  if (name.startsWith("LC_") || name.startsWith("XDG_")) return true;
  return name.toLowerCase() === name && SAFE_EVERYWHERE.has(name.toUpperCase());
}

function isSafeOnWindows(name: string): boolean {
  return SAFE_WINDOWS.has(name.toUpperCase()) || SAFE_EVERYWHERE.has(name.toUpperCase());
}

function upperCase(name: string): string {
  return name.toUpperCase();
}

function asWritten(name: string): string {
  return name;
}

function wordSet(words: string): ReadonlySet<string> {
  return new Set(words.split(/\s+/));
}
