/**
 * `doctor`: check, then connect; every finding with its cause and the way out. No tool is called.
 */
import { describeFailure } from "../index.ts";
import type { Connection, Diagnostic, Load, ParsedConfig, ServerConfig } from "../index.ts";
import { adviceFor } from "./advice.ts";
import { findingCounts } from "./check.ts";
import { chooseServers } from "./choose-servers.ts";
import type { DoctorCommand, Settings } from "./command-line.ts";
import { EXIT, worstExit } from "./exit-code.ts";
import { findingLines } from "./finding-text.ts";
import type { Host } from "./host.ts";
import { collisionJson, timingJson } from "./list.ts";
import { serverLines } from "./list-text.ts";
import {
  closeLoad,
  countsOf,
  loadExit,
  loadProblems,
  loadServers,
  serverJson,
} from "./load-servers.ts";
import { nameFindings } from "./name-findings.ts";
import { configFindings, openConfig, shownPath } from "./open-config.ts";
import { problemLines, refusal } from "./outcome.ts";
import type { Finding, Outcome, TextStyle } from "./outcome.ts";
import { timings, timingText } from "./timeline.ts";
import type { Moment, Timing } from "./timeline.ts";
import type { Voice } from "./voice.ts";

/** Examines the servers of a config. */
export async function doctor(
  command: DoctorCommand,
  settings: Settings,
  host: Host,
  voice: Voice,
): Promise<Outcome> {
  const opened = await openConfig(settings, host, voice, { checksVariables: true });
  if (!opened.ok) return refusal("doctor", [opened.problem]);
  const chosen = chooseServers(opened.parsed, command.servers);
  if (!chosen.ok) return refusal("doctor", chosen.problems);
  const moments: Moment[] = [];
  const load = await loadServers(chosen.parsed, {
    host,
    voice,
    onEvent: (event) => moments.push({ event, atMs: performance.now() }),
  });
  const examination: Examination = {
    load,
    parsed: chosen.parsed,
    file: opened.file,
    folder: shownPath(chosen.parsed.baseDir ?? ".", host.cwd),
    env: host.env,
    timings: timings(moments),
    // Whether a start was slow differs from run to run, and a report must not.
    tellsSlow: !settings.isJson || settings.hasTimings,
  };
  const outcome = doctorOutcome(examination, settings.hasTimings);
  return { ...outcome, close: () => closeLoad(load, host) };
}

/** Everything that was seen. */
interface Examination {
  readonly load: Load;
  readonly parsed: ParsedConfig;
  readonly file: string;
  /** Where servers without a `cwd` run. */
  readonly folder: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly timings: ReadonlyMap<string, Timing>;
  readonly tellsSlow: boolean;
}

/** The outcome of an examination. */
function doctorOutcome(seen: Examination, hasTimings: boolean): Outcome {
  const { load } = seen;
  const findings = examinationFindings(seen);
  const hasErrors = findings.some(({ severity }) => severity === "error");
  const problems = loadProblems(load, findings);
  const isCancelled = load.failure?.tag === "cancelled";
  return {
    command: "doctor",
    exitCode: worstExit([loadExit(load), hasErrors ? EXIT.findings : EXIT.done]),
    couldRun: load.failure === null || load.connections.length > 0,
    counts: countsOf(load),
    findings,
    problems,
    members: {
      servers: load.connections.map((found) => ({
        ...serverJson(found),
        ...(hasTimings && timingJson(seen.timings.get(found.name))),
      })),
      collisions: load.collisions.map(collisionJson),
    },
    result: (style) => (isCancelled ? "" : doctorText(seen, findings, style)),
    // The findings say more about everything but this.
    remarks: ({ paint }) =>
      isCancelled ? problems.flatMap((problem) => problemLines(problem, paint)) : [],
  };
}

function doctorText(
  { load, timings }: Examination,
  findings: readonly Finding[],
  style: TextStyle,
): string {
  const { connected, failed, disabled, tools } = countsOf(load);
  const servers = `${connected} connected, ${failed} failed, ${disabled} disabled`;
  return [
    ...serverLines(load.connections, timings, style),
    "",
    ...findings.flatMap((finding) => [...findingLines(finding, style), ""]),
    `${servers}; ${tools} tools; ${findingCounts(findings)}`,
  ].join("\n");
}

/** All findings: of the config, of each server in name order, of the names. */
function examinationFindings(seen: Examination): readonly Finding[] {
  const names = new Set(seen.parsed.servers.map((server) => server.name));
  return [
    ...configFindings(seen.parsed, seen.file, (server) => names.has(server)),
    ...seen.load.connections.flatMap((found) => serverFindings(found, seen)),
    ...nameFindings(seen.load, seen.parsed),
  ].map((finding) => placed(finding, seen));
}

/** A finding about a server points to its entry in the config. */
function placed(finding: Finding, { file }: Examination): Finding {
  return finding.location === undefined ? { ...finding, location: { file } } : finding;
}

function serverFindings(found: Connection, seen: Examination): readonly Finding[] {
  const server = seen.parsed.servers.find(({ name }) => name === found.name);
  if (server === undefined || found.status === "disabled") return [];
  const own = seen.parsed.diagnostics.filter((diagnostic) => diagnostic.server === found.name);
  if (found.status === "failed") return failureFindings(found, server, { seen, own });
  return [...slowFindings(server, seen), ...noteFindings(found, server)];
}

function failureFindings(
  connection: Connection & { readonly status: "failed" },
  server: ServerConfig,
  { seen, own }: { readonly seen: Examination; readonly own: readonly Diagnostic[] },
): readonly Finding[] {
  // The finding about the config says more, and where.
  if (connection.phase === "config" && own.some(({ severity }) => severity === "error")) return [];
  const { details, fix } = adviceFor({
    connection,
    server,
    env: seen.env,
    timing: seen.timings.get(server.name),
    folder: server.cwd ?? seen.folder,
    isShowable: own.every(({ code }) => code !== "plain-text-secret"),
  });
  const { failure, phase } = connection;
  const message = describeFailure(failure, { server: server.name, phase });
  const about = { server: server.name, pointer: server.source };
  return [{ id: failure.tag, severity: "error", message, details, fix, ...about }];
}

/** A server that needs more than half of its time will need all of it one day. */
function slowFindings(server: ServerConfig, seen: Examination): readonly Finding[] {
  const timing = seen.timings.get(server.name);
  if (timing === undefined || !seen.tellsSlow || timing.totalMs <= server.timeoutMs / 2) return [];
  return [
    {
      id: "slow-start",
      severity: "warning",
      server: server.name,
      pointer: server.source,
      message: `server "${server.name}" took more than half of its ${server.timeoutMs} ms`,
      details: [`took ${timingText(timing)}`],
      fix: `give it more time with "timeout": ${2 * server.timeoutMs} (milliseconds)`,
    },
  ];
}

function noteFindings(
  found: Connection & { readonly status: "connected" },
  server: ServerConfig,
): readonly Finding[] {
  return found.notes.map(({ code, detail }): Finding => {
    const about = { id: code, server: server.name, pointer: server.source };
    const message = `server "${server.name}": ${detail}`;
    if (code !== "unmatched-filter") {
      const fix = "nothing has to be done here; tell the author of the server";
      return { ...about, severity: "info", message, fix };
    }
    return {
      ...about,
      severity: "warning",
      message,
      fix: 'mend the name in "tools", or remove it',
    };
  });
}
