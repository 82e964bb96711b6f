/**
 * The commands and options, as commander has them, and a command line read with them.
 */
import { Command as Program, CommanderError, Option } from "commander";
import { VERSION } from "../index.ts";
import type { Command, CommandLine, CommandName, Settings } from "./command-line.ts";
import type { ColorChoice } from "./style.ts";

/** Reads a command line (without node and script); never throws, writes nothing. */
export function readCommandLine(argv: readonly string[]): CommandLine {
  const parts: { out: string; err: string; command: Command | null } = {
    out: "",
    err: "",
    command: null,
  };
  const program = createProgram((command) => {
    parts.command = command;
  });
  for (const one of [program, ...program.commands]) {
    one.exitOverride().configureOutput({
      writeOut: (text) => (parts.out += text),
      writeErr: (text) => (parts.err += text),
    });
  }
  const stopped = parse(program, argv);
  if (stopped === "shown") return { kind: "show", text: parts.out };
  const settings = settingsOf(program.opts());
  const name = commandName(argv);
  const wrong = (message: string): CommandLine => ({
    kind: "wrong",
    command: name,
    isJson: settings.isJson || argv.includes("--json"),
    message,
  });
  if (stopped === "wrong" || parts.command === null) return wrong(firstError(parts.err));
  const problem = settingsProblem(parts.command, settings);
  if (problem !== null) return wrong(problem);
  return { kind: "run", command: parts.command, settings };
}

function parse(program: Program, argv: readonly string[]): "read" | "shown" | "wrong" {
  try {
    program.parse(argv, { from: "user" });
    return "read";
  } catch (error) {
    const isShown = error instanceof CommanderError && error.exitCode === 0;
    return isShown ? "shown" : "wrong";
  }
}

function firstError(text: string): string {
  const message = text.replace(/^error: /, "").trim();
  return message.startsWith("Usage:") ? "name a command" : message.replaceAll(/\s*\n\s*/g, " ");
}

const NAMES: readonly Command["name"][] = ["list", "call", "check", "doctor"];

function commandName(argv: readonly string[]): CommandName {
  return NAMES.find((name) => argv.find((word) => !word.startsWith("-")) === name) ?? "";
}

function createProgram(take: (command: Command) => void): Program {
  const program = new Program("mcp-source")
    .description("Load the MCP servers of a config, see their tools, call them.")
    .version(VERSION, "--version", "print the version")
    .helpOption("--help", "print help")
    .helpCommand(false)
    .showHelpAfterError(false)
    .configureHelp({ showGlobalOptions: true });
  addSharedOptions(program);
  addList(program, take);
  addCall(program, take);
  addCheck(program, take);
  addDoctor(program, take);
  return program.addHelpText("after", HELP);
}

function addSharedOptions(program: Program): void {
  const color = new Option("--color <when>", "whether to use colour");
  program
    .option(
      "-c, --config <path>",
      "the config; else mcp.json, .mcp.json, .vscode/ or .cursor/mcp.json",
      collect,
    )
    .option("--json", "one JSON document on stdout, also on failure")
    .option("--timings", "with durations")
    .option("--exit-zero", "exit 0 also when something was found or a server failed")
    .option("-q, --quiet", "no notes and no progress on stderr")
    .option("-v, --verbose", "what the servers write to stderr, as it comes")
    .addOption(color.choices(["auto", "always", "never"]));
}

function collect(path: string, before: readonly string[] = []): readonly string[] {
  return [...before, path];
}

function addList(program: Program, take: (command: Command) => void): void {
  program
    .command("list")
    .description("list the tools and the status of every server")
    .argument("[server...]", "only these servers")
    .action((servers: string[]) => take({ name: "list", servers }))
    .addHelpText(
      "after",
      examples(
        ["mcp-source list", "all servers of the config in this folder"],
        ["mcp-source list -c mcp.json git", "one server"],
        ["mcp-source list --json", "for scripts"],
      ),
    );
}

