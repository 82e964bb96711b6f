/**
 * What a load and a connection are: plain records, printable without a secret.
 *
 * Lives in this folder: from a server of a config to its tools, and back to nothing. Not here: bytes
 * (transport), the text of a config (config), operations other than tools (operations).
 */
import type { Diagnostic, ToolFilter } from "../config/server.ts";
import type { Failure } from "../failure.ts";
import type { Json, JsonObject } from "../json.ts";
import type { Collision, NamingRule } from "../naming/collisions.ts";
import type { Era } from "../protocol/versions.ts";
import type { Authorize } from "../transport/authorize.ts";
import type { Verdict } from "./negotiation.ts";
import type {
  CloseDetails,
  Note,
  OpenTransport,
  Progress,
  Transport,
} from "../transport/transport.ts";

/** What became of one server of a config. */
export type Connection = Connected | Disabled | Unconnected;

/** A server that answered and listed its tools. */
export interface Connected {
  readonly status: "connected";
  readonly name: string;
  readonly era: Era;
  readonly protocolVersion: string;
  /** The HTTP session; null without one. A secret, so it is not enumerable. */
  readonly sessionId: string | null;
  readonly serverInfo: JsonObject | null;
  readonly capabilities: JsonObject;
  readonly instructions: string | null;
  readonly transport: Transport;
  /** In code point order of their names. */
  readonly tools: readonly Tool[];
  /** Resolves when the connection has ended, with why; never rejects. */
  readonly closed: Promise<CloseDetails>;
  /** What was tolerated, repaired or dropped; grows while the connection lives, up to 200. */
  readonly notes: readonly Note[];
  /** What `disconnect` does. */
  [Symbol.asyncDispose](): Promise<void>;
}

/** A server that the config turns off; it was never contacted. */
export interface Disabled {
  readonly status: "disabled";
  readonly name: string;
  readonly notes: readonly Note[];
}

/** A server that could not be used; its process is gone and its session closed. */
export interface Unconnected {
  readonly status: "failed";
  readonly name: string;
  /** How far it got: `config`, `connect`, `initialize` or `tools/list`. */
  readonly phase: Phase;
  readonly failure: Failure;
  /** One line for people, the same as in `Load.errors`. */
  readonly message: string;
  /** The last lines the child wrote to stderr. */
  readonly stderr: readonly string[];
  /** The child's exit status; null when it is not known. */
  readonly exitCode: number | null;
  readonly serverInfo: JsonObject | null;
  readonly protocolVersion: string | null;
  readonly notes: readonly Note[];
}

/** Where on the way to a connection something happened. */
export type Phase = "config" | "connect" | "initialize" | "tools/list";

/** What became of a server, in a word; `deferred` only in lazy and offline loads. */
export type ServerStatus = "connected" | "disabled" | "failed" | "deferred";

/** A whole config, loaded. */
export interface Load {
  /** Every tool of every connected server, in code point order of unique names. */
  readonly tools: readonly Tool[];
  /** Every configured server. */
  readonly statuses: Readonly<Record<string, ServerStatus>>;
  /** The failed servers, one line each. */
  readonly errors: Readonly<Record<string, string>>;
  /** One for each configured server, in name order. */
  readonly connections: readonly Connection[];
  /** Which tool kept a name that several wanted, and what the others are called. */
  readonly collisions: readonly Collision[];
  /** What reading the config found. */
  readonly diagnostics: readonly Diagnostic[];
  /**
   * Null when the load ran, whatever became of single servers. `config`: there is no server map to
   * load. `cancelled`: the caller's signal fired. Else the failure of a server with `required: true`.
   * Whenever it is set, everything is closed and `tools` is empty.
   */
  readonly failure: Failure | null;
  /** What `disconnectAll` does. */
  [Symbol.asyncDispose](): Promise<void>;
}

