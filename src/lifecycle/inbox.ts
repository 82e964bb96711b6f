/**
 * What a server starts by itself: its requests, its notifications, and what is noted on the way.
 */
import { isObject } from "../json.ts";
import type { JsonObject } from "../json.ts";
import {
  INTERNAL_ERROR,
  METHOD_NOT_FOUND,
  errorMessage,
  resultMessage,
} from "../protocol/messages.ts";
import type { Era } from "../protocol/versions.ts";
import { callBack } from "../transport/call-back.ts";
import { noRedaction } from "../redact.ts";
import type { Redact } from "../redact.ts";
import type { Inbound, Note } from "../transport/transport.ts";
import { answerQuestion } from "./input-requests.ts";
import type { ConnectOptions, LoadEvent, NotificationHandler } from "./records.ts";

/** The receiving side of one connection. */
export interface Inbox {
  readonly inbound: Inbound;
  readonly notes: Note[];
  readonly handlers: Map<string, Set<NotificationHandler>>;
  /** From here on the rules of this era hold. */
  enter(era: Era): void;
  /** Takes the server's secrets out of a text that may quote it. */
  redact(text: string): string;
  /** From here on these secrets are known. */
  hide(redact: Redact): void;
}

/** How many notes a connection keeps. */
const MAX_NOTES = 200;

/** The receiving side for a server; handlers of the options are there from the first byte on. */
export function createInbox(server: string, options: ConnectOptions): Inbox {
  const notes: Note[] = [];
  const handlers = new Map<string, Set<NotificationHandler>>();
  for (const [method, handler] of options.onNotification ?? [])
    addHandler(handlers, method, handler);
  let era: Era = "legacy";
  let redact = noRedaction;
  const inbound: Inbound = {
    request: async (message, context) => {
      if (era === "legacy") {
        const signal = context?.signal ?? new AbortController().signal;
        return respond(inbox, options, message, { server, signal });
      }
      const detail = "the server sent a request, which this era does not allow";
      inbound.note?.({ code: "stray-request", detail });
      return null;
    },
    notification: (message) => notifyHandlers(inbox, message),
    note: ({ code, detail }) => {
      const note = { code, detail: redact(detail) };
      addNote(inbox, note, () => emit(options, { kind: "note", server, note }));
    },
  };
  const inbox: Inbox = {
    inbound,
    notes,
    handlers,
    enter: (agreed) => {
      era = agreed;
    },
    redact: (text) => redact(text),
    hide: (known) => {
      redact = known;
    },
  };
  return inbox;
}

/** The response to a request of the server; what nobody here answers is refused. */
async function respond(
  inbox: Inbox,
  options: ConnectOptions,
  message: JsonObject,
  context: { readonly server: string; readonly signal: AbortSignal },
): Promise<JsonObject | null> {
  const { id, method, params } = message;
  if (typeof method !== "string" || (typeof id !== "string" && typeof id !== "number")) return null;
  if (method === "ping") return resultMessage(id, {});
  const answer = await answerQuestion(options, {
    ...context,
    method,
    params: isObject(params) ? params : {},
    note: (note) => inbox.inbound.note?.(note),
  });
  if (answer.ok) return resultMessage(id, answer.value);
  if (answer.failure.tag === "unsupported") {
    return errorMessage(id, METHOD_NOT_FOUND, "Method not found");
  }
  return method === "sampling/createMessage"
    ? errorMessage(id, REFUSED_BY_USER, "The user refused")
    : errorMessage(id, INTERNAL_ERROR, "Internal error");
}

/** What a client answers when its user refuses a sampling request. */
const REFUSED_BY_USER = -1;

/** Adds a handler for a method; the same function twice counts once. */
export function addHandler(
  handlers: Map<string, Set<NotificationHandler>>,
  method: string,
  handler: NotificationHandler,
): void {
  const known = handlers.get(method);
  if (known === undefined) handlers.set(method, new Set([handler]));
  else known.add(handler);
}

/** Each handler is called once, also when an earlier one threw or removed itself. */
function notifyHandlers(inbox: Inbox, message: JsonObject): void {
  const method = message["method"];
  if (typeof method !== "string") return;
  for (const handler of Array.from(inbox.handlers.get(method) ?? [])) {
    callBack(
      () => handler(message),
      () =>
        inbox.inbound.note?.({ code: "handler-threw", detail: `a handler for ${method} threw` }),
    );
  }
}

/** Keeps a note once; a peer that repeats itself cannot fill the memory. */
function addNote(inbox: Inbox, note: Note, onNew: () => void): void {
  const isKnown = inbox.notes.some(
    (known) => known.code === note.code && known.detail === note.detail,
  );
  if (isKnown || inbox.notes.length >= MAX_NOTES) return;
  inbox.notes.push(note);
  onNew();
}

/** Tells the caller what happened; what the caller's function throws stays there. */
export function emit(options: ConnectOptions, event: LoadEvent): void {
  callBack(
    () => options.onEvent?.(event),
    () => undefined,
  );
}
