/**
 * The stream for what a server has to say outside of any request: optional on both sides.
 */
import { describeFailure } from "../../failure.ts";
import type { ListenOptions } from "../transport.ts";
import { createLife } from "./life.ts";
import { noteOn } from "./link.ts";
import type { Link } from "./link.ts";
import { postReply } from "./post.ts";
import { createCursor, followStream } from "./stream.ts";
import type { Stream } from "./stream.ts";

/**
 * Opens the stream, in place of one that is open, and gives the function that ends it.
 *
 * A server that has none says so with 405 or otherwise: a note, never a failure.
 *
 * @see https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#listening-for-messages-from-the-server
 */
export function listenOn(link: Link, options: ListenOptions): () => void {
  link.listening?.end();
  const life = createLife();
  link.listening = life;
  const stream: Stream = {
    life,
    options,
    via: { reply: (message) => postReply(link, message, options) },
    pending: null,
    operation: "stream",
    cursor: createCursor(),
    onOpened: options.onOpened,
  };
  void followStream(link, stream, 0).then((failure) => {
    if (link.listening === life) link.listening = null;
    if (failure !== null) noteOn(link, "no-stream", describeFailure(failure));
    options.onOpened?.();
  });
  return life.end;
}
