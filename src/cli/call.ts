/**
 * `call`: one tool, called once.
 */
import { visible } from "../index.ts";
import type { JsonObject, Load, Tool, ToolResult, WaitFor } from "../index.ts";
import { askPerson, giveAnswers } from "./ask.ts";
import { callText } from "./call-text.ts";
import type { ValueProblem } from "./check-value.ts";
import type { CallCommand, Settings } from "./command-line.ts";
import { EXIT, failureExit, worstExit } from "./exit-code.ts";
import { findTool, neededServers } from "./find-tool.ts";
import type { Search } from "./find-tool.ts";
import type { Host } from "./host.ts";
import { closeLoad, countsOf, decliner, loadServers, serverJson } from "./load-servers.ts";
import { configFindings, openConfig } from "./open-config.ts";
import { problemLines, refusal } from "./outcome.ts";
import type { Outcome, Problem } from "./outcome.ts";
import { assignments, exampleWords, readArguments } from "./read-arguments.ts";
import type { Assignment } from "./read-arguments.ts";
import { readAnswers, readArgs } from "./read-json.ts";
import type { Read } from "./read-json.ts";
import { ownCommand } from "./shell-word.ts";
import type { Voice } from "./voice.ts";

/** What a call needs of its command line, read before any server is started. */
interface Prepared {
  readonly base: JsonObject;
  readonly list: readonly Assignment[];
  readonly waitFor: WaitFor;
}

/** Calls a tool; nothing is sent to it unless its arguments are there and of the right types. */
export async function call(
  command: CallCommand,
  settings: Settings,
  host: Host,
  voice: Voice,
): Promise<Outcome> {
  const prepared = await prepare(command, host, voice);
  if (!prepared.ok) return refusal("call", [prepared.problem]);
  const opened = await openConfig(settings, host, voice);
  if (!opened.ok) return refusal("call", [opened.problem]);
  const needed = neededServers(command.tool, opened.parsed);
  if (!needed.ok) return refusal("call", [needed.problem]);
  const { waitFor } = prepared.value;
  const load = await loadServers(needed.parsed, { host, voice, waitFor });
  const search: Search = {
    load,
    route: needed.route,
    findings: configFindings(opened.parsed, opened.file),
    configs: settings.configs,
  };
  const outcome = await callIn({ command, host, voice, search, ...prepared.value });
  return { ...outcome, close: () => closeLoad(load, host) };
}

async function prepare(command: CallCommand, host: Host, voice: Voice): Promise<Read<Prepared>> {
  const words = assignments(command.words);
  if (!words.ok) {
    const message = visible(`"${words.word}" is not an argument of the form key=value`);
    const fix = "write key=value for each argument, or --args with a JSON object";
    return { ok: false, problem: { tag: "usage", message, fix } };
  }
  const base = command.args === undefined ? NO_ARGS : await readArgs(command.args, host);
  if (!base.ok) return base;
  const waitFor = await answerer(command, host, voice);
  if (!waitFor.ok) return waitFor;
  return { ok: true, value: { base: base.value, list: words.list, waitFor: waitFor.value } };
}

const NO_ARGS: Read<JsonObject> = { ok: true, value: {} };

async function answerer(command: CallCommand, host: Host, voice: Voice): Promise<Read<WaitFor>> {
  if (command.answers !== undefined) {
    const answers = await readAnswers(command.answers, host);
    if (!answers.ok) return answers;
    const decline = decliner(voice, ": no answer is left in --answers");
    return { ok: true, value: giveAnswers(answers.value, decline) };
  }
  const isPersonThere = host.isTerminal.stdin && host.isTerminal.stderr && command.args !== "-";
  const value = isPersonThere
    ? askPerson(host, voice)
    : decliner(voice, ": this is no terminal; --answers can answer");
  return { ok: true, value };
}

interface Calling extends Prepared {
  readonly search: Search;
  readonly command: CallCommand;
  readonly host: Host;
  readonly voice: Voice;
}

