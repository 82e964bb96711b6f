/**
 * Requests of the 2026-07-28 era: each carries who asks, and an answer may ask back.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/mrtr
 */
import { setTimeout as sleep } from "node:timers/promises";
import { err, ok } from "../failure.ts";
import type { Failure, Result } from "../failure.ts";
import { isObject } from "../json.ts";
import type { JsonObject } from "../json.ts";
import { META, envelopeMeta, standardHeaders } from "../protocol/envelope.ts";
import { paramHeaders } from "../protocol/param-headers.ts";
import { startCallClock } from "./call-clock.ts";
import { clientEnvelope } from "./initialize.ts";
import { resolveInputRequests } from "./input-requests.ts";
import type { CallOptions } from "./records.ts";
import type { SendOptions } from "./send.ts";
import { callerMeta, paramHeadersOf, usesParamHeaders } from "./session.ts";
import type { Session } from "./session.ts";

/** How often a request may be answered by questions. */
const MAX_INPUT_ROUNDS = 10;
/** The longest wait before a request that was put off without a question is sent again. */
const MAX_PAUSE_MS = 2000;
/** The extension that lets a call be answered by a task. */
export const TASKS_EXTENSION = "io.modelcontextprotocol/tasks";

/** Methods whose answer may ask for input. */
const MAY_ASK: ReadonlySet<string> = new Set(["tools/call", "prompts/get", "resources/read"]);
/** Methods that change nothing at the server, so that a lost one may be sent again. */
const READS: ReadonlySet<string> = new Set([
  "server/discover",
  "tools/list",
  "prompts/list",
  "prompts/get",
  "resources/list",
  "resources/templates/list",
  "resources/read",
  "completion/complete",
  "tasks/get",
]);

/** Sends a request, answers what the server asks on the way, and gives the final result. */
export async function sendModern(
  session: Session,
  method: string,
  params: JsonObject | undefined,
  options: SendOptions,
): Promise<Result<JsonObject>> {
  const clock = startCallClock(options.timeoutMs ?? session.callTimeoutMs, options.maxTotalMs);
  let current = params;
  for (let round = 0; ; round++) {
    const answer = await clock.run((limits) =>
      sendAgainIfLost(session, method, current, {
        ...(round === 0 ? options : withNewId(options)),
        ...limits,
      }),
    );
    if (!answer.ok || answer.value["resultType"] !== "input_required") return answer;
    if (round === MAX_INPUT_ROUNDS) return err(tooManyRounds());
    const next = await paramsOfRetry(session, params, answer.value, { options, round });
    if (!next.ok) return next;
    current = next.value;
  }
}

/** An id belongs to one sending only. */
function withNewId<T extends SendOptions>({ id: _, ...options }: T): Omit<T, "id"> {
  return options;
}

function tooManyRounds(): Failure {
  return { tag: "limit", limit: "input-rounds", value: MAX_INPUT_ROUNDS, maybeExecuted: true };
}

/** A stream that broke took the answer with it; asking again is safe only for reads. */
async function sendAgainIfLost(
  session: Session,
  method: string,
  params: JsonObject | undefined,
  options: SendOptions & { readonly timeoutMs: number },
): Promise<Result<JsonObject>> {
  const answer = await sendOnce(session, method, params, options);
  const mayRepeat = READS.has(method) && session.transport.kind !== "stdio";
  if (answer.ok || !mayRepeat || !isLost(answer.failure)) return answer;
  return sendOnce(session, method, params, withNewId(options));
}

function isLost(failure: Failure): boolean {
  if (failure.tag === "peer-eof") return true;
  return failure.tag === "transport" && ["reset", "stream-failed"].includes(failure.reason);
}

async function sendOnce(
  session: Session,
  method: string,
  params: JsonObject | undefined,
  options: SendOptions & { readonly timeoutMs: number },
): Promise<Result<JsonObject>> {
  const { protocolVersion } = session.agreement;
  const { logLevel } = session.state;
  const envelope = {
    ...clientEnvelope(session.options, protocolVersion),
    ...(logLevel === undefined ? {} : { logLevel }),
  };
  const meta = envelopeMeta(envelope, callerMeta(params, options.meta));
  const named = method === "tools/call" && usesParamHeaders(session);
  const mirrored = named ? mirroredParams(session, params) : ok({});
  if (!mirrored.ok) return err({ ...mirrored.failure, maybeExecuted: false });
  const answer = await session.transport.rpc(method, params ?? {}, {
    ...options,
    meta,
    era: "modern",
    protocolVersion,
    headers: { ...standardHeaders(method, params), ...mirrored.value },
  });
  return answer.ok ? readResultType(method, answer.value, meta) : answer;
}

function mirroredParams(
  session: Session,
  params: JsonObject | undefined,
): Result<Readonly<Record<string, string>>> {
  const name = params?.["name"];
  const args = params?.["arguments"];
  const annotated = typeof name === "string" ? paramHeadersOf(session, name) : [];
  return paramHeaders(annotated, isObject(args) ? args : {});
}

/** An absent `resultType` means complete; one that was not agreed on makes the answer invalid. */
function readResultType(method: string, result: JsonObject, meta: JsonObject): Result<JsonObject> {
  const { resultType } = result;
  if (resultType === undefined || resultType === "complete") return ok(result);
  if (resultType === "input_required" && MAY_ASK.has(method)) return ok(result);
  if (resultType === "task" && method === "tools/call" && declaresTasks(meta)) return ok(result);
  const detail = `resultType ${JSON.stringify(resultType)} is no answer to ${method}`;
  return err({ tag: "malformed-body", detail, maybeExecuted: true });
}

function declaresTasks(meta: JsonObject): boolean {
  const capabilities = meta[META.clientCapabilities];
  const extensions = isObject(capabilities) ? capabilities["extensions"] : undefined;
  return isObject(extensions) && extensions[TASKS_EXTENSION] !== undefined;
}

/** The parameters of the next round: the original ones, the responses, and the state as it came. */
async function paramsOfRetry(
  session: Session,
  params: JsonObject | undefined,
  result: JsonObject,
  context: { readonly options: CallOptions; readonly round: number },
): Promise<Result<JsonObject>> {
  const { inputRequests, requestState } = result;
  const isAsked = isObject(inputRequests) && Object.keys(inputRequests).length > 0;
  if (!isAsked && typeof requestState !== "string") {
    const detail = "input_required without input requests and without a state";
    return err({ tag: "malformed-body", detail, maybeExecuted: true });
  }
  const { signal } = context.options;
  const state = typeof requestState === "string" ? { requestState } : {};
  if (!isAsked) {
    await pause(Math.min(MAX_PAUSE_MS, 50 * 2 ** context.round), signal);
    return ok({ ...params, ...state });
  }
  const responses = await resolveInputRequests(
    session,
    inputRequests,
    signal === undefined ? {} : { signal },
  );
  if (!responses.ok) return responses;
  return ok({ ...params, inputResponses: responses.value, ...state });
}

/** Ends early when the signal fires; the request after it then says so. */
async function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  await sleep(ms, undefined, signal === undefined ? {} : { signal }).catch(() => undefined);
}
