/**
 * What a command line says, as data.
 */
import type { ColorChoice } from "./style.ts";

/** The options every command has. */
export interface Settings {
  /** The paths of `--config`; empty = look in the usual places. */
  readonly configs: readonly string[];
  readonly isJson: boolean;
  readonly isQuiet: boolean;
  readonly isVerbose: boolean;
  readonly hasTimings: boolean;
  readonly isExitZero: boolean;
  readonly color: ColorChoice;
  /** Which era every server is spoken to in; absent = what the config says. */
  readonly era?: EraChoice;
}

/** What `--era` may say. */
export type EraChoice = "auto" | "legacy" | "modern";

/** One command with its arguments. */
export type Command =
  | ListCommand
  | CallCommand
  | PromptsCommand
  | PromptCommand
  | ResourcesCommand
  | ReadCommand
  | CompleteCommand
  | CheckCommand
  | DoctorCommand;

/** `list [server...]` */
export interface ListCommand {
  readonly name: "list";
  /** Only these; empty = all. */
  readonly servers: readonly string[];
}

/** How one request is made, and what its server gets for an answer when it asks. */
export interface Asking {
  readonly timeoutMs?: number;
  /** The file with answers to what servers ask. */
  readonly answers?: string;
}

/** `call TOOL [key=value...]` */
export interface CallCommand extends Asking {
  readonly name: "call";
  /** An exposed name, or `server/tool`. */
  readonly tool: string;
  readonly words: readonly string[];
  /** JSON, `@file`, or `-` for stdin. */
  readonly args?: string;
  /** Whether the server may answer with a task, which is then followed. */
  readonly isTask: boolean;
}

/** `prompts [server...]` */
export interface PromptsCommand {
  readonly name: "prompts";
  /** Only these; empty = all. */
  readonly servers: readonly string[];
}

/** What the commands have that ask one server for one thing. */
export interface ItemAsking extends Asking {
  /** The server that has it; absent = the one that turns out to have it. */
  readonly server?: string;
}

/** `prompt NAME [key=value...]` */
export interface PromptCommand extends ItemAsking {
  readonly name: "prompt";
  /** The server's own name for it, or `server/name`. */
  readonly prompt: string;
  readonly words: readonly string[];
}

/** `resources [server...]` */
export interface ResourcesCommand {
  readonly name: "resources";
  /** Only these; empty = all. */
  readonly servers: readonly string[];
}

/** `read URI` */
export interface ReadCommand extends ItemAsking {
  readonly name: "read";
  /** A URI, or `server/uri`. */
  readonly uri: string;
}

/** `complete REF ARGUMENT VALUE` */
export interface CompleteCommand extends ItemAsking {
  readonly name: "complete";
  /** The name of a prompt or the URI of a template, with `server/` before it or not. */
  readonly reference: string;
  readonly argument: string;
  readonly value: string;
  /** Arguments that have their values already, each `key=value`. */
  readonly context: readonly string[];
}

/** `check [config...]` */
export interface CheckCommand {
  readonly name: "check";
  readonly files: readonly string[];
  readonly isStrict: boolean;
}

/** `doctor [server...]` */
export interface DoctorCommand {
  readonly name: "doctor";
  /** Only these; empty = all. */
  readonly servers: readonly string[];
}

/** The name of a command, as reports give it; empty when none was given. */
export type CommandName = Command["name"] | "";

/** A command line, read. */
export type CommandLine =
  | { readonly kind: "run"; readonly command: Command; readonly settings: Settings }
  /** Help or the version, for stdout. */
  | { readonly kind: "show"; readonly text: string }
  /** Nothing can be run; the text says why. */
  | {
      readonly kind: "wrong";
      readonly command: CommandName;
      readonly isJson: boolean;
      readonly message: string;
    };
