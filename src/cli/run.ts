/**
 * One run of the command line: read it, do it, show what came of it.
 */
import { visible } from "../index.ts";
import { call } from "./call.ts";
import { check } from "./check.ts";
import type { Command, Settings } from "./command-line.ts";
import { doctor } from "./doctor.ts";
import { completeArgument } from "./complete.ts";
import { EXIT, forgivenExit } from "./exit-code.ts";
import type { Host } from "./host.ts";
import { list } from "./list.ts";
import { refusal } from "./outcome.ts";
import type { Outcome, TextStyle } from "./outcome.ts";
import { readCommandLine } from "./program.ts";
import { prompt } from "./prompt.ts";
import { prompts } from "./prompts.ts";
import { read } from "./read.ts";
import { reportText } from "./report.ts";
import { resources } from "./resources.ts";
import { jsonWithoutWorkflowCommands, withoutWorkflowCommands } from "./safe-text.ts";
import { coloured, hasColor, plain } from "./style.ts";
import { createVoice } from "./voice.ts";
import type { Voice } from "./voice.ts";

/** Runs a command line (without node and script) and gives the exit code; everything it began is over. */
export async function run(argv: readonly string[], host: Host): Promise<number> {
  const line = readCommandLine(argv);
  if (line.kind === "show") {
    host.writeOut(line.text);
    return EXIT.done;
  }
  if (line.kind === "wrong") {
    const help = ["mcp-source", ...(line.command === "" ? [] : [line.command]), "--help"].join(" ");
    const problem = { tag: "usage", message: visible(line.message), fix: `see ${help}` } as const;
    return show(refusal(line.command, [problem]), { ...DEFAULTS, isJson: line.isJson }, host);
  }
  const { command, settings } = line;
  const outcome = await outcomeOf(command, settings, host);
  const exitCode = show(outcome, settings, host);
  await outcome.close?.();
  return host.endingExit() ?? exitCode;
}

const DEFAULTS: Settings = {
  configs: [],
  isJson: false,
  isQuiet: false,
  isVerbose: false,
  hasTimings: false,
  isExitZero: false,
  color: "auto",
};

/** Nothing here throws on purpose; what throws nevertheless is an error of ours, and says so. */
async function outcomeOf(command: Command, settings: Settings, host: Host): Promise<Outcome> {
  const voice = createVoice(host, settings);
  try {
    return await perform(command, settings, { host, voice });
  } catch (error) {
    voice.done();
    return bug(command.name, error);
  }
}

function perform(
  command: Command,
  settings: Settings,
  { host, voice }: { readonly host: Host; readonly voice: Voice },
): Promise<Outcome> {
  switch (command.name) {
    case "list":
      return list(command, settings, host, voice);
    case "call":
      return call(command, settings, host, voice);
    case "prompts":
      return prompts(command, settings, host, voice);
    case "prompt":
      return prompt(command, settings, host, voice);
    case "resources":
      return resources(command, settings, host, voice);
    case "read":
      return read(command, settings, host, voice);
    case "complete":
      return completeArgument(command, settings, host, voice);
    case "check":
      return check(command, settings, host, voice);
    case "doctor":
      return doctor(command, settings, host, voice);
  }
}

/** The outcome of an error in this program. */
export function bug(command: Outcome["command"], error: unknown): Outcome {
  const message = visible(error instanceof Error ? error.message : String(error));
  const text = `this is an error in mcp-source, please report it: ${message}`;
  return refusal(command, [{ tag: "bug", message: text }], EXIT.bug);
}

/** Writes an outcome where it belongs, and gives the exit code. */
function show(outcome: Outcome, settings: Settings, host: Host): number {
  const forgiven = settings.isExitZero
    ? forgivenExit(outcome.exitCode, outcome.couldRun)
    : outcome.exitCode;
  const exitCode = host.endingExit() ?? forgiven;
  const isOnGithub = isWorkflow(host);
  if (settings.isJson) {
    const json = reportText(outcome, exitCode);
    host.writeOut(isOnGithub ? jsonWithoutWorkflowCommands(json) : json);
    return exitCode;
  }
  const guarded = (text: string): string => (isOnGithub ? withoutWorkflowCommands(text) : text);
  const result = outcome.result(styleOf("stdout", settings, host));
  if (typeof result !== "string") host.writeOut(result);
  else if (result !== "") host.writeOut(guarded(result.endsWith("\n") ? result : `${result}\n`));
  const remarks = outcome.remarks(styleOf("stderr", settings, host));
  if (remarks.length > 0) host.writeErr(guarded(`${remarks.join("\n")}\n`));
  return exitCode;
}

function styleOf(stream: "stdout" | "stderr", { color }: Settings, host: Host): TextStyle {
  const isTerminal = host.isTerminal[stream];
  return {
    paint: hasColor(color, host.env, isTerminal) ? coloured : plain,
    isTerminal,
    columns: host.columns,
    isWorkflowLog: isWorkflow(host),
  };
}

function isWorkflow({ env }: Host): boolean {
  return env["GITHUB_ACTIONS"] === "true";
}
