/**
 * The program with the options of all commands, as commander has it, and a command line read with it.
 */
import { Command as Program, CommanderError, Option } from "commander";
import { VERSION } from "../index.ts";
import type { Command, CommandLine, CommandName, EraChoice, Settings } from "./command-line.ts";
import { addCommands, collect, COMMAND_NAMES } from "./commands.ts";
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

function commandName(argv: readonly string[]): CommandName {
  return COMMAND_NAMES.find((name) => argv.find((word) => !word.startsWith("-")) === name) ?? "";
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
  addCommands(program, take);
  return program.addHelpText("after", HELP);
}

function addSharedOptions(program: Program): void {
  const color = new Option("--color <when>", "whether to use colour");
  const era = new Option("--era <era>", "how to speak to every server; else as the config says");
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
    .addOption(color.choices(["auto", "always", "never"]))
    .addOption(era.choices(["auto", "legacy", "modern"]));
}

const HELP = `
Exit codes:
  0  done                          3  a server asks for credentials
  1  check or doctor found errors  4  a server failed
  2  could not run: usage, config  5  the tool answered with an error, or is unknown

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
  readonly era?: EraChoice;
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
    ...(options.era !== undefined && { era: options.era }),
  };
}

function settingsProblem(command: Command, { configs, era }: Settings): string | null {
  if (command.name !== "check" && configs.length > 1) {
    return `${command.name} takes one --config; ${configs.length} are given`;
  }
  if (command.name === "check" && era !== undefined) return "check connects no server, so no --era";
  const timeoutMs = "timeoutMs" in command ? command.timeoutMs : undefined;
  if (timeoutMs !== undefined && !(timeoutMs > 0)) {
    return "--timeout takes milliseconds, a number above 0, such as 5000";
  }
  return null;
}
