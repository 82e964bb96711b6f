/**
 * Agreeing with a server on an era and a version: sends what `negotiation.ts` decides.
 */
import { describeFailure, err } from "../failure.ts";
import type { Failure, Result } from "../failure.ts";
import type { JsonObject } from "../json.ts";
import { envelopeMeta, standardHeaders } from "../protocol/envelope.ts";
import { LATEST_LEGACY_VERSION } from "../protocol/versions.ts";
import { linkedAbort } from "../transport/on-abort.ts";
import type { OpenTransport, Transport } from "../transport/transport.ts";
import type { Deadline } from "./deadline.ts";
import { discoveredAgreement, probeOutcome } from "./discover.ts";
import type { Inbox } from "./inbox.ts";
import { clientEnvelope, initialize } from "./initialize.ts";
import type { Agreement } from "./initialize.ts";
import { afterProbe, firstStep, isAboutEra, lateObjection } from "./negotiation.ts";
import type { EraSetting, ProbeContext, ProbeOutcome, Step, Verdict } from "./negotiation.ts";
import type { Ways } from "./open-server.ts";
import type { ConnectOptions, Phase } from "./records.ts";

/** What negotiating needs to know. */
export interface NegotiationTask {
  readonly ways: Ways;
  readonly inbox: Inbox;
  readonly options: ConnectOptions;
  readonly deadline: Deadline;
  readonly era: EraSetting;
  readonly verdict: Verdict | undefined;
}

/** What negotiating came to. A transport that is given is open, agreed or not. */
export type Negotiated =
  | {
      readonly kind: "agreed";
      readonly transport: Transport;
      readonly agreement: Agreement;
      readonly probe: LateProbe | null;
    }
  | {
      readonly kind: "refused";
      readonly phase: Phase;
      readonly failure: Failure;
      readonly transport: Transport | null;
    };

/** A probe whose answer may still come while the older era is spoken. */
export interface LateProbe {
  /** What a late answer calls for instead of the handshake; null so far, or when it calls for nothing. */
  objection(): Step | null;
  /** Ends the wait for the answer. */
  abandon(): void;
}

/** The longest a probe is waited for, and its share of what is left. */
const PROBE_LIMIT_MS = 5000;
const PROBE_SHARE = 1 / 3;

/** The longest delay a timer takes. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** One negotiation on its way. */
interface Talk {
  readonly task: NegotiationTask;
  transport: Transport;
  /** The last discover result. */
  discovered: JsonObject;
  late: PendingProbe | null;
  hasRetried: boolean;
}

interface PendingProbe extends LateProbe {
  /** Resolves with the objection of a late answer; else never. */
  readonly objected: Promise<Step>;
}

type Move = Step | { readonly kind: "agreed"; readonly agreement: Agreement };

/** Opens the transport and negotiates over it; a process that cannot go on is started once more. */
export async function negotiate(task: NegotiationTask): Promise<Negotiated> {
  const opened = await openInTime(task, task.ways.open);
  if (!opened.ok) return notOpened(task, opened.failure);
  const talk: Talk = {
    task,
    transport: opened.value,
    discovered: {},
    late: null,
    hasRetried: false,
  };
  let move: Move = firstStep(task.era, task.verdict, task.options.protocolVersion);
  for (;;) {
    switch (move.kind) {
      case "fail":
        talk.late?.abandon();
        return afterFail(talk, move.failure);
      case "modern":
        return agreed(talk, discoveredAgreement(talk.discovered, move.version));
      case "agreed":
        return agreed(talk, move.agreement);
      case "discover":
        move = await probe(talk, move.version, move.isProbe);
        break;
      case "initialize":
        move = await shakeHands(talk, move.version ?? LATEST_LEGACY_VERSION, move.isFresh);
        break;
    }
  }
}

function agreed(talk: Talk, agreement: Agreement): Negotiated {
  return { kind: "agreed", transport: talk.transport, agreement, probe: talk.late };
}

