/**
 * How a connection ends: by the child, by a limit or by us. The first cause wins.
 */
import type { Failure, PeerEofFailure } from "../../failure.ts";
import { endExchange } from "../exchange.ts";
import type { CloseDetails } from "../transport.ts";
import { HURRIED, endChild } from "./close-ladder.ts";
import type { Graces } from "./close-ladder.ts";
import type { Link } from "./link.ts";
import { forgetGroup } from "./reaper.ts";
import { settledWithin } from "./settled-within.ts";

/** Stdout ends a moment before the system reports the exit; unknown stays unknown after this. */
const EXIT_GRACE_MS = 250;

const CLOSED: Failure = { tag: "closed", by: "client" };

/** Ends the connection because the child's stdout ended, once its exit status is known or overdue. */
export async function stdoutEnded(link: Link): Promise<void> {
  link.hasEnded = true;
  await settledWithin(Promise.all([link.child.exited, link.stderrEnded]), EXIT_GRACE_MS);
  endLink(link, peerEof(link), false);
}

/** Ends the connection for a cause that is not this client's close, and then the child. */
export function endLink(link: Link, failure: Failure, isHurried: boolean): void {
  if (link.exchange.ended !== null) return;
  endExchange(link.exchange, failure);
  link.resolveClosed(closeDetails(link, failure));
  void endOnce(link, isHurried);
}

/** Ends the connection for this client; resolves when nothing of the child is alive. */
export async function closeLink(link: Link, isHurried: boolean): Promise<void> {
  if (link.hasEnded) endLink(link, peerEof(link), isHurried);
  endExchange(link.exchange, CLOSED);
  // What comes after a close is closed, whatever ended the connection before.
  link.exchange.ended = CLOSED;
  await endOnce(link, isHurried);
  link.resolveClosed(closeDetails(link, null));
}

/**
 * Why the child's stdin broke. A child that is ending breaks it a moment before its stdout ends:
 * then its end is the cause, and what it had answered before is still read.
 */
export async function whyBroken(link: Link, code: string | undefined): Promise<Failure> {
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

function peerEof(link: Link): PeerEofFailure {
  return { tag: "peer-eof", ...(link.child.exit() ?? { exitCode: null, signal: null }) };
}

function closeDetails(link: Link, failure: Failure | null): CloseDetails {
  const exit = link.child.exit() ?? { exitCode: null, signal: null };
  return { failure, ...exit, stderr: link.stderr.lines() };
}

/** A hurried end beside a polite one that runs already: both are over when the child is gone. */
function endOnce(link: Link, isHurried: boolean): Promise<void> {
  if (isHurried) return (link.hurried ??= endAll(link, HURRIED));
  return link.hurried ?? (link.polite ??= endAll(link, link.pace));
}

async function endAll(link: Link, pace: Graces): Promise<void> {
  const { child } = link;
  link.writer.end();
  await endChild(child, pace);
  forgetGroup(child.pid);
  await settledWithin(link.stderrEnded, EXIT_GRACE_MS);
  for (const stream of [child.stdin, child.stdout, child.stderr]) stream.destroy();
}
