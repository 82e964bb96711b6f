/**
 * A finding for people: the place, what it is, and the way out.
 */
import { visible } from "../index.ts";
import type { Severity } from "../index.ts";
import type { Finding, Location, TextStyle } from "./outcome.ts";
import type { Tone } from "./style.ts";

const TONES: Readonly<Record<Severity, Tone>> = { error: "bad", warning: "warning", info: "faint" };

/** The lines of a finding; the first begins with the place, as editors and CI logs link it. */
export function findingLines(finding: Finding, { paint }: TextStyle): readonly string[] {
  const { severity, id, message, pointer, fix } = finding;
  const head = `${locationText(finding.location)}${paint(TONES[severity], severity)}: ${visible(message)} ${paint("faint", `[${id}]`)}`;
  const isSaid = pointer === undefined || pointer === "" || message.includes(pointer);
  return [
    head,
    ...(isSaid ? [] : [`  at ${visible(pointer)}`]),
    ...(finding.details ?? []).map((line) => `  ${visible(line)}`),
    ...(fix === undefined ? [] : [`  ${paint("strong", "Fix:")} ${visible(fix)}`]),
  ];
}

/** `mcp.json:12:5: `, as far as the place is known; empty without one. */
export function locationText(location: Location | undefined): string {
  if (location === undefined) return "";
  const { file, line, column } = location;
  const numbers = [line, column].filter((number) => number !== undefined);
  return `${visible([file, ...numbers].join(":"))}: `;
}
