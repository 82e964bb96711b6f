/**
 * The catalogue of what `parseConfig` can find, with the severity of each finding.
 *
 * Codes are stable: a pipeline may match on them. Texts may be improved at any time.
 */
const SEVERITIES = {
  syntax: "error",
  "too-deep": "error",
  bom: "info",
  "not-strict-json": "info",
  "duplicate-key": "error",
  "wrong-type": "error",
  "no-servers": "error",
  "empty-servers": "warning",
  "multiple-wrappers": "error",
  "server-list": "warning",
  "missing-name": "error",
  "empty-name": "error",
  "name-collision": "warning",
  "missing-command-or-url": "error",
  "missing-command": "error",
  "missing-url": "error",
  "empty-command": "error",
  "empty-url": "error",
  "both-command-and-url": "error",
  "unknown-type": "error",
  "unsupported-transport": "error",
  "invalid-url": "error",
  "invalid-header": "error",
  "invalid-env-name": "error",
  "nul-character": "error",
  "undefined-variable": "error",
  "unresolved-input": "error",
  "unsupported-variable": "error",
  "unreadable-file": "error",
  "nested-variable": "warning",
  "bare-dollar": "warning",
  "tilde-not-expanded": "warning",
  "timeout-not-positive": "error",
  "timeout-too-large": "error",
  "timeout-suspicious": "warning",
  "coerced-value": "warning",
  "null-value": "warning",
  "unknown-key": "warning",
  "unsupported-key": "warning",
  "ignored-key": "warning",
  "conflicting-keys": "warning",
  "nested-transport": "warning",
  "legacy-command-object": "warning",
  "env-list": "warning",
  "args-after-command-array": "warning",
  "command-has-spaces": "warning",
  "empty-allow-list": "warning",
  "surrounding-whitespace": "warning",
  "plain-text-secret": "warning",
  "placeholder-value": "warning",
  "insecure-url": "warning",
} as const;

/** The stable code of a finding about a config. */
export type DiagnosticCode = keyof typeof SEVERITIES;

/** How grave a finding is; a server with an error is not connected. */
export type Severity = "error" | "warning" | "info";

/** Warnings that `strict` turns into errors: what was read is a guess at what was meant. */
const STRICT_CODES: ReadonlySet<DiagnosticCode> = new Set<DiagnosticCode>([
  "unknown-key",
  "coerced-value",
  "null-value",
  "command-has-spaces",
  "timeout-suspicious",
  "duplicate-key",
]);

/** The severity of a code, before a disabled server's errors are taken for warnings. */
export function severityOf(code: DiagnosticCode, isStrict: boolean): Severity {
  return isStrict && STRICT_CODES.has(code) ? "error" : SEVERITIES[code];
}
