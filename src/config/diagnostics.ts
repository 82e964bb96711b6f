/**
 * From findings to diagnostics: whose they are, how grave, where, and in which order.
 */
import { cut, visible } from "../failure.ts";
import { compareCodePoints } from "../order.ts";
import { severityOf } from "./codes.ts";
import type { DiagnosticCode, Severity } from "./codes.ts";
import type { Item } from "./item.ts";
import type { Diagnostic } from "./server.ts";

/** What a reader has to say about a place. */
export interface Finding {
  readonly code: DiagnosticCode;
  readonly at: Pick<Item, "path" | "offset">;
  readonly message: string;
  /** Only where one code has two severities. */
  readonly severity?: Severity;
  readonly expected?: string;
  readonly actual?: string;
  readonly didYouMean?: string;
  readonly hint?: string;
}

/** Where readers put their findings. */
export type Report = (finding: Finding) => void;

/** The position of an offset, both from 1. */
export type PositionOf = (offset: number) => { readonly line: number; readonly column: number };

const KEY_LENGTH = 80;

/** A name of the config for a message: quoted, not too long. */
export function quoted(name: string): string {
  return `"${cut(name, KEY_LENGTH)}"`;
}

/** A value of another type than the one that is needed; says the types, never the value. */
export function wrongType(at: Item, expected: string, words: string = expected): Finding {
  const actual = at.value.kind;
  const message = `${at.path === "" ? "the config" : at.path}: expected ${words}, found ${actual}`;
  return { code: "wrong-type", at, message, expected, actual };
}

/** What is known about a server when its diagnostics are made. */
export interface Owner {
  readonly name: string;
  readonly enabled: boolean;
}

/** How findings become diagnostics. */
export interface DiagnosticRules {
  readonly isStrict: boolean;
  /** The server whose entry holds this pointer. */
  readonly ownerOf: (path: string) => Owner | undefined;
  readonly positionOf: PositionOf | null;
}

/** The diagnostics in the order of the text, or of the pointers where there is no text. */
export function toDiagnostics(findings: readonly Finding[], rules: DiagnosticRules): Diagnostic[] {
  return [...findings]
    .sort(
      (a, b) => (a.at.offset ?? 0) - (b.at.offset ?? 0) || compareCodePoints(a.at.path, b.at.path),
    )
    .map((finding) => toDiagnostic(finding, rules));
}

/** The severity a finding has by itself, whether or not its server is enabled. */
export function ownSeverity(finding: Finding, isStrict: boolean): Severity {
  const severity = severityOf(finding.code, isStrict);
  return isStrict ? severity : (finding.severity ?? severity);
}

function toDiagnostic(finding: Finding, rules: DiagnosticRules): Diagnostic {
  const { code, at, message, severity: _own, ...details } = finding;
  const owner = rules.ownerOf(at.path);
  const severity = ownSeverity(finding, rules.isStrict);
  const position = at.offset === null ? undefined : rules.positionOf?.(at.offset);
  return {
    code,
    // Nothing of a disabled server runs, so nothing of it can fail a load.
    severity: severity === "error" && owner?.enabled === false ? "warning" : severity,
    message: visible(message),
    path: at.path,
    ...(owner === undefined ? {} : { server: owner.name }),
    ...position,
    ...details,
  };
}
