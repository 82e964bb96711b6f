/**
 * One connection to a child: what its reader, its writer and its end share.
 */
import type { Failure } from "../../failure.ts";
import type { JsonObject } from "../../json.ts";
import type { Exchange, Via } from "../exchange.ts";
import type { CloseDetails, Inbound } from "../transport.ts";
import type { Graces } from "./close-ladder.ts";
import type { JunkLog } from "./junk-log.ts";
import type { MessageReader, Oddity } from "./message-reader.ts";
import type { Child } from "./spawn-child.ts";
import type { StderrRing } from "./stderr-ring.ts";
import type { Writer } from "./writer.ts";

/** The state of one connection. */
export interface Link {
  readonly child: Child;
  readonly exchange: Exchange;
  readonly inbound: Inbound;
  /** How long a polite close waits. */
  readonly pace: Graces;
  readonly reader: MessageReader;
  readonly writer: Writer;
  readonly junk: JunkLog;
  readonly stderr: StderrRing;
  readonly stderrEnded: Promise<void>;
  /** Where the answers to the peer's own requests go. */
  readonly via: Via;
  /** The deviations that were reported. */
  readonly noted: Set<Oddity>;
  /** Who wants to hear the child while nothing is pending. */
  readonly holders: Set<symbol>;
  /** Whether stdout has ended; the failure for that may still wait for the exit status. */
  hasEnded: boolean;
  polite: Promise<void> | null;
  hurried: Promise<void> | null;
  readonly closed: Promise<CloseDetails>;
  readonly resolveClosed: (details: CloseDetails) => void;
}

/** Writes one message; resolves with why that failed, or null. Never rejects. */
export function sendMessage(link: Link, message: JsonObject): Promise<Failure | null> {
  const text = messageText(message);
  return text === null ? Promise.resolve(NOT_JSON) : link.writer.send(`${text}\n`);
}

const NOT_JSON: Failure = {
  tag: "invalid-argument",
  detail: "the message cannot be written as JSON",
};

/** `JSON.stringify` throws for a cycle, a bigint, and more text than a string can hold. */
function messageText(message: JsonObject): string | null {
  try {
    return JSON.stringify(message);
  } catch {
    return null;
  }
}
