/**
 * `list`: which tools there are, and what became of each server.
 */
import { visible } from "../index.ts";
import type { Collision, JsonObject, Load, Tool } from "../index.ts";
import { chooseServers, namesakes } from "./choose-servers.ts";
import type { ListCommand, Settings } from "./command-line.ts";
import type { Host } from "./host.ts";
import { doctorHint } from "./list-items.ts";
import { listText } from "./list-text.ts";
import {
  closeLoad,
  countsOf,
  loadExit,
  loadProblems,
  loadServers,
  serverJson,
} from "./load-servers.ts";
import { collisionFinding } from "./name-findings.ts";
import { configFindings, openConfig } from "./open-config.ts";
import { problemLines, refusal } from "./outcome.ts";
import type { Finding, Outcome, TextStyle } from "./outcome.ts";
import { ownCommand } from "./shell-word.ts";
import { timings } from "./timeline.ts";
import type { Moment, Timing } from "./timeline.ts";
import type { Voice } from "./voice.ts";

/** Connects the servers and lists their tools. */
export async function list(
  command: ListCommand,
  settings: Settings,
  host: Host,
  voice: Voice,
): Promise<Outcome> {
  const opened = await openConfig(settings, host, voice);
  if (!opened.ok) return refusal("list", [opened.problem]);
  const chosen = chooseServers(opened.parsed, command.servers);
  if (!chosen.ok) return refusal("list", chosen.problems);
  for (const name of namesakes(opened.parsed, command.servers)) {
    voice.note(`Names may differ when server "${name}" is loaded too`);
  }
  const moments: Moment[] = [];
  const load = await loadServers(chosen.parsed, {
    host,
    voice,
    onEvent: (event) => moments.push({ event, atMs: performance.now() }),
  });
  const names = new Set(chosen.parsed.servers.map((server) => server.name));
  const findings = configFindings(opened.parsed, opened.file, (server) => names.has(server));
  const shownTimings = settings.hasTimings ? timings(moments) : null;
  const listed = { load, findings, timings: shownTimings, configs: settings.configs };
  return { ...listOutcome(listed), close: () => closeLoad(load, host) };
}

/** What was listed. */
interface Listed {
  readonly load: Load;
  readonly findings: readonly Finding[];
  /** Null when no durations are to be shown. */
  readonly timings: ReadonlyMap<string, Timing> | null;
  /** The config as it was given, for command lines that can be copied. */
  readonly configs: readonly string[];
}

/** The outcome of a load that was to be listed. */
function listOutcome(listed: Listed): Outcome {
  const { load, findings } = listed;
  const problems = loadProblems(load, findings);
  const couldRun = load.failure === null || load.connections.length > 0;
  return {
    command: "list",
    exitCode: loadExit(load),
    couldRun,
    counts: countsOf(load),
    findings,
    problems,
    members: {
      servers: load.connections.map((found) => ({
        ...serverJson(found),
        ...timingJson(listed.timings?.get(found.name)),
      })),
      tools: load.tools.map(toolJson),
      collisions: load.collisions.map(collisionJson),
    },
    result: (style) => (couldRun ? listText(load, listed.timings, style) : ""),
    remarks: (style) => [
      ...problems.flatMap((problem) => problemLines(problem, style.paint)),
      ...load.collisions.map((collision) => {
        const { message } = collisionFinding(collision);
        return `${style.paint("warning", "warning:")} ${visible(message)}`;
      }),
      ...furtherHelp(listed, style),
    ],
  };
}

/** A timing in a report, where it was asked for. */
export function timingJson(timing: Timing | undefined): JsonObject {
  if (timing === undefined) return {};
  const phasesMs = Object.fromEntries(timing.phases.map(([phase, ms]) => [phase, Math.round(ms)]));
  return { totalMs: Math.round(timing.totalMs), phasesMs };
}

function toolJson(tool: Tool): JsonObject {
  const { name, title, description, inputSchema, outputSchema, annotations } = tool;
  return {
    name,
    title,
    description,
    inputSchema,
    outputSchema,
    annotations,
    server: tool.server,
    remoteName: tool.remoteName,
  };
}

/** A collision in a report. */
export function collisionJson({ name, winner, others, reason }: Collision): JsonObject {
  return { name, reason, winner: { ...winner }, others: others.map((other) => ({ ...other })) };
}

function furtherHelp({ load, findings, configs }: Listed, { paint }: TextStyle): readonly string[] {
  if (load.failure?.tag === "cancelled") return [];
  if (load.connections.some((found) => found.status === "failed")) {
    return [paint("faint", doctorHint(configs))];
  }
  const graver = findings.filter((finding) => finding.severity !== "info").length;
  if (graver === 0 || load.failure !== null) return [];
  const count = graver === 1 ? "1 finding" : `${graver} findings`;
  const files = ownCommand("check", configs, []);
  return [paint("faint", `The config has ${count}: ${files}`)];
}
