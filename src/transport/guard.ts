/**
 * Holds a transport of the caller's own to the promises of the record: it may throw, hang or ignore
 * its signal, and still every function settles in time, with a value.
 */
import { err, ok } from "../failure.ts";
import type { Failure, Result } from "../failure.ts";
import { isObject } from "../json.ts";
import type { JsonObject } from "../json.ts";
import { startBudget } from "./budget.ts";
import type { Budget } from "./budget.ts";
import { onAbort } from "./on-abort.ts";
import type {
  CloseDetails,
  Inbound,
  OpenTransport,
  RpcOptions,
  Transport,
  WireOptions,
} from "./transport.ts";

/** How long a foreign `close` may take. */
const CLOSE_LIMIT_MS = 5000;

/** What the guard keeps of one transport. */
interface Watch {
  readonly inner: Transport;
  /** The clocks of what waits; they stand still while the peer's own requests are answered. */
  readonly budgets: Set<Budget>;
  /** Ends everything that waits. */
  readonly ended: AbortController;
  closing: Promise<void> | null;
}

/** The same opening, guarded; `timeoutMs` bounds the opening itself. */
export function guardedOpen(open: OpenTransport, timeoutMs: number): OpenTransport {
  return async (inbound, options) => {
    const budgets = new Set<Budget>();
    let opening: Promise<unknown> = Promise.resolve();
    const begin = (): Promise<unknown> =>
      (opening = invoke(() => open(pausing(inbound, budgets), options)));
    const opened = await race(begin, { ...options, timeoutMs });
    if (!opened.ok) {
      void closeLate(opening);
      return opened;
    }
    const result = opened.value;
    if (!isResult(result)) return malformed("opening the transport gave no result");
    if (!result.ok) return result;
    const inner: unknown = result.value;
    if (!isTransport(inner)) return malformed("opening gave no record { rpc, notify, close }");
    return ok(guarded({ inner, budgets, ended: new AbortController(), closing: null }));
  };
}

/** Ends a transport that comes when nobody waits for it any more. */
async function closeLate(opening: Promise<unknown>): Promise<void> {
  const result = await opening.catch(() => undefined);
  const late = isResult(result) && result.ok ? result.value : undefined;
  if (isTransport(late))
    await race(() => late.close({ hurry: true }), { timeoutMs: CLOSE_LIMIT_MS });
}

function guarded(watch: Watch): Transport {
  const { inner } = watch;
  return {
    ...guardedExtras(inner),
    kind: typeof inner.kind === "string" ? inner.kind : "own",
    rpc: (method, params, options) => guardedRpc(watch, { method, params, options }),
    notify: async (method, params, options) => {
      if (watch.closing !== null) return err({ tag: "closed", by: "client" });
      const told = await race(() => inner.notify(method, params, options), {
        ...options,
        timeoutMs: CLOSE_LIMIT_MS,
      });
      if (!told.ok) return told;
      return isResult(told.value) && !told.value.ok ? told.value : ok(undefined);
    },
    close: (options) => {
      watch.closing ??= race(() => inner.close(options), { timeoutMs: CLOSE_LIMIT_MS }).then(
        () => undefined,
      );
      watch.ended.abort();
      return watch.closing;
    },
  };
}

/** What an author need not write. */
type Extra = Exclude<keyof Transport, "rpc" | "notify" | "close" | "kind">;

/** Each is called on the record itself, which may be of a class. */
const EXTRAS: { readonly [Name in Extra]: (inner: Transport) => Pick<Transport, Name> } = {
  stderr: (inner) => ({ stderr: () => linesOf(attempt(() => inner.stderr?.())) }),
  session: (inner) => ({ session: () => attempt(() => inner.session?.()) ?? NO_SESSION }),
  listen: (inner) => ({ listen: (options) => ending(attempt(() => inner.listen?.(options))) }),
  hold: (inner) => ({ hold: () => ending(attempt(() => inner.hold?.())) }),
  cancel: (inner) => ({
    cancel: (id, reason) => attempt(() => inner.cancel?.(id, reason)) === true,
  }),
  closed: (inner) => ({ closed: closedOf(inner) }),
};

function guardedExtras(inner: Transport): Partial<Transport> {
  const given = Object.entries(EXTRAS).filter(([name]) => Reflect.get(inner, name) !== undefined);
  return given.reduce<Partial<Transport>>((all, [, extra]) => ({ ...all, ...extra(inner) }), {});
}

/** Ends what a foreign function began. */
function ending(end: (() => void) | undefined): () => void {
  return () => {
    attempt(() => end?.());
  };
}