interface CallOptions {
  readonly args?: string;
  readonly timeout?: string;
  readonly answers?: string;
}

function addCall(program: Program, take: (command: Command) => void): void {
  program
    .command("call")
    .description("call one tool")
    .argument("<tool>", "its name as list shows it, or server/tool")
    .argument("[key=value...]", "arguments, in the types the tool asks for")
    .option("--args <json>", "arguments as a JSON object, @file, or - for stdin")
    .option("--timeout <ms>", "how long the call may take, in milliseconds")
    .option("--answers <file>", "answers to what the server asks, a JSON list (@file)")
    .action((tool: string, words: string[], { args, timeout, answers }: CallOptions) =>
      take({
        name: "call",
        tool,
        words,
        ...(args !== undefined && { args }),
        ...(timeout !== undefined && { timeoutMs: Number(timeout) }),
        ...(answers !== undefined && { answers }),
      }),
    )
    .addHelpText(
      "after",
      examples(
        ["mcp-source call git_log max_count=5", "a tool by the name list shows"],
        ["mcp-source call git/log max_count=5", "the same by server and the server's own name"],
        [`mcp-source call git_log --args '{"paths": ["src"]}'`, "arguments as JSON"],
      ),
    );
}

function addCheck(program: Program, take: (command: Command) => void): void {
  program
    .command("check")
    .description("say what is wrong with a config; starts and asks no server")
    .argument("[config...]", "the files to check")
    .option("--strict", "warnings count too")
    .action((files: string[], { strict }: { readonly strict?: boolean }) =>
      take({ name: "check", files, isStrict: strict === true }),
    )
    .addHelpText(
      "after",
      examples(
        ["mcp-source check", "the config in this folder"],
        ["mcp-source check a.json b.json --strict", "several files, for a pipeline"],
      ),
    );
}

function addDoctor(program: Program, take: (command: Command) => void): void {
  program
    .command("doctor")
    .description("check the config, connect the servers, say how to mend what is wrong")
    .argument("[server...]", "only these servers")
    .action((servers: string[]) => take({ name: "doctor", servers }))
    .addHelpText(
      "after",
      examples(
        ["mcp-source doctor", "all servers"],
        ["mcp-source doctor git -v", "one server, with its stderr"],
      ),
    );
}

function examples(...list: readonly (readonly [line: string, about: string])[]): string {
  const width = Math.max(...list.map(([line]) => line.length));
  return [
    "",
    "Examples:",
    ...list.map(([line, about]) => `  ${line.padEnd(width)}  ${about}`),
  ].join("\n");
}

const HELP = `
Exit codes:
  0  done                          3  a server asks for credentials
  1  check or doctor found errors  4  a server failed
  2  could not run: usage, config  5  the tool answered with an error

Start with: mcp-source list
Help for a command: mcp-source list --help`;

interface SharedOptions {
  readonly config?: readonly string[];
  readonly json?: boolean;
  readonly timings?: boolean;
  readonly exitZero?: boolean;
  readonly quiet?: boolean;
  readonly verbose?: boolean;
  readonly color?: ColorChoice;
}

function settingsOf(options: SharedOptions): Settings {
  return {
    configs: options.config ?? [],
    isJson: options.json === true,
    hasTimings: options.timings === true,
    isExitZero: options.exitZero === true,
    isQuiet: options.quiet === true,
    isVerbose: options.verbose === true,
    color: options.color ?? "auto",
  };
}

function settingsProblem(command: Command, { configs }: Settings): string | null {
  if (command.name !== "check" && configs.length > 1) {
    return `${command.name} takes one --config; ${configs.length} are given`;
  }
  const { timeoutMs } = command.name === "call" ? command : {};
  if (timeoutMs !== undefined && !(timeoutMs > 0)) {
    return "--timeout takes milliseconds, a number above 0, such as 5000";
  }
  return null;
}
