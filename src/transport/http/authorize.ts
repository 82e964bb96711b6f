/**
 * How the hook for credentials is asked, and which answers make it worth asking again.
 */
import { err } from "../../failure.ts";
import type { Result } from "../../failure.ts";
import type { Authorize, AuthorizeAnswer, AuthorizeAsk, Refusal } from "../authorize.ts";
import type { WireAnswer } from "./dispatch.ts";
import { headerValue, headerValues, headersProblem, isOwnedHeader } from "./headers.ts";

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