/** A tool of a server, ready to call. */
export interface Tool {
  /** Unique in its load. */
  readonly name: string;
  readonly title?: string;
  /** Empty when the server gives none. */
  readonly description: string;
  readonly inputSchema: JsonObject;
  readonly outputSchema?: JsonObject;
  readonly annotations?: JsonObject;
  readonly source: "mcp";
  /** The server's name in the config. */
  readonly server: string;
  /** The server's own name for the tool. */
  readonly remoteName: string;
  /** The server's definition, untouched. */
  readonly definition: JsonObject;
  /** Calls the tool; never rejects. */
  execute(args?: JsonObject, options?: CallOptions): Promise<ToolResult>;
}

/** What a call of a tool gave. */
export interface ToolResult {
  /** Text for a model: the joined text, or the structured content as canonical JSON. */
  readonly output: string;
  readonly isError: boolean;
  /** The content blocks as the server sent them. */
  readonly content: readonly JsonObject[];
  readonly structuredContent?: Json;
  /** Set when there is no result at all. */
  readonly failure?: Failure;
  /** The `_meta` of the result. */
  readonly metadata?: JsonObject;
  /** What is wrong with a result that was kept, such as a broken output schema. */
  readonly findings?: readonly Note[];
}

/** How one request is made. */
export interface CallOptions {
  readonly signal?: AbortSignal;
  /** Milliseconds; the server's `callTimeout`, else its `timeout`, when absent. */
  readonly timeoutMs?: number;
  /** A cap that neither progress nor a waiting person can extend. */
  readonly maxTotalMs?: number;
  readonly resetTimeoutOnProgress?: boolean;
  /** Takes the progress of this request, in order, before its result. */
  readonly onProgress?: (progress: Progress) => void;
  /** Merged into the request's `_meta`. */
  readonly meta?: JsonObject;
}

/** Something a server asks of the person behind this client. */
export interface Request {
  /** Unique in this process. */
  readonly id: string;
  /** `input`: data after a schema. `authorization`: a visit to a URL. */
  readonly kind: "input" | "authorization";
  readonly prompt: string;
  readonly url?: string;
  readonly data?: { readonly schema: JsonObject };
  readonly server: string;
}

/** What the person said; made by `makeAnswer`. */
export interface Answer {
  readonly id: string;
  readonly ok: boolean;
  readonly data?: JsonObject;
  /** Of a refusal: `declined` is a plain no, anything else withdraws. */
  readonly reason?: string;
}

/** Answers what servers ask; the signal fires when the answer is no longer wanted. */
export type WaitFor = (
  request: Request,
  options: { readonly signal: AbortSignal },
) => Answer | Promise<Answer>;

/** Who asks, and the signal that fires when the answer is no longer wanted. */
export interface AskOptions {
  readonly server: string;
  readonly signal: AbortSignal;
}

/** A folder or file that servers may be told about. */
export interface Root extends JsonObject {
  readonly uri: string;
  readonly name?: string;
}

/** What happened, for whoever wants to look; plain data without secrets. */
export type LoadEvent =
  | { readonly kind: "connecting"; readonly server: string }
  /** A phase begins, and the one before it is over; `initialize` again when a process is restarted. */
  | { readonly kind: "phase"; readonly server: string; readonly phase: Exclude<Phase, "config"> }
  /** A line that the child wrote to stderr, as it comes, without secrets. */
  | { readonly kind: "stderr"; readonly server: string; readonly line: string }
  | { readonly kind: "connected"; readonly server: string; readonly tools: number }
  | { readonly kind: "disabled"; readonly server: string }
  | {
      readonly kind: "failed";
      readonly server: string;
      readonly phase: Phase;
      readonly failure: Failure;
    }
  | { readonly kind: "note"; readonly server: string; readonly note: Note };

/** Takes a notification of a server, as it came. */
export type NotificationHandler = (message: JsonObject) => void;

