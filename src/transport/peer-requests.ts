/**
 * Requests that the peer sends to us, while they are being answered.
 *
 * They live in an id space of their own. Answering runs beside reading; while it runs, the clocks of
 * the calls that may have caused it stand still, and when all of those are over its signal fires.
 */
import { INTERNAL_ERROR, errorMessage } from "../protocol/messages.ts";
import type { IncomingRequest, RequestId } from "../protocol/messages.ts";
import type { Json, JsonObject } from "../json.ts";
import type { Budget } from "./budget.ts";
import type { Inbound } from "./transport.ts";

/** The requests of the peer that are being answered now. */
export interface PeerRequests {
  readonly inbound: Inbound;
  readonly open: Map<RequestId, PeerRequest>;
}

interface PeerRequest {
  readonly abort: AbortController;
  readonly owners: Set<Owner>;
  readonly hasOwner: boolean;
  isWithdrawn: boolean;
}

/** A request of ours that may be the reason why the peer asks. */
interface Owner {
  readonly method: string;
  readonly budget: Budget;
}

/** Methods in whose course a server may ask something. */
const MAY_ASK: ReadonlySet<string> = new Set([
  "tools/call",
  "prompts/get",
  "resources/read",
  "tasks/result",
]);

/** An empty set of requests. */
export function createPeerRequests(inbound: Inbound): PeerRequests {
  return { inbound, open: new Map() };
}

/** Lets the inbound side answer a request of the peer, and sends what it says. */
export function answerPeer(
  requests: PeerRequests,
  incoming: IncomingRequest,
  context: { readonly owners: readonly Owner[]; readonly reply: (message: JsonObject) => void },
): void {
  const owners = new Set(context.owners.filter((owner) => MAY_ASK.has(owner.method)));
  const request: PeerRequest = {
    abort: new AbortController(),
    owners,
    hasOwner: owners.size > 0,
    isWithdrawn: false,
  };
  requests.open.set(incoming.id, request);
  for (const owner of owners) owner.budget.pause();
  void respond(requests.inbound, incoming, request.abort.signal).then((response) => {
    if (requests.open.get(incoming.id) === request) requests.open.delete(incoming.id);
    for (const owner of request.owners) owner.budget.resume();
    if (response !== null && !request.isWithdrawn) context.reply(response);
  });
}

async function respond(
  inbound: Inbound,
  incoming: IncomingRequest,
  signal: AbortSignal,
): Promise<JsonObject | null> {
  try {
    return await inbound.request(incoming.message, { signal });
  } catch {
    return errorMessage(incoming.id, INTERNAL_ERROR, "Internal error");
  }
}

/** The peer took its request back: stop answering and send nothing. */
export function withdrawPeerRequest(requests: PeerRequests, id: Json | undefined): void {
  if (typeof id !== "string" && typeof id !== "number") return;
  const request = requests.open.get(id);
  if (request !== undefined) withdraw(request);
}

/** The link is gone: stop answering everything. */
export function withdrawAll(requests: PeerRequests): void {
  for (const request of requests.open.values()) withdraw(request);
}

function withdraw(request: PeerRequest): void {
  request.isWithdrawn = true;
  request.abort.abort();
}

/** One of our own requests is over; whoever was asked only because of it need not go on. */
export function forgetOwner(requests: PeerRequests, owner: Owner): void {
  for (const request of requests.open.values()) {
    request.owners.delete(owner);
    if (request.hasOwner && request.owners.size === 0) request.abort.abort();
  }
}
