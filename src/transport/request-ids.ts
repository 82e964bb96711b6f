/**
 * Under which id and which progress token a request goes, and which request waits under one.
 *
 * A request has a number of ours in the tables. On the wire that is its id too, unless its caller
 * gave it another one.
 */
import type { Failure } from "../failure.ts";
import { isObject } from "../json.ts";
import type { Json, JsonObject } from "../json.ts";
import { isRequestId } from "../protocol/messages.ts";
import type { RequestId } from "../protocol/messages.ts";
import type { RpcOptions } from "./transport.ts";

/** The tables that ids are looked up in. */
export interface IdTables<P extends { readonly wireId: RequestId }> {
  readonly pending: { get(id: number): P | undefined };
  readonly ownIds: ReadonlyMap<RequestId, P>;
  readonly progressTokens: ReadonlyMap<RequestId, P>;
}

type Waiting = { readonly wireId: RequestId };

/** The largest number a caller may use as an id; the counter goes on from there. */
const LARGEST_OWN_ID = 2 ** 52;

/** The request that waits under an id of the wire. */
export function waitingUnder<P extends Waiting>(
  tables: IdTables<P>,
  id: Json | undefined,
): P | undefined {
  if (!isRequestId(id)) return undefined;
  const own = tables.ownIds.get(id);
  if (own !== undefined || typeof id !== "number") return own;
  const counted = tables.pending.get(id);
  return counted?.wireId === id ? counted : undefined;
}

/** Why a request cannot go under its caller's id or progress token, or null. */
export function idProblem(
  tables: IdTables<Waiting>,
  params: JsonObject | undefined,
  { id, meta }: RpcOptions,
): Failure | null {
  if (typeof id === "number" && id > LARGEST_OWN_ID) return invalid("the id is too large");
  if (waitingUnder(tables, id) !== undefined) return invalid("a request waits under this id");
  const token = meta?.["progressToken"] ?? progressToken(params);
  const isTaken = isRequestId(token) && tables.progressTokens.has(token);
  return isTaken ? invalid("a request waits under this progress token") : null;
}

function invalid(detail: string): Failure {
  return { tag: "invalid-argument", detail };
}

/** The parameters of a request with the caller's `_meta`, and a token when progress is wanted. */
export function withMeta(
  tables: IdTables<Waiting>,
  params: JsonObject | undefined,
  options: RpcOptions,
  wireId: RequestId,
): JsonObject | undefined {
  const own = isObject(params?.["_meta"]) ? params["_meta"] : {};
  const meta: JsonObject = { ...own, ...options.meta };
  const token =
    meta["progressToken"] ??
    (options.onProgress === undefined ? undefined : freeToken(tables, wireId));
  const merged: JsonObject = token === undefined ? meta : { ...meta, progressToken: token };
  return Object.keys(merged).length === 0 ? params : { ...params, _meta: merged };
}

/** The id itself, unless a caller uses it as the token of another request. */
function freeToken(tables: IdTables<Waiting>, wireId: RequestId): RequestId {
  let token = wireId;
  while (tables.progressTokens.has(token)) token = `progress of ${token}`;
  return token;
}

/** The progress token in the parameters of a request. */
export function progressToken(params: Json | undefined): RequestId | undefined {
  const meta = isObject(params) ? params["_meta"] : undefined;
  const token = isObject(meta) ? meta["progressToken"] : undefined;
  return isRequestId(token) ? token : undefined;
}
