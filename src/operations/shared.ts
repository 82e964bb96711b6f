/**
 * What several callers of one session want and what is opened once: counted, and closed by the last.
 */
import { err, ok } from "../failure.ts";
import type { Result } from "../failure.ts";
import type { JsonObject } from "../json.ts";
import type { Session } from "../lifecycle/session.ts";
import { handlerOf } from "./notifications.ts";
import type { Handler } from "./notifications.ts";

/** Something that is opened once for all who want it. */
export interface Topic {
  /** One topic for each key. */
  readonly key: string;
  /** Opens it; what the server tells goes to `tell`. */
  open(tell: (message: JsonObject) => void): Promise<Result<Close>>;
}

/** Ends what was opened. */
export type Close = () => Promise<Result<void>>;

/** One caller's part in a topic. */
export interface Share {
  /** Ends it; the last one closes the topic. Doing it again changes nothing. */
  leave(): Promise<Result<void>>;
}

/** A topic that is open, or on its way. */
interface Lane {
  readonly handlers: Set<Handler>;
  readonly opened: Promise<Result<Close>>;
  users: number;
  isOver: boolean;
}

/** The topics of one session, and what is still being closed of earlier ones. */
interface Lanes {
  readonly open: Map<string, Lane>;
  readonly closing: Map<string, Promise<Result<void>>>;
}

const lanesOfSessions = new WeakMap<Session, Lanes>();

function lanesOf(session: Session): Lanes {
  const lanes = lanesOfSessions.get(session) ?? { open: new Map(), closing: new Map() };
  lanesOfSessions.set(session, lanes);
  return lanes;
}

/**
 * Takes part in a topic, opening it for the first caller.
 *
 * The handler hears the topic from before it is open. A caller whose signal fires while it opens
 * leaves again; the others are untouched.
 */
export async function share(
  session: Session,
  topic: Topic,
  run: ((message: JsonObject) => unknown) | undefined,
  signal: AbortSignal | undefined,
): Promise<Result<Share>> {
  if (signal?.aborted === true) return err({ tag: "cancelled", maybeExecuted: false });
  const lanes = lanesOf(session);
  const lane = lanes.open.get(topic.key) ?? startLane(lanes, topic);
  const handler = run === undefined ? null : handlerOf(session, topic.key, run);
  if (handler !== null) lane.handlers.add(handler);
  lane.users++;
  let leaving: Promise<Result<void>> | null = null;
  const leave = (): Promise<Result<void>> =>
    (leaving ??= leaveLane(lanes, topic.key, lane, handler));
  const opened = await unlessAborted(lane.opened, signal);
  if (opened !== null && opened.ok) return ok({ leave });
  void leave();
  return opened ?? err({ tag: "cancelled", maybeExecuted: true });
}

function startLane(lanes: Lanes, { key, open }: Topic): Lane {
  const handlers = new Set<Handler>();
  const tell = (message: JsonObject): void => {
    for (const handler of Array.from(handlers)) handler.call(message);
  };
  const before = lanes.closing.get(key) ?? Promise.resolve();
  const opened = before.then(() => open(tell));
  const lane: Lane = { handlers, opened, users: 0, isOver: false };
  lanes.open.set(key, lane);
  return lane;
}

function dropLane(lanes: Lanes, key: string, lane: Lane): void {
  lane.isOver = true;
  if (lanes.open.get(key) === lane) lanes.open.delete(key);
}

async function leaveLane(
  lanes: Lanes,
  key: string,
  lane: Lane,
  handler: Handler | null,
): Promise<Result<void>> {
  if (handler !== null) lane.handlers.delete(handler);
  lane.users--;
  const closing = lane.users === 0 ? closeLane(lanes, key, lane) : ok(undefined);
  await handler?.end();
  return closing;
}

/** Closes a lane once; whoever opens the topic again waits until that is done. */
async function closeLane(lanes: Lanes, key: string, lane: Lane): Promise<Result<void>> {
  if (lane.isOver) return ok(undefined);
  dropLane(lanes, key, lane);
  const closing = lane.opened.then((opened) => (opened.ok ? opened.value() : ok(undefined)));
  lanes.closing.set(key, closing);
  const closed = await closing;
  if (lanes.closing.get(key) === closing) lanes.closing.delete(key);
  return closed;
}

/** Ends a topic for everybody; null when nobody takes part in it. */
export async function endTopic(session: Session, key: string): Promise<Result<void> | null> {
  const lanes = lanesOf(session);
  const lane = lanes.open.get(key);
  if (lane === undefined) return null;
  const handlers = [...lane.handlers];
  lane.handlers.clear();
  const closed = await closeLane(lanes, key, lane);
  await Promise.all(handlers.map((handler) => handler.end()));
  return closed;
}

/** Ends a topic that the server has ended. */
export function forgetTopic(session: Session, key: string): void {
  const lanes = lanesOf(session);
  const lane = lanes.open.get(key);
  if (lane !== undefined) dropLane(lanes, key, lane);
}

/** What a promise gives, or null when the signal fires first. */
function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T | null> {
  if (signal === undefined) return promise;
  return new Promise((resolve) => {
    const onAbort = (): void => resolve(null);
    signal.addEventListener("abort", onAbort, { once: true });
    void promise.then((value) => {
      signal.removeEventListener("abort", onAbort);
      resolve(value);
    });
  });
}
