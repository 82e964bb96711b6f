/**
 * What a child says, on its way from the pipes to whoever waits for it.
 */
import type { Buffer } from "node:buffer";
import { err } from "../../failure.ts";
import { receive } from "../exchange.ts";
import { waitingUnder } from "../request-ids.ts";
import { swallowedAnswerId } from "./broken-answer.ts";
import { endLink, stdoutEnded } from "./end-link.ts";
import { junkClue, recordJunk, shownJunk } from "./junk-log.ts";
import type { Link } from "./link.ts";
import { pushChunk, pushEnd, unfinishedBytes, unfinishedJunk } from "./message-reader.ts";
import type { Oddity, Received } from "./message-reader.ts";

/**
 * Reads all that a child writes, from now on and to its end.
 *
 * An idle connection does not keep the host alive; see `holdHost`.
 */
export function readLink(link: Link): void {
  const { process, stdin, stdout, stderr } = link.child;
  for (const handle of [process, stdin, stdout, stderr]) handle.unref();
  stderr.on("data", (chunk: Buffer) => link.stderr.push(chunk));
  stderr.on("error", () => undefined);
  stderr.once("close", () => link.stderr.end());
  stdout.on("data", (chunk: Buffer) => {
    if (link.exchange.ended === null) takeAll(link, pushChunk(link.reader, chunk));
  });
  stdout.on("error", () => undefined);
  stdout.once("close", () => {
    takeAll(link, pushEnd(link.reader));
    void stdoutEnded(link);
  });
}

/** Keeps the host alive while something is pending or somebody listens; one handle is enough. */
export function holdHost(link: Link): void {
  const { stdout } = link.child;
  if (stdout.destroyed) return;
  if (link.exchange.pending.size > 0 || link.holders.size > 0) stdout.ref();
  else stdout.unref();
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
      recordJunk(link.junk, received.text);
      return noteSwallowed(link, received.text);
    case "broken": {
      recordJunk(link.junk, received.text);
      const detail = `not JSON: ${shownJunk(link.junk, received.text)}`;
      return waitingUnder(link.exchange, received.id)?.settle(
        err({ tag: "malformed-body", detail }),
      );
    }
    case "overlong": {
      const value = link.reader.lines.maxBytes;
      return endLink(link, { tag: "limit", limit: "message-bytes", value }, true);
    }
  }
}

/** Who waits for that answer may wait in vain, and wants to know why. */
function noteSwallowed(link: Link, line: string): void {
  const id = swallowedAnswerId(line);
  if (id === null || waitingUnder(link.exchange, id) === undefined) return;
  const detail = `an answer stands behind other text: ${shownJunk(link.junk, line)}`;
  link.inbound.note?.({ code: "swallowed-answer", detail });
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

/** What to add to the text of a timeout; undefined when nothing odd was seen. */
export function clues(link: Link): string | undefined {
  const bytes = unfinishedBytes(link.reader);
  const exit = link.child.exit();
  const found = [
    junkClue(link.junk, unfinishedJunk(link.reader)),
    bytes === 0 ? undefined : `a message of ${bytes} bytes so far has not ended`,
    exit === null
      ? undefined
      : `the process has exited (${exit.exitCode ?? exit.signal}), but its stdout is open`,
  ].filter((clue) => clue !== undefined);
  return found.length === 0 ? undefined : found.join("; ");
}
