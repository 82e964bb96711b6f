/**
 * Every member an entry of a server map may have, in any dialect, and what becomes of it.
 */
import { quoted } from "./diagnostics.ts";
import type { Report } from "./diagnostics.ts";
import { nearestName } from "./nearest-name.ts";
import type { Fields } from "./fields.ts";

/** Of the members that are aliases, the first in a list wins. */
export const COMMAND_KEYS: readonly string[] = ["command", "executable", "cmd"];
export const URL_KEYS: readonly string[] = [
  "httpUrl",
  "url",
  "serverUrl",
  "server_url",
  "baseUrl",
  "base_url",
  "uri",
];
export const TYPE_KEYS: readonly string[] = ["type", "transport", "transportType"];
/** Of these a later one overlays the earlier, name by name. */
export const ENV_KEYS: readonly string[] = ["env", "envs", "environment"];
export const HEADERS_KEYS: readonly string[] = ["headers", "http_headers"];
export const ALLOW_KEYS: readonly string[] = [
  "includeTools",
  "enabledTools",
  "enabled_tools",
  "allowedTools",
  "available_tools",
];
export const DENY_KEYS: readonly string[] = [
  "excludeTools",
  "disabledTools",
  "disabled_tools",
  "blockedTools",
];

/** Members that only a local server has. */
export const LOCAL_KEYS: readonly string[] = [
  ...COMMAND_KEYS,
  "args",
  "cwd",
  ...ENV_KEYS,
  "inheritEnv",
  "env_vars",
  "env_keys",
];

/** Members that only a remote server has. */
export const REMOTE_KEYS: readonly string[] = [
  ...URL_KEYS,
  ...HEADERS_KEYS,
  "requestOptions",
  "env_http_headers",
  "bearerToken",
  "bearer_token",
  "bearerTokenEnv",
  "bearer_token_env_var",
];

/** Members that any server has. */
export const COMMON_KEYS: readonly string[] = [
  ...TYPE_KEYS,
  "open",
  "enabled",
  "disabled",
  "isActive",
  "required",
  "era",
  "timeout",
  "timeoutMs",
  "timeoutSec",
  "startup_timeout_sec",
  "startup_timeout_ms",
  "connectionTimeout",
  "initTimeout",
  "callTimeout",
  "callTimeoutMs",
  "tool_timeout_sec",
  "request_timeout_ms",
  "defaultToolTimeout",
  "tools",
  ...ALLOW_KEYS,
  ...DENY_KEYS,
];

/** Members without a meaning here, which other hosts write beside the server. */
const SILENT_KEYS: readonly string[] = [
  "name",
  "title",
  "description",
  "icon",
  "iconPath",
  "id",
  "gallery",
  "source",
  "settings",
  "metadata",
  "autoApprove",
  "alwaysAllow",
  "alwaysLoad",
  "deferTools",
  "trust",
  "dev",
  "watchPaths",
  "startup",
  "lifecycle",
  "logging",
  "stderr",
  "sandbox",
  "sandboxEnabled",
  "chatMenu",
  "serverInstructions",
];

/** Members with an effect elsewhere that this library does not give, and what to do instead. */
const UNSUPPORTED_KEYS: Readonly<Record<string, string>> = {
  envFile: "load it yourself or pass env",
  oauth: "pass an authorize hook or a header",
  oauthScopes: "pass an authorize hook or a header",
  requiresOAuth: "pass an authorize hook or a header",
  auth: "pass an authorize hook or a header",
  authProviderType: "pass an authorize hook or a header",
  headersHelper: "pass an authorize hook or a header",
  refresh: "pass an authorize hook or a header",
  tokenCacheDir: "pass an authorize hook or a header",
  proxy: "set HTTPS_PROXY for the whole process",
  tcp: "use url",
  httpFetch: "there is one HTTP client",
  requestTimeout: "use callTimeout",
  sse_read_timeout: "use callTimeout",
  reconnect: "reconnecting follows the protocol",
  restart: "a server is started once for each load",
  automaticSSEFallback: 'leave out "type" to try Streamable HTTP, then SSE',
};

const READ_KEYS: ReadonlySet<string> = new Set([...LOCAL_KEYS, ...REMOTE_KEYS, ...COMMON_KEYS]);
const SILENT: ReadonlySet<string> = new Set(SILENT_KEYS);
const UNSUPPORTED: ReadonlyMap<string, string> = new Map(Object.entries(UNSUPPORTED_KEYS));
/** Written by people who want their own notes in the file. */
const NOTE = /^(?:[_$#]|\/\/|x-)/;

/** Whether a member has a meaning here. */
export function isReadKey(key: string): boolean {
  return READ_KEYS.has(key);
}

/** Says which members of an entry have no effect. */
export function reportKeys(fields: Fields, report: Report): void {
  for (const [key, at] of fields) {
    const instead = UNSUPPORTED.get(key);
    if (instead !== undefined) {
      // Switched off is what it is here anyway.
      const isOff = at.value.kind === "null" || (at.value.kind === "boolean" && !at.value.flag);
      if (!isOff) {
        report({ code: "unsupported-key", at, message: `${key} is not read; ${instead}` });
      }
    } else if (!READ_KEYS.has(key) && !SILENT.has(key) && !NOTE.test(key)) {
      const didYouMean = nearestName(key, [...READ_KEYS, ...SILENT]);
      const suggestion = didYouMean === undefined ? "" : `; did you mean ${quoted(didYouMean)}?`;
      const message = `${quoted(key)} is not a known member${suggestion}`;
      report({ code: "unknown-key", at, message, ...(didYouMean !== undefined && { didYouMean }) });
    }
  }
}
