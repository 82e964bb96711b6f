/**
 * One listener for each signal, however many wait for it: callers share a signal between any number
 * of calls, and Node warns on the console at the eleventh listener.
 */

/** Who waits for a signal. */
interface Waiting {
  readonly runs: Set<{ readonly run: () => void }>;
  readonly listener: () => void;
}

const waitingFor = new WeakMap<AbortSignal, Waiting>();

/**
 * Calls a function once when the signal fires, at once when it has fired already; gives the function
 * that takes this back. The function must not throw.
 */
export function onAbort(signal: AbortSignal | undefined, run: () => void): () => void {
  if (signal === undefined) return () => undefined;
  if (signal.aborted) {
    run();
    return () => undefined;
  }
  const waiting = waitingFor.get(signal) ?? begin(signal);
  const entry = { run };
  waiting.runs.add(entry);
  return () => {
    if (waiting.runs.delete(entry) && waiting.runs.size === 0) end(signal, waiting);
  };
}

/** The signal in options; a caller without types may have put anything there, or no options at all. */
export function signalIn(options: { readonly signal?: AbortSignal }): AbortSignal | undefined {
  return isSignal(options?.signal) ? options.signal : undefined;
}

function isSignal(value: unknown): boolean {
  return typeof value === "object" && value !== null && "aborted" in value;
}

function begin(signal: AbortSignal): Waiting {
  const waiting: Waiting = {
    runs: new Set(),
    listener: () => {
      waitingFor.delete(signal);
      for (const { run } of waiting.runs) run();
    },
  };
  waitingFor.set(signal, waiting);
  signal.addEventListener("abort", waiting.listener, { once: true });
  return waiting;
}

function end(signal: AbortSignal, waiting: Waiting): void {
  signal.removeEventListener("abort", waiting.listener);
  if (waitingFor.get(signal) === waiting) waitingFor.delete(signal);
}

/** A signal that fires with another, or by itself. */
export interface LinkedAbort {
  readonly signal: AbortSignal;
  abort(): void;
  /** Lets go of the other signal; from then on only `abort` fires this one. */
  release(): void;
}

/**
 * A signal linked to a caller's, which may be undefined.
 *
 * `AbortSignal.any` is not used: on Node 20 a long-lived signal keeps some memory for every signal
 * that was ever made from it.
 */
export function linkedAbort(signal: AbortSignal | undefined): LinkedAbort {
  const controller = new AbortController();
  const abort = (): void => controller.abort();
  return { signal: controller.signal, abort, release: onAbort(signal, abort) };
}
