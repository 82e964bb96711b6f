/**
 * The stdio transport: a child process, one JSON message a line on its stdin and stdout.
 *
 * Lives in this folder: starting, reading, writing, watching and ending a child; each concern in a
 * file of its own, what can be decided without I/O in pure functions. Not here: matching answers to
 * requests (../exchange.ts), and what the messages mean.
 *
 * @see https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#stdio
 */
import { constants } from "node:buffer";
import type { Buffer } from "node:buffer";
import { err, ok } from "../../failure.ts";
import type { Failure, PeerEofFailure, Result } from "../../failure.ts";
import type { JsonObject } from "../../json.ts";
import { notificationMessage } from "../../protocol/messages.ts";
import { createExchange, endExchange, exchangeRpc, receive } from "../exchange.ts";
import type { Exchange, Pending } from "../exchange.ts";
import { noRedaction } from "../redact.ts";
import type {
  CloseDetails,
  CloseOptions,
  Inbound,
  OpenTransport,
  Redact,
  Transport,
} from "../transport.ts";
import { HURRIED, POLITE, endChild } from "./close-ladder.ts";
import { createJunkLog, junkClue, recordJunk } from "./junk-log.ts";
import type { JunkLog } from "./junk-log.ts";
import { createMessageReader, pushChunk, pushEnd, unfinishedText } from "./message-reader.ts";
import type { MessageReader, Oddity, Received } from "./message-reader.ts";
import { forgetGroup } from "./reaper.ts";
import { settledWithin } from "./settled-within.ts";
import { startChild } from "./spawn-child.ts";
import type { Child } from "./spawn-child.ts";
import { createStderrRing } from "./stderr-ring.ts";
import type { StderrRing } from "./stderr-ring.ts";
import { createWriter } from "./writer.ts";
import type { Writer } from "./writer.ts";

/** How to start a child and how to treat it. */
export interface StdioSpec {
  readonly command: string;
  readonly args?: readonly string[];
  /** The child's whole environment, as `childEnv` computes it; absent = none. */
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** Applied to everything the child says before it enters a failure, a note or the stderr lines. */
  readonly redact?: Redact;
  /** The largest message the child may send, in bytes; 128 MiB when absent. */
  readonly maxMessageBytes?: number;
  /** How long a child may take to exit after its stdin ended, in milliseconds; 2000 when absent. */
  readonly stdinGraceMs?: number;
  /** How long it may take after SIGTERM; 2000 when absent. */
  readonly termGraceMs?: number;
  /** Called for each line of stderr, redacted; may throw. */
  readonly onStderr?: (line: string) => void;
}

/** One connection. */
interface Link {
  readonly spec: StdioSpec;
  readonly child: Child;
  readonly exchange: Exchange;
  readonly inbound: Inbound;
  readonly redact: Redact;
  readonly reader: MessageReader;
  readonly junk: JunkLog;
  readonly stderr: StderrRing;
  readonly stderrEnded: Promise<void>;
  readonly writer: Writer;
  readonly via: { reply(message: JsonObject): void };
  readonly noted: Set<Oddity>;
  /** Whether stdout has ended; the failure for that may still wait for the exit status. */
  hasEnded: boolean;
  polite: Promise<void> | null;
  hurried: Promise<void> | null;
  readonly closed: Promise<CloseDetails>;
  readonly resolveClosed: (details: CloseDetails) => void;
}

const MAX_MESSAGE_BYTES: number = 128 * 1024 * 1024;
/** Stdout ends a moment before the system reports the exit; unknown stays unknown after this. */
const EXIT_GRACE_MS = 250;
/** Requests that are never cancelled: the page forbids the first, and a probe has no session yet. */
const NEVER_CANCELLED: ReadonlySet<string> = new Set(["initialize", "server/discover"]);

/**
 * A transport over a child process.
 *
 * Opening resolves when the process runs, or with `transport` (spawn-failed: not found, not
 * executable, no such directory, …) or `cancelled`. The connection lives while the child's stdout is
 * open; when it ends, everything pending fails with `peer-eof` and the exit status. A message larger
 * than allowed ends it with `limit`. Ending it ends the child and its process group.
 *
 * @example
 * ```ts
 * import { childEnv, connect, stdioTransport } from "mcp-source";
 * const env = childEnv({}, "safe", process.env, process.platform);
 * const open = stdioTransport({ command: "node", args: ["server.js"], env });
 * const connection = await connect({ name: "mine", open });
 * ```
 */
