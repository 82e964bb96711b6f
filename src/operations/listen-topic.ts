/**
 * A topic over a subscription of its own, in the 2026-07-28 revision.
 */
import { err, ok } from "../failure.ts";
import type { JsonObject } from "../json.ts";
import type { CallOptions } from "../lifecycle/records.ts";
import type { Session } from "../lifecycle/session.ts";
import { missingIn } from "./listen-filter.ts";
import type { ListenFilter } from "./listen-filter.ts";
import { startListening } from "./listening.ts";
import { forgetTopic } from "./shared.ts";
import type { Topic } from "./shared.ts";
import { lacking } from "./support.ts";

/** What is listened to. */
export interface Subject {
  readonly filter: ListenFilter;
  /** What is told after a loss, since the server repeats nothing. */
  readonly missed: JsonObject;
  readonly call: Omit<CallOptions, "signal">;
}

/** A topic that asks for one thing and is `unsupported` where the server does not grant it. */
export function listenTopic(session: Session, key: string, subject: Subject): Topic {
  const { filter, missed, call } = subject;
  return {
    key,
    open: async (tell) => {
      const { timeoutMs, meta } = call;
      const handlers = { onNotification: tell, onRelisten: (): void => tell(missed) };
      const listening = await startListening({
        session,
        filter,
        handlers,
        call: {
          ...(timeoutMs === undefined ? {} : { timeoutMs }),
          ...(meta === undefined ? {} : { meta }),
        },
        relisten: {},
      });
      if (!listening.ok) return listening;
      const { granted, done, stop } = listening.value;
      if (missingIn(granted, filter).length > 0) {
        await stop();
        return err(lacking(`the server does not announce changes of ${key}`, "asking again"));
      }
      void done.then((end) => {
        if (end.ok && end.value.by === "client") return;
        forgetTopic(session, key);
        const why = end.ok ? "the server ended it" : end.failure.tag;
        session.inbox.inbound.note?.({ code: "subscription-ended", detail: `${key}: ${why}` });
      });
      return ok(async () => {
        await stop();
        return ok(undefined);
      });
    },
  };
}
