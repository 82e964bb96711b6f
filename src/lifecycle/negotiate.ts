/**
 * Agreeing with a server on an era and a version: sends what `negotiation.ts` decides.
 */
import type { Failure, Result } from "../failure.ts";
import type { JsonObject } from "../json.ts";
import { envelopeMeta, standardHeaders } from "../protocol/envelope.ts";
import { LATEST_LEGACY_VERSION } from "../protocol/versions.ts";
import type { OpenTransport, Transport } from "../transport/transport.ts";
import type { Deadline } from "./deadline.ts";
import { discoveredAgreement, probeOutcome } from "./discover.ts";
import type { Inbox } from "./inbox.ts";
import { clientEnvelope, initialize } from "./initialize.ts";
import type { Agreement } from "./initialize.ts";
import { afterProbe, firstStep } from "./negotiation.ts";
import type { EraSetting, ProbeOutcome, Step, Verdict } from "./negotiation.ts";
import type { ConnectOptions } from "./records.ts";

/** What negotiating needs to know. */
export interface NegotiationTask {
  readonly open: OpenTransport;
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
      readonly phase: "connect" | "initialize";
      readonly failure: Failure;
      readonly transport: Transport | null;
    };

/** A probe whose answer may still come while the older era is spoken. */
export interface LateProbe {
  /** The modern version that a late answer offered, or null so far. */
  offered(): string | null;
  /** Ends the wait for the answer. */
  abandon(): void;
}

/** The longest a probe is waited for, and its share of what is left. */
const PROBE_LIMIT_MS = 5000;
const PROBE_SHARE = 1 / 3;

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
  /** Resolves when a late answer offers the modern era; else never. */
  readonly offer: Promise<string>;
}

type Move = Step | { readonly kind: "agreed"; readonly agreement: Agreement };

/** Opens the transport and negotiates over it; a process that cannot go on is started once more. */
export async function negotiate(task: NegotiationTask): Promise<Negotiated> {
  const opened = await open(task);
  if (!opened.ok)
    return { kind: "refused", phase: "connect", failure: opened.failure, transport: null };
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
        return {
          kind: "refused",
          phase: "initialize",
          failure: move.failure,
          transport: talk.transport,
        };
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

function open(task: NegotiationTask): Promise<Result<Transport>> {
  const { signal } = task.options;
  return task.open(task.inbox.inbound, signal === undefined ? {} : { signal });
}

/** Ends the process and starts it anew; on other transports a new connection is as good. */
async function restart(talk: Talk): Promise<Step | null> {
  talk.late?.abandon();
  talk.late = null;
  await talk.transport.close({ hurry: true });
  const opened = await open(talk.task);
  if (!opened.ok) return { kind: "fail", failure: opened.failure };
  talk.transport = opened.value;
  return null;
}

async function probe(talk: Talk, version: string, isProbe: boolean): Promise<Move> {
  const { task } = talk;
  const remainingMs = task.deadline.remainingMs();
  const waitMs = isProbe ? Math.min(PROBE_LIMIT_MS, remainingMs * PROBE_SHARE) : Infinity;
  const { answer, late } = askDiscover(talk, version);
  const settled = await within(answer, waitMs);
  if (settled === null) talk.late = late;
  else if (settled.ok) talk.discovered = settled.value;
  const outcome: ProbeOutcome = settled === null ? { kind: "silent" } : probeOutcome(settled);
  const mayInitialize = task.era === "auto" && isLegacyAllowed(task.options) && !talk.hasRetried;
  const next = afterProbe(outcome, { mayInitialize, hasRetried: talk.hasRetried });
  if (next.kind === "discover") talk.hasRetried = true;
  if (outcome.kind === "ended" && next.kind === "initialize") return (await restart(talk)) ?? next;
  return next;
}

/** A pinned modern version is also the least that will do. */
function isLegacyAllowed(options: ConnectOptions): boolean {
  return options.protocolVersion === undefined;
}

function askDiscover(
  talk: Talk,
  version: string,
): { readonly answer: Promise<Result<JsonObject>>; readonly late: PendingProbe } {
  const { options, deadline } = talk.task;
  const abandoned = new AbortController();
  const signals = [abandoned.signal, ...(options.signal === undefined ? [] : [options.signal])];
  const answer = talk.transport.rpc(
    "server/discover",
    {},
    {
      timeoutMs: deadline.remainingMs(),
      era: "modern",
      protocolVersion: version,
      headers: standardHeaders("server/discover", undefined),
      meta: envelopeMeta(clientEnvelope(options, version), undefined),
      signal: AbortSignal.any(signals),
    },
  );
  let offered: string | null = null;
  const offer = new Promise<string>((resolve) => {
    void answer.then((result) => {
      const step = afterProbe(probeOutcome(result), { mayInitialize: false, hasRetried: true });
      if (step.kind !== "modern" || !result.ok) return;
      talk.discovered = result.value;
      offered = step.version;
      resolve(step.version);
    });
  });
  return { answer, late: { offer, offered: () => offered, abandon: () => abandoned.abort() } };
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
  const { task, late } = talk;
  if (isFresh && talk.transport.kind === "stdio") {
    const failed = await restart(talk);
    if (failed !== null) return failed;
  }
  const overtaken = new AbortController();
  const { signal } = task.options;
  const shaking = initialize(talk.transport, task.options, {
    version,
    remainingMs: () => task.deadline.remainingMs(),
    note: (note) => task.inbox.inbound.note?.(note),
    signal: AbortSignal.any([overtaken.signal, ...(signal === undefined ? [] : [signal])]),
  });
  const answer = late === null ? await shaking : await Promise.race([shaking, late.offer]);
  const offered = late?.offered() ?? null;
  if (offered !== null) {
    overtaken.abort();
    return adopt(talk, offered);
  }
  if (typeof answer === "string") return adopt(talk, answer);
  if (answer.ok) return { kind: "agreed", agreement: answer.value };
  return afterRefusal(talk, answer.failure);
}

/** A server that was only slow to offer the modern era gets it, on a process that has seen nothing else. */
export async function adopt(talk: Talk, version: string): Promise<Move> {
  if (talk.transport.kind !== "stdio") return { kind: "modern", version };
  talk.hasRetried = true;
  return (await restart(talk)) ?? { kind: "discover", version, isProbe: false };
}

/** An earlier verdict that no longer holds is dropped, once. */
function afterRefusal(talk: Talk, failure: Failure): Step {
  const wasAssumed = talk.task.era === "auto" && talk.task.verdict?.era === "legacy";
  if (!wasAssumed || talk.hasRetried || failure.tag !== "rpc-error")
    return { kind: "fail", failure };
  talk.hasRetried = true;
  return firstStep("modern", undefined, undefined);
}
