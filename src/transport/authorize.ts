/**
 * The hook for credentials that are more than a fixed header, as a record of types.
 */
import type { Result } from "../failure.ts";

/**
 * Gives the credentials of one HTTP request.
 *
 * Asked before every HTTP request (POST, GET stream, DELETE), and again, with `refused`, after a 401
 * or a 403 for an insufficient scope; at most four answers for one request. A failure it returns is
 * the request's failure.
 */
export type Authorize = (ask: AuthorizeAsk) => Promise<Result<AuthorizeAnswer>>;

/** What the hook is told. */
export interface AuthorizeAsk {
  readonly method: "POST" | "GET" | "DELETE";
  readonly url: string;
  /** What is being done, such as `tools/call add`, `initialize`, `reply`, `stream` or `end session`. */
  readonly operation: string;
  /** 1 for the first sending of this request. */
  readonly attempt: number;
  /** What the server said to the credentials that were used last. */
  readonly refused?: Refusal;
  /** Fires when the request is given up. */
  readonly signal?: AbortSignal;
  /** Milliseconds within which to answer when nobody has to be waited for; Infinity = no limit. */
  readonly deadlineMs: number;
}

/** A refusal for which other credentials may help. */
export interface Refusal {
  readonly status: 401 | 403;
  /** Every `WWW-Authenticate` line, unmerged. */
  readonly challenges: readonly string[];
  readonly dpopNonce?: string;
  /** What the hook called the refused credentials. */
  readonly used: string | null;
}

/** The credentials to send. */
export interface AuthorizeAnswer {
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** A name of the hook's own for these credentials; handed back when they are refused. */
  readonly used: string | null;
  /** How much of the time the hook took was waiting for a person; that burns no budget. */
  readonly waitedForPersonMs?: number;
}
