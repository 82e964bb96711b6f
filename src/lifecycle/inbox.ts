/**
 * What a server starts by itself: its requests, its notifications, and what is noted on the way.
 */
import type { JsonObject } from "../json.ts";
import type { Era } from "../protocol/versions.ts";
import type { Inbound, Note } from "../transport/transport.ts";
import { serverRequestResponse } from "./elicitation.ts";
import type { ConnectOptions, LoadEvent, NotificationHandler } from "./records.ts";

/** The receiving side of one connection. */
export interface Inbox {
  readonly inbound: Inbound;
  readonly notes: Note[];
  readonly handlers: Map<string, Set<NotificationHandler>>;
  /** From here on the rules of this era hold. */
  enter(era: Era): void;
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
  const inbound: Inbound = {
    request: async (message, context) => {
      if (era === "legacy") return respond(server, options, message, context?.signal);
      const detail = "the server sent a request, which this era does not allow";
      inbound.note?.({ code: "stray-request", detail });
      return null;
    },
    notification: (message) => notifyHandlers(inbox, message),
    note: (note) => addNote(inbox, note, () => emit(options, { kind: "note", server, note })),
  };
  const inbox: Inbox = {
    inbound,
    notes,
    handlers,
    enter: (agreed) => {
      era = agreed;
    },
  };
  return inbox;
}

/** The response to a request of the server; what nobody here answers is refused. */
async function respond(
  server: string,
  options: ConnectOptions,
  message: JsonObject,
  signal: AbortSignal | undefined,
): Promise<JsonObject | null> {
  return serverRequestResponse(options.waitFor, message, {
    server,
    ...(signal === undefined ? {} : { signal }),
  });
}

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
    try {
      handler(message);
    } catch {
      inbox.inbound.note?.({ code: "handler-threw", detail: `a handler for ${method} threw` });
    }
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
  try {
    options.onEvent?.(event);
  } catch {
    // The window is for looking only.
  }
}