async function callIn(calling: Calling): Promise<Outcome> {
  const { command, base, list, search } = calling;
  const { load } = search;
  const found = findTool(command.tool, search);
  if (!found.ok) return callOutcome(load, found.problems, { exitCode: found.exitCode });
  const { tool } = found;
  const { args, problems } = readArguments(tool.inputSchema, base, list);
  if (problems.length > 0) {
    const words = [command.tool, ...exampleWords(tool.inputSchema)];
    const example = ownCommand("call", words, search.configs);
    const wrong = argumentProblems(tool.server, problems, example);
    return callOutcome(load, wrong, { exitCode: EXIT.unusable });
  }
  const result = await send(tool, args, calling);
  return callOutcome(load, resultProblems(tool, result), { ...resultExit(result), tool, result });
}

/** Every problem of the arguments; the last one brings an example of the whole command. */
function argumentProblems(
  server: string,
  problems: readonly ValueProblem[],
  example: string,
): readonly Problem[] {
  return problems.map(({ at, message, expected }, i): Problem => {
    const named = at === "" ? "the arguments" : `argument "${at}"`;
    const isLast = i === problems.length - 1;
    return {
      tag: "invalid-argument",
      server,
      message: `${visible(`${named} ${message}`)} (expected: ${expected})`,
      ...(isLast && { fix: `call it like this: ${example}` }),
    };
  });
}

async function send(
  tool: Tool,
  args: JsonObject,
  { command, host, voice }: Calling,
): Promise<ToolResult> {
  voice.progress(`Calling ${command.tool} …`);
  const result = await tool.execute(args, {
    signal: host.signal,
    ...(command.timeoutMs !== undefined && { timeoutMs: command.timeoutMs }),
    onProgress: ({ progress, total, message }) => {
      const share = total === undefined ? String(progress) : `${progress} of ${total}`;
      const about = message === undefined ? "" : `, ${message}`;
      voice.progress(`Calling ${command.tool}: ${share}${about}`);
    },
  });
  voice.done();
  return result;
}

function resultExit({ failure, isError }: ToolResult): { readonly exitCode: number } {
  if (failure !== undefined) return { exitCode: failureExit(failure, "tools/call") };
  return { exitCode: isError ? EXIT.tool : EXIT.done };
}

/** A tool's own error is a result and goes to stdout; only a call without a result is a problem. */
function resultProblems(tool: Tool, { failure, output }: ToolResult): readonly Problem[] {
  if (failure === undefined) return [];
  const message = failure.tag === "cancelled" ? "interrupted" : output;
  return [{ tag: failure.tag, server: tool.server, phase: "tools/call", message, failure }];
}

interface Ending {
  readonly exitCode: number;
  readonly tool?: Tool;
  readonly result?: ToolResult;
}

function callOutcome(load: Load, problems: readonly Problem[], ending: Ending): Outcome {
  const { tool, result, exitCode } = ending;
  const hasResult = result !== undefined && result.failure === undefined;
  return {
    command: "call",
    exitCode: worstExit([exitCode]),
    couldRun: exitCode !== EXIT.unusable,
    counts: countsOf(load),
    findings: [],
    problems,
    members: {
      servers: load.connections.map(serverJson),
      tool: tool === undefined ? null : { server: tool.server, remoteName: tool.remoteName },
      result: hasResult ? resultJson(result) : null,
    },
    result: (style) => (hasResult ? callText(result, style) : ""),
    remarks: ({ paint }) => [
      ...problems.flatMap((problem) => problemLines(problem, paint)),
      ...(hasResult && result.isError
        ? [`${paint("bad", "error:")} the tool answered with an error`]
        : []),
      ...(result?.findings ?? []).map(
        ({ code, detail }) => `${paint("warning", "warning:")} ${visible(`${code}: ${detail}`)}`,
      ),
    ],
  };
}

function resultJson(result: ToolResult): JsonObject {
  const { output, isError, content, structuredContent, metadata, findings } = result;
  return {
    output,
    isError,
    content,
    structuredContent,
    metadata,
    findings: findings?.map((found) => ({ ...found })),
  };
}
