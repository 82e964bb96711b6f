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
}

/** One command with its arguments. */
export type Command = ListCommand | CallCommand | CheckCommand | DoctorCommand;

/** `list [server...]` */
export interface ListCommand {
  readonly name: "list";
  /** Only these; empty = all. */
  readonly servers: readonly string[];
}

/** `call TOOL [key=value...]` */
export interface CallCommand {
  readonly name: "call";
  /** An exposed name, or `server/tool`. */
  readonly tool: string;
  readonly words: readonly string[];
  /** JSON, `@file`, or `-` for stdin. */
  readonly args?: string;
  readonly timeoutMs?: number;
  /** The file with answers to what servers ask. */
  readonly answers?: string;
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
