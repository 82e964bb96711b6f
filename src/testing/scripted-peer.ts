/**
 * A server as data.
 */
import { canonicalJson, isObject } from "../json.ts";
import type { Json, JsonObject } from "../json.ts";
import { META } from "../protocol/envelope.ts";
import {
  INVALID_PARAMS,
  METHOD_NOT_FOUND,
  isRequestId,
  notificationMessage,
  requestMessage,
} from "../protocol/messages.ts";
import type { RequestId } from "../protocol/messages.ts";
import { LATEST_MODERN_VERSION, LATEST_LEGACY_VERSION } from "../protocol/versions.ts";
import { memoryTransport } from "../transport/memory.ts";
import type { MemoryAnswer } from "../transport/memory.ts";
import type { OpenTransport } from "../transport/transport.ts";

/** What a server says. */
export interface PeerScript {
  /** The definitions it lists; a call of one of them gives its arguments as text. */
  readonly tools?: readonly JsonObject[];
  /** How many tools a page holds; all of them when absent. */
  readonly pageSize?: number;
  /** `legacy` answers `initialize`, `modern` answers `server/discover`; `legacy` when absent. */
  readonly era?: "legacy" | "modern";
  readonly capabilities?: JsonObject;
  readonly serverInfo?: JsonObject;
  /**
   * What it says to a method, or to `tools/call NAME`, in place of the above. Of several replies each
   * is given once and the last from then on.
   */
  readonly replies?: Readonly<Record<string, Reply | readonly Reply[]>>;
}

/** What is said to one request; with neither result nor error nothing is answered. */
export interface Reply {
  readonly result?: Json;
  readonly error?: JsonObject;
  /** Waits so long before saying anything, in milliseconds. */
  readonly delayMs?: number;
  /** Sent before the answer; progress without a token gets that of the request. */
  readonly notifications?: readonly ScriptedMessage[];
  /** Asked before the answer, one after the other, each after the reply to the one before. */
  readonly questions?: readonly ScriptedMessage[];
}

/** A notification or a question of the server. */
export interface ScriptedMessage {
  readonly method: string;
  readonly params?: JsonObject;
}

/** A server after a script. */
export interface ScriptedPeer {
  /** Connects to it, any number of times; the script starts anew each time. */
  readonly open: OpenTransport;
  /** Every message it has received, answers to its questions included; grows. */
  readonly received: readonly JsonObject[];
}

/** What one connection has come to. */
interface Play {
  readonly script: PeerScript;
  readonly given: Map<string, number>;
  readonly questions: Map<RequestId, () => void>;
  readonly waits: Set<{ readonly timer: NodeJS.Timeout; readonly stop: () => void }>;
}

/**
 * A server that says what a script tells it to, without a process or a socket.
 *
 * @example
 * ```ts
 * import { connect } from "mcp-source";
 * import { scriptedPeer } from "mcp-source/testing";
 * const peer = scriptedPeer({
 *   tools: [{ name: "add", inputSchema: { type: "object" } }],
 *   replies: { "tools/call add": [{ delayMs: 50, result: { content: [] } }, {}] },
 * });
 * const connection = await connect({ name: "calculator", open: peer.open });
 * ```
 */
export function scriptedPeer(script: PeerScript): ScriptedPeer {
  const received: JsonObject[] = [];
  const open: OpenTransport = async (inbound, options) => {
    const play = startPlay(script);
    const answer = answerAfter(play);
    const opened = await memoryTransport((message, send) => {
      received.push(message);
      return answer(message, send);
    })(inbound, options);
    if (!opened.ok) return opened;
    const { value } = opened;
    const close: typeof value.close = (closeOptions) => {
      endPlay(play);
      return value.close(closeOptions);
    };
    return { ok: true, value: { ...value, close } };
  };
  return { open, received };
}

/** A script at its start. */
export function startPlay(script: PeerScript): Play {
  return { script, given: new Map(), questions: new Map(), waits: new Set() };
}

/** Ends whatever it still waits for. */
function endPlay(play: Play): void {
  for (const { timer, stop } of play.waits) {
    clearTimeout(timer);
    stop();
  }
  play.waits.clear();
}

