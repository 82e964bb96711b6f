/**
 * What a running command says on stderr before its outcome is there: notes, and one passing line.
 */
import { visible } from "../index.ts";
import type { Settings } from "./command-line.ts";
import type { Host } from "./host.ts";
import { withoutWorkflowCommands } from "./safe-text.ts";
import { cutToWidth } from "./table.ts";

/** The voice of a command; all texts are made safe to show. */
export interface Voice {
  /** A line that stays; none under --json and -q. */
  note(text: string): void;
  /** A line that is there while something is going on; the next one, or a note, takes its place. */
  progress(text: string): void;
  /** Takes the passing line away. */
  done(): void;
  /** Whether a person is being asked: no passing line may come between. */
  hold(isHeld: boolean): void;
  /** A line of a server's stderr, or what else -v shows. */
  detail(text: string): void;
}

const FALLBACK_COLUMNS = 80;

/** The voice for a host: what it is allowed to say depends on the options and the terminal. */
export function createVoice(host: Host, settings: Settings): Voice {
  const isDecorated = !settings.isJson && !settings.isQuiet;
  const hasProgress = isDecorated && mayShowProgress(host);
  let isShown = false;
  let isHeld = false;
  const done = (): void => {
    if (isShown) host.writeErr("\r\u001b[2K");
    isShown = false;
  };
  const line = (text: string): void => {
    done();
    host.writeErr(withoutWorkflowCommands(`${visible(text)}\n`));
  };
  return {
    note: (text) => {
      if (isDecorated) line(text);
    },
    progress: (text) => {
      if (!hasProgress || isHeld) return;
      done();
      host.writeErr(cutToWidth(visible(text), (host.columns ?? FALLBACK_COLUMNS) - 1));
      isShown = true;
    },
    done,
    hold: (begins) => {
      if (begins) done();
      isHeld = begins;
    },
    detail: (text) => {
      if (settings.isVerbose) line(text);
    },
  };
}

function mayShowProgress({ isTerminal, env }: Host): boolean {
  return isTerminal.stderr && (env["CI"] ?? "") === "" && env["TERM"] !== "dumb";
}
