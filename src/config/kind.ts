/**
 * Whether a server is local or remote, and over which transport it speaks.
 */
import { quoted, wrongType } from "./diagnostics.ts";
import type { Report } from "./diagnostics.ts";
import { readFirst } from "./fields.ts";
import type { Fields } from "./fields.ts";
import type { Item } from "./item.ts";
import { TYPE_KEYS } from "./keys.ts";
import { nearestName } from "./nearest-name.ts";
import type { ServerConfig } from "./server.ts";

/** The two members of a server that say how it is reached. */
export type Reach = Pick<ServerConfig, "kind" | "transport">;

const LOCAL: Reach = { kind: "local", transport: "stdio" };
const HTTP: Reach = { kind: "remote", transport: "http" };
const AUTO: Reach = { kind: "remote", transport: "auto" };
const UNKNOWN: Reach = { kind: "unknown", transport: null };
const NO_TRANSPORT: Reach = { kind: "remote", transport: null };

const TYPES: ReadonlyMap<string, Reach> = new Map([
  ["stdio", LOCAL],
  ["local", LOCAL],
  ["http", HTTP],
  ["streamable-http", HTTP],
  ["streamableHttp", HTTP],
  ["streamable_http", HTTP],
  ["sse", { kind: "remote", transport: "sse" }],
  ["remote", AUTO],
]);
const FOREIGN_TYPES: ReadonlySet<string> = new Set(["ws", "websocket", "unix", "pipe", "tcp"]);

/** What decides beside the type. */
export interface Counterparts {
  readonly entry: Item;
  /** A url member is there, and a command member. */
  readonly hasUrl: boolean;
  readonly hasCommand: boolean;
  /** The command can be used. */
  readonly isRunnable: boolean;
}

/** How a server is reached: its type decides, else the members it has. */
export function readReach(fields: Fields, counterparts: Counterparts, report: Report): Reach {
  const { entry, hasUrl, hasCommand, isRunnable } = counterparts;
  const explicit = readFirst(fields, TYPE_KEYS, (at) => readType(at, report), report)?.value;
  if (explicit !== undefined) {
    if (explicit.kind === "remote" && !hasUrl) {
      const message = `type is ${explicit.transport === "auto" ? "remote" : (explicit.transport ?? "remote")} but there is no url`;
      report({ code: "missing-url", at: entry, message });
    }
    if (explicit.kind === "local" && !hasCommand) {
      const message = "type is stdio but there is no command";
      report({ code: "missing-command", at: entry, message });
    }
    return explicit;
  }
  if (hasUrl && isRunnable) {
    const message = 'the server has command and url; add "type" to choose';
    report({ code: "both-command-and-url", at: entry, message });
    return UNKNOWN;
  }
  // Gemini's member for Streamable HTTP says the transport by its name.
  if (hasUrl) return fields.has("httpUrl") ? HTTP : AUTO;
  if (isRunnable) return LOCAL;
  if (!hasCommand) {
    const message = "the server has neither command nor url";
    report({ code: "missing-command-or-url", at: entry, message });
  }
  return UNKNOWN;
}

/** The records of the table are shared, so that two spellings of one type agree. */
function readType(at: Item, report: Report): Reach | undefined {
  if (at.value.kind !== "string") {
    report(wrongType(at, "string"));
    return undefined;
  }
  const { text } = at.value;
  const reach = TYPES.get(text);
  if (reach !== undefined) return reach;
  if (FOREIGN_TYPES.has(text)) {
    const message = `type ${quoted(text)} is no transport of this library; use stdio, http or sse`;
    report({ code: "unsupported-transport", at, message });
    return NO_TRANSPORT;
  }
  const didYouMean = nearestType(text);
  const suggestion =
    didYouMean === undefined ? "; use stdio, http or sse" : `; did you mean "${didYouMean}"?`;
  const message = `type ${quoted(text)} is not known${suggestion}`;
  report({ code: "unknown-type", at, message, ...(didYouMean !== undefined && { didYouMean }) });
  return undefined;
}

const LEAST_PREFIX = 3;

function nearestType(text: string): string | undefined {
  const known = [...TYPES.keys()];
  const lower = text.toLowerCase();
  const longer =
    lower.length < LEAST_PREFIX ? undefined : known.find((type) => type.startsWith(lower));
  return longer ?? nearestName(lower, known);
}
