/**
 * The stdio transport: a child process, one JSON message a line on its stdin and stdout.
 *
 * Lives in this folder: starting, reading, writing, watching and ending a child; each concern in a
 * file of its own, and what can be decided without I/O in pure functions. Not here: matching answers
 * to requests (../exchange.ts), and what the messages mean.
 *
 * @see https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#stdio
 */
import { constants } from "node:buffer";
import { err, ok } from "../../failure.ts";
import type { Failure, Result } from "../../failure.ts";
import type { JsonObject } from "../../json.ts";
import { notificationMessage } from "../../protocol/messages.ts";
import { cancelRequest, createExchange, exchangeRpc } from "../exchange.ts";
import type { Pending } from "../exchange.ts";
import { onAbort, signalIn } from "../on-abort.ts";
import { noRedaction } from "../../redact.ts";
import type { Redact } from "../../redact.ts";
import type { CloseDetails, Inbound, OpenTransport, Transport } from "../transport.ts";
import { POLITE } from "./close-ladder.ts";
import { closeLink, whyBroken } from "./end-link.ts";
import { createJunkLog } from "./junk-log.ts";
import { sendMessage } from "./link.ts";
import type { Link } from "./link.ts";
import { createMessageReader } from "./message-reader.ts";
import { clues, holdHost, readLink } from "./read-link.ts";
import { startChild } from "./spawn-child.ts";
import type { Child } from "./spawn-child.ts";
import { specProblem } from "./spawn-failure.ts";
import { createStderrRing } from "./stderr-ring.ts";
import { createWriter } from "./writer.ts";

/** How to start a child and how to treat it. */
export interface StdioSpec {
  readonly command: string;
  readonly args?: readonly string[];
  /** The child's whole environment, as `childEnv` computes it; absent = none. */
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** Applied to what the child says before it enters a failure, a note or the stderr lines. */
  readonly redact?: Redact;
  /** The largest message the child may send, in bytes; 128 MiB when absent. */
  readonly maxMessageBytes?: number;
  /** How long a child may take to exit after its stdin ended, in milliseconds; 2000 when absent. */
  readonly stdinGraceMs?: number;
  /** How long it may take after SIGTERM, in milliseconds; 2000 when absent. */
  readonly termGraceMs?: number;
  /** Called for each line of stderr, redacted; may throw. */
  readonly onStderr?: (line: string) => void;
}

const MAX_MESSAGE_BYTES: number = 128 * 1024 * 1024;

/** Requests that are never cancelled: the page forbids the first, and a probe has no session yet. */
const NEVER_CANCELLED: ReadonlySet<string> = new Set(["initialize", "server/discover"]);

/**
 * A transport over a child process.
 *
 * Opening resolves when the process runs, or with `transport` (spawn-failed: not found, not
 * executable, no such directory, …), `cancelled` or `invalid-argument`. The connection lives while
 * the child's stdout is open; when that ends, everything pending fails with `peer-eof` and the exit
 * status. A message larger than allowed ends it with `limit`. Closing it ends the child and its
 * process group.
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
  return async (inbound, options) => {
    const signal = signalIn(options);
    const problem = specProblem(spec);
    if (problem !== null) return err({ tag: "invalid-argument", detail: problem });
    if (isAborted(signal)) return err({ tag: "cancelled" });
    const redact = guardedRedact(spec.redact ?? noRedaction);
    const { command, args = [], env = {}, cwd } = spec;
    const attempt = { command, args, env, ...(cwd === undefined ? {} : { cwd }) };
    const started = await startChild(attempt, redact, signal);
    if (!started.ok) return started;
    const link = openLink(spec, started.value, inbound, redact);
    readLink(link);
    if (!isAborted(signal)) return ok(transportOver(link));
    await closeLink(link, true);
    return err({ tag: "cancelled" });
  };
}

function isAborted(signal: AbortSignal | undefined): boolean {
  return signal?.aborted === true;
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

function openLink(spec: StdioSpec, child: Child, inbound: Inbound, redact: Redact): Link {
  const exchange = createExchange({
    inbound,
    redact,
    abandoned: (pending, reason) => sendCancelled(link, pending, reason),
    waiting: () => holdHost(link),
    clues: () => clues(link),
  });
  const maxBytes = Math.min(spec.maxMessageBytes ?? MAX_MESSAGE_BYTES, constants.MAX_STRING_LENGTH);
  let resolveClosed: (details: CloseDetails) => void = () => undefined;
  const closed = new Promise<CloseDetails>((resolve) => {
    resolveClosed = resolve;
  });
  const link: Link = {
    child,
    exchange,
    inbound,
    pace: {
      stdinGraceMs: spec.stdinGraceMs ?? POLITE.stdinGraceMs,
      termGraceMs: spec.termGraceMs ?? POLITE.termGraceMs,
    },
    reader: createMessageReader(maxBytes),
    writer: createWriter(child.stdin, (code) => whyBroken(link, code)),
    junk: createJunkLog(redact, (note) => inbound.note?.(note)),
    stderr: createStderrRing(redact, spec.onStderr),
    stderrEnded: new Promise((resolve) => child.stderr.once("close", resolve)),
    via: { reply: (message) => void sendMessage(link, message) },
    noted: new Set(),
    holders: new Set(),
    hasEnded: false,
    polite: null,
    hurried: null,
    closed,
    resolveClosed,
  };
  return link;
}

function sendCancelled(link: Link, pending: Pending, reason: string): void {
  if (NEVER_CANCELLED.has(pending.method) || link.exchange.ended !== null) return;
  const params = { requestId: pending.wireId, reason };
  void sendMessage(link, notificationMessage("notifications/cancelled", params));
}

function transportOver(link: Link): Transport {
  const transmit = (message: JsonObject): Promise<Failure | null> => sendMessage(link, message);
  return {
    kind: "stdio",
    rpc: (method, params, options) =>
      exchangeRpc(link.exchange, { method, params, options }, transmit),
    notify: async (method, params, options): Promise<Result<void>> => {
      if (link.exchange.ended !== null) return err(link.exchange.ended);
      if (isAborted(options?.signal)) return err({ tag: "cancelled" });
      const sent = transmit(notificationMessage(method, params));
      const failure = await unlessAborted(sent, options?.signal);
      return failure === null ? ok(undefined) : err(failure);
    },
    hold: () => holdLink(link),
    cancel: (id, reason) => cancelRequest(link.exchange, id, reason),
    close: (options) => closeLink(link, options?.hurry === true),
    stderr: () => link.stderr.lines(),
    closed: link.closed,
  };
}

/** Keeps the host alive for whoever listens; the function that ends that may be called again. */
function holdLink(link: Link): () => void {
  const holder = Symbol();
  link.holders.add(holder);
  holdHost(link);
  return () => {
    link.holders.delete(holder);
    holdHost(link);
  };
}

/** A child that does not read lets a write wait for ever; the caller need not. */
function unlessAborted(
  sent: Promise<Failure | null>,
  signal: AbortSignal | undefined,
): Promise<Failure | null> {
  if (signal === undefined) return sent;
  return new Promise((resolve) => {
    const stopWaiting = onAbort(signal, () => resolve({ tag: "cancelled" }));
    void sent.then((failure) => {
      stopWaiting();
      resolve(failure);
    });
  });
}
