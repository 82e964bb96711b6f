/**
 * A server reached over HTTP, as its caller describes it, and the sender that follows from it.
 */
import type { Dispatcher } from "undici";
import { noRedaction } from "../../redact.ts";
import type { Redact } from "../../redact.ts";

import type { Authorize } from "../authorize.ts";
import { targetOf } from "./dispatch.ts";
import { headersProblem } from "./headers.ts";
import type { HttpRuntime } from "./runtime.ts";
import { createSecrets } from "./secrets.ts";
import type { Sender } from "./sender.ts";

/** What every transport over HTTP needs to know of its server. */
export interface HttpServerSpec {
  /** The absolute http or https address of the MCP endpoint. */
  readonly url: string;
  /** Headers of every request; those of the protocol itself cannot be replaced. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Takes the secrets out of what the server says. */
  readonly redact?: Redact;
  /** The largest message in bytes, after decoding; default 128 MiB. */
  readonly maxMessageBytes?: number;
  /** An undici dispatcher of the caller's, for TLS options, proxies or tests; never closed here. */
  readonly dispatcher?: Dispatcher;
  /** Gives the credentials; not asked when `headers` has an `Authorization`. */
  readonly authorize?: Authorize;
}

const MAX_MESSAGE_BYTES = 128 * 1024 * 1024;
/** No text can be longer in this runtime. */
const LONGEST_TEXT = 2 ** 29 - 25;

/** Why an address or a header cannot be used, or null; never shows a value. */
export function serverProblem(spec: unknown): string | null {
  if (typeof spec !== "object" || spec === null) return "the spec is not an object";
  const given: unknown = Reflect.get(spec, "url");
  const url = typeof given === "string" && URL.canParse(given) ? new URL(given) : null;
  if (url === null || (url.protocol !== "http:" && url.protocol !== "https:")) {
    return "url is not an absolute http or https address";
  }
  if (url.username !== "" || url.password !== "") {
    return "url holds a user name or password; put an Authorization header into headers";
  }
  const headers: unknown = Reflect.get(spec, "headers") ?? {};
  return isTexts(headers)
    ? headersProblem(Object.entries(headers))
    : "headers are not texts by name";
}

function isTexts(value: unknown): value is Readonly<Record<string, string>> {
  if (typeof value !== "object" || value === null) return false;
  return Object.values(value).every((text) => typeof text === "string");
}

/** What all requests to a server share. */
export function senderOf(spec: HttpServerSpec, runtime: HttpRuntime): Sender {
  const names = Object.keys(spec.headers ?? {});
  const hasOwnCredentials = names.some((name) => name.toLowerCase() === "authorization");
  return {
    runtime,
    target: targetOf(new URL(spec.url)),
    authorize: hasOwnCredentials ? undefined : spec.authorize,
    secrets: createSecrets(spec.redact ?? noRedaction),
  };
}

/** The largest message a connection takes, in bytes. */
export function messageLimit(spec: HttpServerSpec): number {
  return Math.min(spec.maxMessageBytes ?? MAX_MESSAGE_BYTES, LONGEST_TEXT);
}