export function stdioTransport(spec: StdioSpec): OpenTransport {
  return async (inbound, { signal }) => {
    if (isAborted(signal)) return err({ tag: "cancelled" });
    const redact = guardedRedact(spec.redact ?? noRedaction);
    const { command, args = [], env = {}, cwd } = spec;
    const attempt = { command, args, env, ...(cwd === undefined ? {} : { cwd }) };
    const started = await startChild(attempt, redact, signal);
    if (!started.ok) return started;
    const link = openLink(spec, started.value, inbound, redact);
    if (!isAborted(signal)) return ok(transportOver(link));
    await closeLink(link, { hurry: true });
    return err({ tag: "cancelled" });
  };
}

function isAborted(signal: AbortSignal | undefined): boolean {
  return signal?.aborted === true;
}

function openLink(spec: StdioSpec, child: Child, inbound: Inbound, redact: Redact): Link {
  const exchange = createExchange({
    inbound,
    redact,
    abandoned: (pending, reason) => sendCancelled(link, pending, reason),
    waiting: (count) => holdHost(child, count > 0),
    clues: () => clues(link),
  });
  const maxBytes = Math.min(spec.maxMessageBytes ?? MAX_MESSAGE_BYTES, constants.MAX_STRING_LENGTH);
  let resolveClosed: (details: CloseDetails) => void = () => undefined;
  const closed = new Promise<CloseDetails>((resolve) => {
    resolveClosed = resolve;
  });
  const link: Link = {
    spec,
    child,
    exchange,
    inbound,
    redact,
    reader: createMessageReader(maxBytes),
    junk: createJunkLog(redact, (note) => inbound.note?.(note)),
    stderr: createStderrRing(redact, spec.onStderr),
    stderrEnded: new Promise((resolve) => child.stderr.once("close", resolve)),
    writer: createWriter(child.stdin, (code) => whyBroken(link, code)),
    via: { reply: (message) => void sendMessage(link, message) },
    noted: new Set(),
    hasEnded: false,
    polite: null,
    hurried: null,
    closed,
    resolveClosed,
  };
  readChild(link);
  return link;
}

/** An idle connection must not keep the host alive; only stdout does, while something is pending. */
function readChild(link: Link): void {
  const { process, stdin, stdout, stderr } = link.child;
  for (const handle of [process, stdin, stdout, stderr]) handle.unref();
  stderr.on("data", (chunk: Buffer) => link.stderr.push(chunk));
  stderr.on("error", () => undefined);
  stderr.once("close", () => link.stderr.end());
  stdout.on("data", (chunk: Buffer) => {
    if (link.exchange.ended === null) takeAll(link, pushChunk(link.reader, chunk));
  });
  stdout.on("error", () => undefined);
  stdout.once("close", () => void stdoutEnded(link));
}

function holdHost(child: Child, isWaiting: boolean): void {
  if (child.stdout.destroyed) return;
  if (isWaiting) child.stdout.ref();
  else child.stdout.unref();
}

function takeAll(link: Link, received: readonly Received[]): void {
  for (const one of received) {
    if (link.exchange.ended !== null) return;
    take(link, one);
  }
  if (link.reader.oddities.size > link.noted.size) noteOddities(link);
}

function take(link: Link, received: Received): void {
  switch (received.kind) {
    case "value":
      return receive(link.exchange, received.value, link.via);
    case "junk":
      return recordJunk(link.junk, received.text);
    case "broken":
      recordJunk(link.junk, received.text);
      return link.exchange.pending
        .get(received.id)
        ?.settle(err({ tag: "malformed-body", detail: "not JSON" }));
    case "overlong": {
      const value = link.reader.lines.maxBytes;
      return endLink(link, { tag: "limit", limit: "message-bytes", value }, true);
    }
  }
}

const ODDITIES: Readonly<Record<Oddity, string>> = {
  bom: "stdout has a byte order mark",
  crlf: "lines of stdout end in CR LF",
  "spread-message": "a message was spread over several lines",
};

function noteOddities(link: Link): void {
  for (const code of link.reader.oddities) {
    if (!link.noted.has(code)) link.inbound.note?.({ code, detail: ODDITIES[code] });
    link.noted.add(code);
  }
}

async function stdoutEnded(link: Link): Promise<void> {
  takeAll(link, pushEnd(link.reader));
  link.hasEnded = true;
  await settledWithin(Promise.all([link.child.exited, link.stderrEnded]), EXIT_GRACE_MS);
  endLink(link, peerEof(link), false);
}

function peerEof(link: Link): PeerEofFailure {
  return { tag: "peer-eof", ...(link.child.exit() ?? { exitCode: null, signal: null }) };
}

/** Ends the connection for a cause that is not this client's close; the first cause wins. */
function endLink(link: Link, failure: Failure, isHurried: boolean): void {
  if (link.exchange.ended !== null) return;
  endExchange(link.exchange, failure);
  link.resolveClosed(closeDetails(link, failure));
  void endOnce(link, isHurried);
}

