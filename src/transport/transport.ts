/**
 * The transport record: everything above this folder is written once, over these functions.
 *
 * Lives here: the record and what its functions promise. Not here: any transport (stdio/, http/,
 * memory.ts), nor what is sent over it (lifecycle).
 */
import type { Failure, Result } from "../failure.ts";
import type { Json, JsonObject } from "../json.ts";
import type { RequestId } from "../protocol/messages.ts";
import type { Era } from "../protocol/versions.ts";

/**
 * A connection to one server, as data: three functions are all an author must write.
 *
 * Promises: no function throws and no promise rejects. `rpc` may run several times at once, settles
 * exactly once, and every notification that came before the answer is delivered before it settles.
 * After `close`, `rpc` and `notify` give `closed`.
 */
export interface Transport {
  /** Sends a request and gives the `result` of its answer. */
  rpc(
    method: string,
    params: JsonObject | undefined,
    options: RpcOptions,
  ): Promise<Result<JsonObject>>;
  /** Sends a notification; resolves when it was handed over. */
  notify(method: string, params?: JsonObject, options?: WireOptions): Promise<Result<void>>;
  /** Ends everything that belongs to the connection; idempotent, bounded, never rejects. */
  close(options?: CloseOptions): Promise<void>;
  /** `stdio`, `http`, `sse`, `memory`, or the author's own word. */
  readonly kind?: string;
  /** The last lines a child wrote to stderr, oldest first. */
  stderr?(): readonly string[];
  /**
   * Asks for what the server has to say outside any request, where that takes a stream of its own;
   * gives the function that ends it. Of several only the last goes on; a new session ends it.
   */
  listen?(options?: ListenOptions): () => void;
  /** Keeps the host alive while nothing is pending; gives the function that lets it go. */
  hold?(): () => void;
  /**
   * Gives up the request of an id as its signal would; false when none waits under it. A transport
   * without this function gets the `notifications/cancelled` of callers as it is.
   */
  cancel?(id: RequestId, reason?: string): boolean;
  /** The HTTP session, for resuming it later; a secret. */
  session?(): { readonly sessionId: string | null; readonly lastEventId: string | null };
  /** Resolves when the session has ended, whoever ended it; never rejects. */
  readonly closed?: Promise<CloseDetails>;
}

/** How to end a connection. */
export interface CloseOptions {
  /** Do not wait for a server that never answered, or whose load was aborted. */
  readonly hurry?: boolean;
}

/** Why and how a session ended. */
export interface CloseDetails {
  /** Null when this client closed it. */
  readonly failure: Failure | null;
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly stderr: readonly string[];
}

/** What the peer starts by itself; given when a transport is opened. */
export interface Inbound {
  /** Answers a request of the peer with the response to send; null sends nothing. Never rejects. */
  request(message: JsonObject, options?: InboundOptions): Promise<JsonObject | null>;
  /** Takes a notification; called in the order of arrival. Never throws. */
  notification(message: JsonObject): void;
  /** Takes what was tolerated or dropped on the way. Never throws. */
  note?(note: Note): void;
}

/** What comes with a request of the peer. */
export interface InboundOptions {
  /** Fires when the peer cancels its request, or the link it would be answered on is gone. */
  readonly signal?: AbortSignal;
}

/** Something that was tolerated, repaired or dropped, as data. */
export interface Note {
  /** A stable word, such as `junk-line` or `duplicate-tool`. */
  readonly code: string;
  readonly detail: string;
}

/** Opens a connection; resolves with the transport or with why there is none. Never rejects. */
export type OpenTransport = (inbound: Inbound, options: OpenOptions) => Promise<Result<Transport>>;

/** What opening may take. */
export interface OpenOptions {
  readonly signal?: AbortSignal;
}

/** What every message may carry on its way. */
export interface WireOptions {
  readonly protocolVersion?: string;
  readonly era?: Era;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

/** How a stream for what belongs to no request is opened. */
export interface ListenOptions extends WireOptions {
  /** Called when the server has answered and hears us listen, or never will; may not throw. */
  readonly onOpened?: () => void;
}

/** How a request is sent and waited for. */
export interface RpcOptions extends WireOptions {
  /** The id to send it with, in place of one of the transport's own. */
  readonly id?: RequestId;
  /** Milliseconds until the request fails with `timeout`; `Infinity` sets no timer at all. */
  readonly timeoutMs: number;
  /** A cap that neither progress nor a waiting person can extend. */
  readonly maxTotalMs?: number;
  readonly resetTimeoutOnProgress?: boolean;
  /** Takes the progress of this request, in order, before its answer. */
  readonly onProgress?: (progress: Progress) => void;
  /** Notifications that arrive on this request's own stream, or that name its subscription. */
  readonly onNotification?: (message: JsonObject) => void;
  /** Merged into `params._meta`. */
  readonly meta?: JsonObject;
}

/** One `notifications/progress` of a request. */
export interface Progress {
  readonly progress: number;
  readonly total?: number;
  readonly message?: string;
  readonly token?: Json;
}
