/**
 * One connection with faults in it: what its near side and its far side share.
 */
import type { JsonObject } from "../json.ts";
import type { RequestId } from "../protocol/messages.ts";
import type { Exchange, Pending } from "../transport/exchange.ts";
import type { MessageReader } from "../transport/stdio/message-reader.ts";
import type { CloseDetails, Inbound, Transport, WireOptions } from "../transport/transport.ts";
import type { FaultyWire, Parcel } from "./faulty-wire.ts";

/** What its sender wants to know again when a message arrives. */
export interface Context {
  /** How the client sends it on. */
  readonly options?: WireOptions;
  /** The request on whose own stream the server sends it. */
  readonly owner?: Pending;
}

/** A message of such a connection. */
export type LinkParcel = Parcel<Context>;

/** The state of one connection. */
export interface Link {
  /** The caller's. */
  readonly inbound: Inbound;
  /** Who waits on the caller's side. */
  readonly exchange: Exchange;
  readonly wire: FaultyWire<Context>;
  /** Reads what arrives at the caller. */
  readonly reader: MessageReader;
  /** What ends the wait for the answer of the real transport, by the id of the request. */
  readonly sent: Map<RequestId, AbortController>;
  /** Questions of the server that wait for what the caller says. */
  readonly asked: Map<RequestId, (response: JsonObject | null) => void>;
  /** The requests on whose own streams notifications came. */
  readonly owners: WeakMap<JsonObject, Pending>;
  /** The real transport; null while it is being opened. */
  inner: Transport | null;
  closing: Promise<void> | null;
  readonly closed: Promise<CloseDetails>;
  readonly resolveClosed: (details: CloseDetails) => void;
}
