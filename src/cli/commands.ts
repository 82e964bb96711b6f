/**
 * The commands with their arguments, options and examples, as commander has them.
 */
import type { Command as Program } from "commander";
import type { Asking, Command, ItemAsking } from "./command-line.ts";

/** The commands, in the order in which help lists them. */
export const COMMAND_NAMES: readonly Command["name"][] = [
  "list",
  "call",
  "prompts",
  "prompt",
  "resources",
  "read",
  "complete",
  "check",
  "doctor",
];

type Take = (command: Command) => void;

/** Gives a program its commands; the one that a command line names is taken. */
export function addCommands(program: Program, take: Take): void {
  addList(program, take);
  addCall(program, take);
  addPrompts(program, take);
  addPrompt(program, take);
  addResources(program, take);
  addRead(program, take);
  addComplete(program, take);
  addCheck(program, take);
  addDoctor(program, take);
}

/** An option that may be given several times. */
export function collect(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value];
}

function addList(program: Program, take: Take): void {
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

/** The options of the commands that send one request. */
interface AskingOptions {
  readonly timeout?: string;
  readonly answers?: string;
}

function addAskingOptions(command: Program): Program {
  return command
    .option("--timeout <ms>", "how long the request may take, in milliseconds")
    .option("--answers <json>", "answers to what the server asks: a JSON list, or @file");
}

function askingOf({ timeout, answers }: AskingOptions): Asking {
  return {
    ...(timeout !== undefined && { timeoutMs: Number(timeout) }),
    ...(answers !== undefined && { answers }),
  };
}

interface CallOptions extends AskingOptions {
  readonly args?: string;
  readonly task?: boolean;
}

function addCall(program: Program, take: Take): void {
  const command = program
    .command("call")
    .description("call one tool")
    .argument("<tool>", "its name as list shows it, or server/tool")
    .argument("[key=value...]", "arguments, in the types the tool asks for")
    .option("--args <json>", "arguments as a JSON object, @file, or - for stdin")
    .option("--task", "let the server answer with a task, and follow it to its end");
  addAskingOptions(command)
    .action((tool: string, words: string[], { args, task, ...asking }: CallOptions) =>
      take({
        name: "call",
        tool,
        words,
        isTask: task === true,
        ...(args !== undefined && { args }),
        ...askingOf(asking),
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

/** The option that names servers beside the words that may. */
function addServersOption(command: Program): Program {
  return command.option("--server <name>", "only this server; may be given again", collect);
}

interface ServersOptions {
  readonly server?: readonly string[];
}

function addPrompts(program: Program, take: Take): void {
  const command = program
    .command("prompts")
    .description("list the prompts, and the arguments they take")
    .argument("[server...]", "only these servers");
  addServersOption(command)
    .action((words: string[], { server = [] }: ServersOptions) =>
      take({ name: "prompts", servers: [...words, ...server] }),
    )
    .addHelpText(
      "after",
      examples(
        ["mcp-source prompts", "the prompts of all servers"],
        ["mcp-source prompts docs --json", "of one server, for scripts"],
      ),
    );
}

/** The options of the commands that ask one server for one thing. */
interface ItemOptions extends AskingOptions {
  readonly server?: string;
}

function addItemOptions(command: Program): Program {
  return addAskingOptions(command).option("--server <name>", "the server that has it");
}

function itemAskingOf({ server, ...asking }: ItemOptions): ItemAsking {
  return { ...askingOf(asking), ...(server !== undefined && { server }) };
}

function addPrompt(program: Program, take: Take): void {
  const command = program
    .command("prompt")
    .description("show one prompt with its arguments filled in")
    .argument("<name>", "its name as prompts shows it, or server/name")
    .argument("[key=value...]", "arguments; all are texts");
  addItemOptions(command)
    .action((prompt: string, words: string[], options: ItemOptions) =>
      take({ name: "prompt", prompt, words, ...itemAskingOf(options) }),
    )
    .addHelpText(
      "after",
      examples(
        ["mcp-source prompt review language=go", "of the server that has it"],
        ["mcp-source prompt docs/review language=go", "of the server docs"],
      ),
    );
}

function addResources(program: Program, take: Take): void {
  const command = program
    .command("resources")
    .description("list what can be read: resources and templates of their URIs")
    .argument("[server...]", "only these servers");
  addServersOption(command)
    .action((words: string[], { server = [] }: ServersOptions) =>
      take({ name: "resources", servers: [...words, ...server] }),
    )
    .addHelpText(
      "after",
      examples(
        ["mcp-source resources", "of all servers"],
        ["mcp-source resources docs --json", "of one server, for scripts"],
      ),
    );
}

function addRead(program: Program, take: Take): void {
  const command = program
    .command("read")
    .description("read one resource")
    .argument("<uri>", "as resources shows it, or server/uri");
  addItemOptions(command)
    .action((uri: string, options: ItemOptions) =>
      take({ name: "read", uri, ...itemAskingOf(options) }),
    )
    .addHelpText(
      "after",
      examples(
        ["mcp-source read notes://today", "of the server that has it"],
        ["mcp-source read notes://today --server notes", "of the server notes"],
        ["mcp-source read notes://logo > logo.png", "bytes into a file"],
      ),
    );
}

interface CompleteOptions extends ItemOptions {
  readonly context?: readonly string[];
}

function addComplete(program: Program, take: Take): void {
  const command = program
    .command("complete")
    .description("ask what an argument of a prompt or a template may be")
    .argument("<ref>", "the name of a prompt, or the URI of a template; server/ before it or not")
    .argument("<argument>", "the argument that is being typed")
    .argument("<value>", "what has been typed of it; may be empty")
    .option("--context <key=value>", "another argument, as it is; may be given again", collect);
  addItemOptions(command)
    .action((...given: [string, string, string, CompleteOptions]) => {
      const [reference, argument, value, { context = [], ...options }] = given;
      const asked = { reference, argument, value, context };
      take({ name: "complete", ...asked, ...itemAskingOf(options) });
    })
    .addHelpText(
      "after",
      examples(
        ["mcp-source complete review language g", "of a prompt"],
        ["mcp-source complete 'notes://{day}' day mon", "of a template"],
        ["mcp-source complete lead name A --context team=sales", "with what is known already"],
      ),
    );
}

function addCheck(program: Program, take: Take): void {
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

function addDoctor(program: Program, take: Take): void {
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