/** The answering function of one connection. */
export function answerAfter(play: Play): MemoryAnswer {
  return async (message, send) => {
    const { id, method } = message;
    if (typeof method !== "string") {
      if (isRequestId(id)) play.questions.get(id)?.();
      return undefined;
    }
    if (!isRequestId(id)) return undefined;
    const params = isObject(message["params"]) ? message["params"] : {};
    const reply = nextReply(play, method, params) ?? ownReply(play.script, method, params);
    if (reply.delayMs !== undefined) await wait(play, reply.delayMs);
    for (const { method, params: told } of reply.notifications ?? [])
      send(notificationMessage(method, withToken(method, told, params)));
    for (const question of reply.questions ?? []) await ask(play, question, send);
    if (reply.error !== undefined) return { jsonrpc: "2.0", id, error: reply.error };
    return reply.result === undefined ? undefined : { jsonrpc: "2.0", id, result: reply.result };
  };
}

/** The reply the script has for a request, the more exact one first. */
function nextReply({ script, given }: Play, method: string, params: JsonObject): Reply | undefined {
  const { replies = {} } = script;
  const name = typeof params["name"] === "string" ? params["name"] : "";
  const key = [`${method} ${name}`, method].find((key) => Object.hasOwn(replies, key));
  const found = key === undefined ? undefined : replies[key];
  if (key === undefined || found === undefined) return undefined;
  const all = isList(found) ? found : [found];
  const count = given.get(key) ?? 0;
  given.set(key, count + 1);
  return all[Math.min(count, all.length - 1)] ?? {};
}

function isList(replies: Reply | readonly Reply[]): replies is readonly Reply[] {
  return Array.isArray(replies);
}

/** What a server says that was told nothing about a method. */
function ownReply(script: PeerScript, method: string, params: JsonObject): Reply {
  const { era = "legacy", capabilities = { tools: {} } } = script;
  const serverInfo = script.serverInfo ?? { name: "scripted", version: "1.0.0" };
  switch (`${era} ${method}`) {
    case "legacy initialize":
      return {
        result: { protocolVersion: versionFor(params), capabilities, serverInfo },
      };
    case "modern server/discover":
      return {
        result: {
          supportedVersions: [LATEST_MODERN_VERSION],
          capabilities,
          _meta: { [META.serverInfo]: serverInfo },
        },
      };
    case "legacy ping":
      return { result: {} };
    case `${era} tools/list`:
      return { result: page(script, params["cursor"]) };
    case `${era} tools/call`:
      return call(script, params);
    default:
      return { error: { code: METHOD_NOT_FOUND, message: "Method not found" } };
  }
}

function versionFor({ protocolVersion }: JsonObject): string {
  return typeof protocolVersion === "string" ? protocolVersion : LATEST_LEGACY_VERSION;
}

function page({ tools = [], pageSize = Infinity }: PeerScript, cursor: Json | undefined): Json {
  const start = typeof cursor === "string" ? Number(cursor) || 0 : 0;
  const end = start + Math.max(1, pageSize);
  const listed = tools.slice(start, end);
  return end < tools.length ? { tools: listed, nextCursor: String(end) } : { tools: listed };
}

function call({ tools = [] }: PeerScript, params: JsonObject): Reply {
  const { name, arguments: args = {} } = params;
  if (!tools.some((tool) => tool["name"] === name))
    return { error: { code: INVALID_PARAMS, message: "Unknown tool" } };
  return { result: { content: [{ type: "text", text: canonicalJson(args) }] } };
}

/** Progress belongs to the request that is being answered. */
function withToken(
  method: string,
  told: JsonObject | undefined,
  params: JsonObject,
): JsonObject | undefined {
  const meta = isObject(params["_meta"]) ? params["_meta"] : {};
  const { progressToken } = meta;
  if (method !== "notifications/progress" || progressToken === undefined) return told;
  return { progressToken, ...told };
}

/** Asks the client and waits for its reply. */
function ask(
  play: Play,
  { method, params }: ScriptedMessage,
  send: (message: Json) => void,
): Promise<void> {
  const id = `question ${play.questions.size + 1}`;
  return new Promise((resolve) => {
    play.questions.set(id, resolve);
    send(requestMessage(id, method, params));
  });
}

function wait(play: Play, ms: number): Promise<void> {
  return new Promise((resolve) => {
    const entry = {
      timer: setTimeout(() => {
        play.waits.delete(entry);
        resolve();
      }, ms),
      stop: resolve,
    };
    play.waits.add(entry);
  });
}