/** A process that could not be started never came to the handshake. */
function notOpened(task: NegotiationTask, failure: Failure): Negotiated {
  const reached = task.ways.isRemote ? "initialize" : "connect";
  const phase = failure.tag === "config" ? "config" : reached;
  return { kind: "refused", phase, failure, transport: null };
}

async function openInTime(task: NegotiationTask, open: OpenTransport): Promise<Result<Transport>> {
  const { signal } = task.options;
  const late = linkedAbort(signal);
  const timer = setTimeout(late.abort, Math.min(task.deadline.remainingMs(), MAX_TIMER_MS));
  const opened = await open(task.inbox.inbound, { signal: late.signal });
  clearTimeout(timer);
  late.release();
  if (opened.ok || opened.failure.tag !== "cancelled" || signal?.aborted === true) return opened;
  return err({ tag: "timeout", timeoutMs: task.deadline.totalMs });
}

/** The last word, unless the server may be one of the older transport. */
async function afterFail(talk: Talk, failure: Failure): Promise<Negotiated> {
  const { task } = talk;
  const { fallback } = task.ways;
  if (fallback === null || !mayBeOlderTransport(failure)) {
    return { kind: "refused", phase: "initialize", failure, transport: talk.transport };
  }
  await talk.transport.close({ hurry: true });
  const old = await negotiate({
    ...task,
    ways: { ...task.ways, open: fallback, fallback: null },
    era: "legacy",
    verdict: undefined,
  });
  if (old.kind === "agreed") return old;
  const detail = `HTTP+SSE was tried too: ${describeFailure(old.failure)}`;
  task.inbox.inbound.note?.({ code: "no-older-transport", detail });
  return { ...old, failure };
}

/** Statuses of servers that know no POST at this address; never one about credentials or load. */
function mayBeOlderTransport(failure: Failure): boolean {
  return failure.tag === "http-status" && isAboutEra(failure.status);
}

/** Ends the process and starts it anew; on other transports a new connection is as good. */
async function restart(talk: Talk): Promise<Step | null> {
  talk.late?.abandon();
  talk.late = null;
  await talk.transport.close({ hurry: true });
  const opened = await openInTime(talk.task, talk.task.ways.open);
  if (!opened.ok) return { kind: "fail", failure: opened.failure };
  talk.transport = opened.value;
  return null;
}

async function probe(talk: Talk, version: string, isProbe: boolean): Promise<Move> {
  const { task } = talk;
  const remainingMs = task.deadline.remainingMs();
  const waitMs = isProbe ? Math.min(PROBE_LIMIT_MS, remainingMs * PROBE_SHARE) : Infinity;
  const answer = askDiscover(talk, version);
  const mayInitialize = task.era === "auto" && isLegacyAllowed(task.options) && !talk.hasRetried;
  const context = { mayInitialize, hasRetried: talk.hasRetried };
  const late = isProbe ? lateProbe(talk, answer, context) : null;
  const settled = await within(answer.promise, waitMs);
  if (settled === null) talk.late = late;
  else if (settled.ok) talk.discovered = settled.value;
  const outcome: ProbeOutcome = settled === null ? { kind: "silent" } : probeOutcome(settled);
  const swallowed = settled === null ? swallowedAnswer(task.inbox) : null;
  if (swallowed !== null) return { kind: "fail", failure: swallowed };
  const next = afterProbe(outcome, context);
  if (next.kind === "discover") talk.hasRetried = true;
  if (outcome.kind === "ended" && next.kind === "initialize") return (await restart(talk)) ?? next;
  return next;
}

/**
 * A process that did answer, behind text of its own on one line, fails as it would without a probe:
 * its next answer may be readable, and the one after that lost again.
 */
function swallowedAnswer(inbox: Inbox): Failure | null {
  const found = inbox.notes.find((note) => note.code === "swallowed-answer");
  return found === undefined ? null : { tag: "malformed-body", detail: found.detail };
}

/** A pinned modern version is also the least that will do. */
function isLegacyAllowed(options: ConnectOptions): boolean {
  return options.protocolVersion === undefined;
}

