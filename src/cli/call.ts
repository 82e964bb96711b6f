/**
 * `call`: one tool, called once.
 */
import { visible } from "../index.ts";
import type {
  CallOptions,
  FollowOptions,
  JsonObject,
  Load,
  Progress,
  Tool,
  ToolResult,
  WaitFor,
} from "../index.ts";
import { answerer } from "./answer-servers.ts";
import { argumentProblems, readWords } from "./argument-texts.ts";
import { callAsTask, taskText } from "./call-as-task.ts";
import { callText } from "./call-text.ts";
import type { CallCommand, Settings } from "./command-line.ts";
import { EXIT, failureExit, worstExit } from "./exit-code.ts";
import { findTool, neededServers } from "./find-tool.ts";
import type { Search } from "./find-tool.ts";
import type { Host } from "./host.ts";
import { closeLoad, countsOf, loadServers, serverJson } from "./load-servers.ts";
import { configFindings, openConfig } from "./open-config.ts";
import { problemLines, refusal } from "./outcome.ts";
import type { Outcome, Problem } from "./outcome.ts";
import { exampleWords, readArguments } from "./read-arguments.ts";
import type { Assignment } from "./read-arguments.ts";
import { readArgs } from "./read-json.ts";
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
  const words = readWords(command.words, WORDS_FIX);
  if (!words.ok) return words;
  const base = command.args === undefined ? NO_ARGS : await readArgs(command.args, host);
  if (!base.ok) return base;
  const waitFor = await answerer(command, host, voice, command.args === "-");
  if (!waitFor.ok) return waitFor;
  return { ok: true, value: { base: base.value, list: words.value, waitFor: waitFor.value } };
}

const WORDS_FIX = "write key=value for each argument, or --args with a JSON object";
const NO_ARGS: Read<JsonObject> = { ok: true, value: {} };

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

async function send(tool: Tool, args: JsonObject, calling: Calling): Promise<ToolResult> {
  const { command, host, voice, search } = calling;
  const { timeoutMs, isTask } = command;
  const say = (text: string): void => voice.progress(`Calling ${command.tool}: ${text}`);
  voice.progress(`Calling ${command.tool} …`);
  const options: CallOptions = {
    signal: host.signal,
    ...(timeoutMs !== undefined && { timeoutMs }),
    onProgress: (progress) => say(progressText(progress)),
  };
  const following: FollowOptions = {
    ...options,
    // A task lives longer than any of the requests about it.
    ...(timeoutMs !== undefined && { maxTotalMs: timeoutMs }),
    onTask: (task) => say(taskText(task)),
  };
  const result = isTask
    ? await callAsTask(tool, args, search.load, following)
    : await tool.execute(args, options);
  voice.done();
  return result;
}

function progressText({ progress, total, message }: Progress): string {
  const share = total === undefined ? String(progress) : `${progress} of ${total}`;
  return message === undefined ? share : `${share}, ${message}`;
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
