/**
 * Hearing what a server says outside of our requests, for as long as somebody wants to.
 *
 * Over HTTP in the initialize era that takes a stream of its own; many servers send their questions
 * there. Elsewhere it takes nothing, and the transport does nothing.
 *
 * @see https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#listening-for-messages-from-the-server
 */
import { ok } from "../failure.ts";
import type { Session } from "./session.ts";

/** The stream of a session, shared by all who want it. */
export interface ServerStream {
  holders: number;
  opened: Promise<void>;
  stop: () => void;
}

/** One wish to hear the server. */
export interface StreamHold {
  /** Resolves when the server hears us listen, or when it is not worth waiting longer. */
  readonly opened: Promise<void>;
  /** Ends the wish; the last one ends the stream. */
  release(): void;
}

/** Some servers answer the request for a stream only when they first have something to say. */
const OPEN_LIMIT_MS = 1000;

/** Opens the stream unless it is open already. */
export function holdServerStream(session: Session): StreamHold {
  const { state } = session;
  const stream = (state.stream ??= startStream(session));
  stream.holders++;
  let isHeld = true;
  return {
    opened: stream.opened,
    release: () => {
      if (!isHeld) return;
      isHeld = false;
      if (--stream.holders > 0) return;
      state.stream = null;
      state.restorations.delete(RESTORATION);
      stream.stop();
    },
  };
}

const RESTORATION = "the stream of the server";

function startStream(session: Session): ServerStream {
  const stream: ServerStream = { holders: 0, ...openStream(session) };
  session.state.restorations.set(RESTORATION, async () => {
    Object.assign(stream, openStream(session));
    await stream.opened;
    return ok(undefined);
  });
  return stream;
}

function openStream(session: Session): Pick<ServerStream, "opened" | "stop"> {
  const { era, protocolVersion } = session.agreement;
  const { transport } = session;
  if (transport.listen === undefined) return { opened: Promise.resolve(), stop: () => undefined };
  let stop: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, OPEN_LIMIT_MS);
    const onOpened = (): void => {
      clearTimeout(timer);
      resolve();
    };
    stop = transport.listen?.({ era, protocolVersion, onOpened }) ?? stop;
  });
  return { opened, stop };
}