function closeDetails(link: Link, failure: Failure | null): CloseDetails {
  const exit = link.child.exit() ?? { exitCode: null, signal: null };
  return { failure, ...exit, stderr: link.stderr.lines() };
}

/** Closing in a hurry while a polite close runs goes beside it: both end when the child is gone. */
function endOnce(link: Link, isHurried: boolean): Promise<void> {
  if (isHurried) return (link.hurried ??= endAll(link, HURRIED));
  return link.hurried ?? (link.polite ??= endAll(link, { ...POLITE, ...graces(link.spec) }));
}

function graces(spec: StdioSpec): { stdinGraceMs?: number; termGraceMs?: number } {
  const { stdinGraceMs, termGraceMs } = spec;
  return {
    ...(stdinGraceMs === undefined ? {} : { stdinGraceMs }),
    ...(termGraceMs === undefined ? {} : { termGraceMs }),
  };
}

async function endAll(link: Link, pace: typeof POLITE): Promise<void> {
  const { child } = link;
  link.writer.end();
  await endChild(child, pace);
  forgetGroup(child.pid);
  await settledWithin(link.stderrEnded, EXIT_GRACE_MS);
  for (const stream of [child.stdin, child.stdout, child.stderr]) stream.destroy();
}

/**
 * A child that is ending breaks its stdin a moment before its stdout ends: then its end is the cause,
 * and answers it had written before are still read.
 */
async function whyBroken(link: Link, code: string | undefined): Promise<Failure> {
  const { child, exchange } = link;
  if (exchange.ended !== null) return exchange.ended;
  await settledWithin(child.exited, EXIT_GRACE_MS);
  if (child.exit() !== null || link.hasEnded) {
    await settledWithin(link.closed, 2 * EXIT_GRACE_MS);
    endLink(link, peerEof(link), false);
  }
  if (exchange.ended !== null) return exchange.ended;
  const detail = "the child does not read its stdin any more";
  return {
    tag: "transport",
    reason: "write-failed",
    ...(code === undefined ? {} : { code }),
    detail,
  };
}

function sendCancelled(link: Link, pending: Pending, reason: string): void {
  if (NEVER_CANCELLED.has(pending.method) || link.exchange.ended !== null) return;
  const params = { requestId: pending.id, reason };
  void sendMessage(link, notificationMessage("notifications/cancelled", params));
}

function sendMessage(link: Link, message: JsonObject): Promise<Failure | null> {
  const text = messageText(message);
  if (text === null) return Promise.resolve(NOT_JSON);
  return link.writer.send(`${text}\n`);
}

const NOT_JSON: Failure = {
  tag: "invalid-argument",
  detail: "the message cannot be written as JSON",
};

/** `JSON.stringify` throws for a cycle, a bigint, or more text than a string can hold. */
function messageText(message: JsonObject): string | null {
  try {
    return JSON.stringify(message);
  } catch {
    return null;
  }
}

function clues(link: Link): string | undefined {
  const exit = link.child.exit();
  const left =
    exit === null
      ? undefined
      : `the process has exited (${exit.exitCode ?? exit.signal}), its stdout is open`;
  const found = [junkClue(link.junk, unfinishedText(link.reader)), left];
  const present = found.filter((clue) => clue !== undefined);
  return present.length === 0 ? undefined : present.join("; ");
}

/** Redaction is the caller's code, and runs where nobody could catch what it throws. */
function guardedRedact(redact: Redact): Redact {
  return (text) => {
    try {
      return redact(text);
    } catch {
      return "«redaction failed»";
    }
  };
}

function transportOver(link: Link): Transport {
  const transmit = (message: JsonObject): Promise<Failure | null> => sendMessage(link, message);
  return {
    kind: "stdio",
    rpc: (method, params, options) =>
      exchangeRpc(link.exchange, { method, params, options }, transmit),
    notify: async (method, params): Promise<Result<void>> => {
      if (link.exchange.ended !== null) return err(link.exchange.ended);
      const failure = await transmit(notificationMessage(method, params));
      return failure === null ? ok(undefined) : err(failure);
    },
    close: (options) => closeLink(link, options),
    stderr: () => link.stderr.lines(),
    closed: link.closed,
  };
}

async function closeLink(link: Link, options: CloseOptions = {}): Promise<void> {
  if (link.hasEnded) endLink(link, peerEof(link), false);
  endExchange(link.exchange, CLOSED);
  link.exchange.ended = CLOSED;
  await endOnce(link, options.hurry === true);
  link.resolveClosed(closeDetails(link, null));
}

const CLOSED: Failure = { tag: "closed", by: "client" };