async function closedOf(inner: Transport): Promise<CloseDetails> {
  try {
    return (await inner.closed) ?? BROKEN_CLOSE;
  } catch {
    return BROKEN_CLOSE;
  }
}

/** What a foreign function gives, or undefined when it throws; a promise is not expected here. */
function attempt<T>(run: () => T): T | undefined {
  try {
    const value = run();
    if (value instanceof Promise) value.catch(() => undefined);
    return value;
  } catch {
    return undefined;
  }
}

function linesOf(lines: unknown): readonly string[] {
  return Array.isArray(lines) ? lines.filter((line) => typeof line === "string") : [];
}

async function guardedRpc(
  watch: Watch,
  call: {
    readonly method: string;
    readonly params: JsonObject | undefined;
    readonly options: RpcOptions;
  },
): Promise<Result<JsonObject>> {
  const { method, params, options } = call;
  if (watch.closing !== null) return err({ tag: "closed", by: "client", maybeExecuted: false });
  if (options.signal?.aborted === true) return err({ tag: "cancelled", maybeExecuted: false });
  const renewing: RpcOptions = {
    ...options,
    onProgress: (progress) => {
      if (options.resetTimeoutOnProgress === true) budget.current?.renew();
      options.onProgress?.(progress);
    },
  };
  const budget: { current?: Budget } = {};
  const passed = options.onProgress === undefined ? options : renewing;
  const answer = await race(
    () => watch.inner.rpc(method, params, passed),
    options,
    (started) => {
      budget.current = started;
      watch.budgets.add(started);
      return watch.ended.signal;
    },
  );
  if (budget.current !== undefined) watch.budgets.delete(budget.current);
  if (!answer.ok) return err({ maybeExecuted: true, ...answer.failure });
  if (!isResult(answer.value)) return malformed("rpc gave no result");
  if (!answer.value.ok) return answer.value;
  return isObject(answer.value.value)
    ? ok(answer.value.value)
    : malformed("the result is no object");
}

/** The value of a foreign promise, or why it is not waited for any longer. */
function race(
  run: () => unknown,
  limits: Pick<WireOptions, "signal"> & {
    readonly timeoutMs: number;
    readonly maxTotalMs?: number;
  },
  onStart?: (budget: Budget) => AbortSignal,
): Promise<Result<unknown>> {
  return new Promise((resolve) => {
    const stops: (() => void)[] = [];
    const settle = (result: Result<unknown>): void => {
      budget.stop();
      for (const stop of stops) stop();
      resolve(result);
    };
    const budget = startBudget(limits.timeoutMs, limits.maxTotalMs ?? Infinity, (timeoutMs) =>
      settle(err({ tag: "timeout", timeoutMs })),
    );
    const ended = onStart?.(budget);
    if (limits.signal?.aborted === true) return settle(err({ tag: "cancelled" }));
    stops.push(
      onAbort(limits.signal, () => settle(err({ tag: "cancelled" }))),
      onAbort(ended, () => settle(err({ tag: "closed", by: "client" }))),
    );
    void invoke(run).then(
      (value) => settle(ok(value)),
      () => settle(err(BROKEN_PROMISE)),
    );
  });
}

const BROKEN_PROMISE: Failure = {
  tag: "transport",
  reason: "stream-failed",
  detail: "the transport threw or rejected",
};

const BROKEN_CLOSE: CloseDetails = {
  failure: BROKEN_PROMISE,
  exitCode: null,
  signal: null,
  stderr: [],
};
const NO_SESSION = { sessionId: null, lastEventId: null };

/** Turns a throw into a rejection. */
async function invoke(run: () => unknown): Promise<unknown> {
  return run();
}

/** The inbound side, which stops the clocks while it answers. */
function pausing(inbound: Inbound, budgets: ReadonlySet<Budget>): Inbound {
  return {
    ...inbound,
    request: async (message, options) => {
      const stopped = [...budgets];
      for (const budget of stopped) budget.pause();
      const response = await inbound.request(message, options);
      for (const budget of stopped) budget.resume();
      return response;
    },
  };
}

function malformed(detail: string): Result<never> {
  return err({ tag: "malformed-body", detail });
}

function isResult(value: unknown): value is Result<unknown> {
  if (typeof value !== "object" || value === null) return false;
  const ok: unknown = Reflect.get(value, "ok");
  if (ok === true) return true;
  const failure: unknown = Reflect.get(value, "failure");
  return ok === false && isObject(failure) && typeof failure["tag"] === "string";
}

function isTransport(value: unknown): value is Transport {
  if (typeof value !== "object" || value === null) return false;
  return ["rpc", "notify", "close"].every((name) => typeof Reflect.get(value, name) === "function");
}