interface AskedDiscover {
  readonly promise: Promise<Result<JsonObject>>;
  readonly abandon: () => void;
}

function askDiscover(talk: Talk, version: string): AskedDiscover {
  const { options, deadline } = talk.task;
  const abandoned = linkedAbort(options.signal);
  const promise = talk.transport.rpc(
    "server/discover",
    {},
    {
      timeoutMs: deadline.remainingMs(),
      era: "modern",
      protocolVersion: version,
      headers: standardHeaders("server/discover", undefined),
      meta: envelopeMeta(clientEnvelope(options, version), undefined),
      signal: abandoned.signal,
    },
  );
  void promise.then(abandoned.release);
  return { promise, abandon: abandoned.abort };
}

/** The same answer leads to the same verdict, whether it comes in time or during the handshake. */
function lateProbe(talk: Talk, answer: AskedDiscover, context: ProbeContext): PendingProbe {
  const isProcess = talk.transport.kind === "stdio";
  let objection: Step | null = null;
  const objected = new Promise<Step>((resolve) => {
    void answer.promise.then((result) => {
      const step = lateObjection(probeOutcome(result), context, isProcess);
      if (step === null) return;
      if (result.ok) talk.discovered = result.value;
      objection = step;
      resolve(step);
    });
  });
  return { objected, objection: () => objection, abandon: answer.abandon };
}

/** What a promise resolves with, or null when that takes longer than so many milliseconds. */
async function within<T>(promise: Promise<T>, ms: number): Promise<T | null> {
  if (ms === Infinity) return promise;
  let timer: NodeJS.Timeout | undefined;
  const silence = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), ms);
  });
  const settled = await Promise.race([promise, silence]);
  clearTimeout(timer);
  return settled;
}

async function shakeHands(talk: Talk, version: string, isFresh: boolean): Promise<Move> {
  const { task } = talk;
  if (isFresh && talk.transport.kind === "stdio") {
    const failed = await restart(talk);
    if (failed !== null) return failed;
  }
  const { late } = talk;
  const overtaken = linkedAbort(task.options.signal);
  const shaking = initialize(talk.transport, task.options, {
    version,
    remainingMs: () => task.deadline.remainingMs(),
    note: (note) => task.inbox.inbound.note?.(note),
    signal: overtaken.signal,
  });
  void shaking.then(overtaken.release);
  await (late === null ? shaking : Promise.race([shaking, late.objected]));
  const objection = late?.objection() ?? null;
  if (objection !== null) {
    overtaken.abort();
    return heed(talk, objection);
  }
  const answer = await shaking;
  if (answer.ok) return { kind: "agreed", agreement: answer.value };
  if (answer.failure.tag !== "peer-eof" || late === null || talk.transport.kind !== "stdio") {
    return afterRefusal(talk, answer.failure);
  }
  // A process that ended at the probe, late, has never read the handshake.
  return (await restart(talk)) ?? { kind: "initialize", version, isFresh: false };
}

/** Does what a late answer calls for; a process then starts anew, since it has seen the handshake. */
async function heed(talk: Talk, objection: Step): Promise<Move> {
  if (objection.kind === "discover") talk.hasRetried = true;
  if (objection.kind === "fail" || talk.transport.kind !== "stdio") return objection;
  const failed = await restart(talk);
  if (failed !== null) return failed;
  if (objection.kind === "initialize") return { ...objection, isFresh: false };
  talk.hasRetried = true;
  return { kind: "discover", version: objection.version, isProbe: false };
}

/** An earlier verdict that no longer holds is dropped, once. */
function afterRefusal(talk: Talk, failure: Failure): Step {
  const wasAssumed = talk.task.era === "auto" && talk.task.verdict?.era === "legacy";
  if (!wasAssumed || talk.hasRetried || failure.tag !== "rpc-error")
    return { kind: "fail", failure };
  talk.hasRetried = true;
  return firstStep("modern", undefined, undefined);
}
