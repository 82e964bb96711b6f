/**
 * The hook for credentials that are more than a fixed header: its types, and how it is asked.
 */
import { err } from "../../failure.ts";
import type { Result } from "../../failure.ts";
import type { WireAnswer } from "./dispatch.ts";
import { headerValue, headerValues, headersProblem, isOwnedHeader } from "./headers.ts";

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

/** How many answers of the hook one request uses. */
export const MAX_ANSWERS = 4;

/** Asks the hook; one that throws, or answers with headers that cannot be sent, is a failure. */
export async function askAuthorize(
  authorize: Authorize,
  ask: AuthorizeAsk,
): Promise<Result<AuthorizeAnswer>> {
  const answer = await guarded(authorize, ask);
  if (!answer.ok) return answer;
  const owned = answer.value.headers.find(([name]) => isOwnedHeader(name));
  const problem =
    owned === undefined
      ? headersProblem(answer.value.headers)
      : `header ${JSON.stringify(owned[0])} belongs to the protocol`;
  return problem === null ? answer : err({ tag: "auth", detail: `the authorize hook: ${problem}` });
}

async function guarded(authorize: Authorize, ask: AuthorizeAsk): Promise<Result<AuthorizeAnswer>> {
  try {
    return await authorize(ask);
  } catch {
    return err({ tag: "auth", detail: "the authorize hook threw" });
  }
}

/** What to ask the hook about after an answer, or null when other credentials would not help. */
export function refusal(
  answer: Pick<WireAnswer, "status" | "headers">,
  used: string | null,
): Refusal | null {
  const { status, headers } = answer;
  if (status !== 401 && status !== 403) return null;
  const challenges = headerValues(headers, "www-authenticate");
  if (status === 403 && !challenges.some(isInsufficientScope)) return null;
  const dpopNonce = headerValue(headers, "dpop-nonce");
  return { status, challenges, used, ...(dpopNonce === undefined ? {} : { dpopNonce }) };
}

function isInsufficientScope(challenge: string): boolean {
  return /\berror\s*=\s*"?insufficient_scope\b/i.test(challenge);
}
