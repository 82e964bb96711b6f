/**
 * `check`: what is wrong with configs, without starting or asking any server.
 */
import { visible } from "../index.ts";
import type { ParsedConfig, Severity } from "../index.ts";
import type { CheckCommand, Settings } from "./command-line.ts";
import { EXIT } from "./exit-code.ts";
import { findingLines } from "./finding-text.ts";
import type { Host } from "./host.ts";
import { configFiles, configFindings, readConfig } from "./open-config.ts";
import { NO_COUNTS, problemLines, refusal } from "./outcome.ts";
import type { Finding, Outcome, Problem, TextStyle } from "./outcome.ts";
import type { Voice } from "./voice.ts";

/** A file that was looked at. */
interface CheckedFile {
  readonly file: string;
  /** Null when it could not be read. */
  readonly parsed: ParsedConfig | null;
  readonly findings: readonly Finding[];
}

/** Reads the configs and reports everything there is to say about them. */
export async function check(
  command: CheckCommand,
  settings: Settings,
  host: Host,
  voice: Voice,
): Promise<Outcome> {
  const found = configFiles([...command.files, ...settings.configs], host, voice);
  if (!found.ok) return refusal("check", [found.problem]);
  const checked: CheckedFile[] = [];
  const problems: Problem[] = [];
  for (const path of found.files) {
    const opened = await readConfig(path, host, {
      checksVariables: true,
      isStrict: command.isStrict,
    });
    if (!opened.ok) problems.push(opened.problem);
    else {
      const { file, parsed } = opened;
      checked.push({ file, parsed, findings: configFindings(parsed, file) });
    }
  }
  return checkOutcome(checked, problems, command.isStrict);
}

/** The outcome of files that were looked at, and of those that could not be. */
function checkOutcome(
  checked: readonly CheckedFile[],
  problems: readonly Problem[],
  isStrict: boolean,
): Outcome {
  const findings = checked.flatMap((one) => one.findings);
  const grave: readonly Severity[] = isStrict ? ["error", "warning"] : ["error"];
  const hasGrave = findings.some(({ severity }) => grave.includes(severity));
  return {
    command: "check",
    exitCode: problems.length > 0 ? EXIT.unusable : hasGrave ? EXIT.findings : EXIT.done,
    couldRun: checked.length > 0,
    counts: NO_COUNTS,
    findings,
    problems,
    members: {
      files: checked.map(({ file, parsed }) => ({
        file,
        servers: parsed?.servers.map((server) => server.name) ?? [],
      })),
    },
    result: (style) => checked.map((one) => fileText(one, style)).join("\n\n"),
    remarks: ({ paint }) => problems.flatMap((problem) => problemLines(problem, paint)),
  };
}

function fileText({ file, parsed, findings }: CheckedFile, style: TextStyle): string {
  const servers = parsed?.servers.length ?? 0;
  const summary = `${visible(file)}: ${counted(servers, "server")}, ${findingCounts(findings)}`;
  return [...findings.flatMap((finding) => findingLines(finding, style)), summary].join("\n");
}

/** `2 errors, 1 warning`, or `nothing found`. */
export function findingCounts(findings: readonly Finding[]): string {
  const parts = (["error", "warning", "info"] as const).flatMap((severity) => {
    const count = findings.filter((finding) => finding.severity === severity).length;
    return count === 0 ? [] : [severity === "info" ? `${count} info` : counted(count, severity)];
  });
  return parts.length === 0 ? "nothing found" : parts.join(", ");
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
