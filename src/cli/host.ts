/**
 * Everything of the process that commands see; a test gives a record of its own.
 */

/** The process around a command. */
export interface Host {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  /** Which streams are terminals. */
  readonly isTerminal: {
    readonly stdin: boolean;
    readonly stdout: boolean;
    readonly stderr: boolean;
  };
  /** How wide the terminal of stdout is; null when it is none. */
  readonly columns: number | null;
  /** Fires when the command is to end: a signal, or nobody reads stdout any more. */
  readonly signal: AbortSignal;
  /** The exit code that what ended the command asks for; null when nothing did. */
  endingExit(): number | null;
  /** Text, or bytes as they are. */
  writeOut(text: string | Uint8Array): void;
  writeErr(text: string): void;
  /** All of stdin. */
  readStdin(): Promise<string>;
  /** The next line a person types; null at the end of input, or when the signal fires. */
  readLine(signal: AbortSignal): Promise<string | null>;
}