/** A transport of the caller's own, in place of a server of a config. */
export interface OwnTransport {
  readonly name: string;
  readonly open: OpenTransport;
  readonly enabled?: boolean;
  readonly timeoutMs?: number;
  readonly callTimeoutMs?: number;
  readonly tools?: ToolFilter;
}

/** How servers are connected. */
export interface ConnectOptions {
  /** Aborts everything; nothing is left behind. */
  readonly signal?: AbortSignal;
  /** Answers servers' questions; without it no server is told that it may ask. */
  readonly waitFor?: WaitFor;
  /**
   * Answers `sampling/createMessage` with a CreateMessageResult; throwing refuses. Deprecated by the
   * protocol: advertised only when given.
   */
  readonly onSample?: (params: JsonObject, options: AskOptions) => JsonObject | Promise<JsonObject>;
  /** Answers `roots/list`, with `file://` URIs. Deprecated by the protocol: advertised only when given. */
  readonly onRoots?: (options: AskOptions) => readonly Root[] | Promise<readonly Root[]>;
  /**
   * Gives the credentials of HTTP servers that take more than a fixed header; asked before every
   * request, and again after a 401 or a 403 for more scope. Not asked where the config has an
   * `Authorization` header. It must check the URL: it is asked for every HTTP server of the load.
   */
  readonly authorize?: Authorize;
  /** What this client calls itself; `mcp-source` and its version by default. */
  readonly clientInfo?: {
    readonly name: string;
    readonly version: string;
    readonly title?: string;
  };
  /** Further client capabilities to advertise. */
  readonly capabilities?: JsonObject;
  /** The `_meta` of `initialize`. */
  readonly initializeMeta?: JsonObject;
  /** The revision to offer instead of the latest. */
  readonly protocolVersion?: string;
  /** What earlier connections found out about eras, by server name; saves the asking. */
  readonly verdicts?: Readonly<Record<string, Verdict>>;
  /**
   * What to do when the server has forgotten the session: `renew` it and repeat the request, which the
   * server refused unread (the default), or `fail` with `closed` by session-expired.
   */
  readonly onExpired?: "renew" | "fail";
  /** False leaves the session open at the server when the connection is closed, to be resumed. */
  readonly ownsSession?: boolean;
  /** Handlers that see every notification from the first byte on, by method. */
  readonly onNotification?: readonly (readonly [string, NotificationHandler])[];
  /** Where variables and inherited environment come from; `process.env` by default. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Values for `${input:…}` variables. */
  readonly inputs?: Readonly<Record<string, string>>;
  /** What an undefined variable without a default becomes; `error` by default. */
  readonly onUndefined?: "error" | "empty" | "keep";
  /** Where relative paths start; the process's folder, or what `loadConfigFile` found. */
  readonly baseDir?: string;
  /** Takes what happens on the way. */
  readonly onEvent?: (event: LoadEvent) => void;
}

/** How a whole config is loaded. */
export interface LoadOptions extends ConnectOptions {
  /** How many servers connect at once; 1 by default. The result is the same. */
  readonly concurrency?: number;
  /** How exposed names are made; `plain` by default. */
  readonly naming?: NamingRule;
  /** The name of the config's file, which decides the unit of timeouts for some dialects. */
  readonly fileName?: string;
}

/** What every configured server offers, listed and disconnected. */
export interface Inventory {
  /** Connected servers only: their tools, unfiltered, by original names, in code point order. */
  readonly tools: Readonly<Record<string, readonly InventoryTool[]>>;
  readonly statuses: Readonly<Record<string, ServerStatus>>;
  readonly errors: Readonly<Record<string, string>>;
  /** Names in a server's tool filter that match none of its tools. */
  readonly unmatched: Readonly<Record<string, readonly string[]>>;
  readonly diagnostics: readonly Diagnostic[];
  readonly failure: Failure | null;
}

/** A tool as its server lists it. */
export interface InventoryTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonObject;
}
