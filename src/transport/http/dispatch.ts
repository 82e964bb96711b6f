/**
 * One HTTP request over undici: the only file that sees its callbacks.
 */
import type { Dispatcher } from "undici";
import { createBody } from "./body.ts";
import type { Body } from "./body.ts";
import type { AnswerHeaders, HeaderLines } from "./headers.ts";
import type { Life } from "./life.ts";
import { networkFailure } from "./network-failure.ts";
import type { Sockets } from "./sockets.ts";

/** The methods that MCP uses. */
export type Verb = "POST" | "GET" | "DELETE";

/** An address, taken apart once. */
export interface Target {
  readonly href: string;
  readonly origin: string;
  /** With the query. */
  readonly path: string;
}

/** Takes an address apart. */
export function targetOf(url: URL): Target {
  return { href: url.href, origin: url.origin, path: `${url.pathname}${url.search}` };
}

/** A request as it goes to the wire. */
export interface WireRequest {
  readonly verb: Verb;
  readonly target: Target;
  readonly headers: HeaderLines;
  readonly body: string | null;
}

/** The head of an answer, and the body that follows. */
export interface WireAnswer {
  /** The address that answered. */
  readonly url: string;
  readonly status: number;
  readonly headers: AnswerHeaders;
  readonly body: Body;
}

/** What became of a request. */
export type Dispatched =
  | { readonly kind: "answer"; readonly answer: WireAnswer }
  | { readonly kind: "failed"; readonly error: unknown; readonly isSent: boolean };

/**
 * Sends one request; resolves when the head of its answer is there, or why there is none.
 *
 * Ending the life aborts the request, the answer and the socket, at any moment. No timeout is set:
 * the budgets above are the only clocks. undici's `dispatch` is used where `request` would do,
 * because it tells whether a failed request had been sent.
 */
export function dispatchOnce(
  sockets: Sockets,
  request: WireRequest,
  life: Life,
): Promise<Dispatched> {
  if (life.isOver) return Promise.resolve({ kind: "failed", error: givenUp(), isSent: false });
  return new Promise((resolve) => {
    const lease = sockets.lease(request.target.origin);
    let control: Dispatcher.DispatchController | null = null;
    let isOver = false;
    let isSent = false;
    const settle = (finish: () => void): void => {
      if (isOver) return;
      isOver = true;
      if (life.onEnd === cut) life.onEnd = null;
      finish();
    };
    const fail = (error: unknown): void => {
      settle(() => lease.cut(() => control?.abort(givenUp())));
      resolve({ kind: "failed", error, isSent });
      body.broken(networkFailure(error, "streaming"));
    };
    const cut = (): void => fail(givenUp());
    const body = createBody({
      drop: cut,
      pause: () => control?.pause(),
      resume: () => control?.resume(),
    });
    life.onEnd = cut;
    const handler: Dispatcher.DispatchHandler = {
      onRequestStart: (controller) => {
        if (isOver) return controller.abort(givenUp());
        control = controller;
        isSent = true;
        life.isSent = true;
      },
      onResponseStart: (_controller, status, headers) => {
        if (status < 200) return;
        resolve({ kind: "answer", answer: { url: request.target.href, status, headers, body } });
      },
      onResponseData: (_controller, chunk) => {
        if (!isOver) body.data(chunk);
      },
      onResponseEnd: () => {
        settle(lease.giveBack);
        body.end();
      },
      onResponseError: (_controller, error) => fail(error),
    };
    try {
      lease.dispatcher.dispatch(options(request), handler);
    } catch (error) {
      fail(error);
    }
  });
}

function options(request: WireRequest): Dispatcher.DispatchOptions {
  return {
    origin: request.target.origin,
    path: request.target.path,
    method: request.verb,
    headers: [...request.headers],
    body: request.body,
    headersTimeout: 0,
    bodyTimeout: 0,
  };
}

function givenUp(): Error {
  return new Error("given up by the client");
}
