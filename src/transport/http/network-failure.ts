/**
 * What an error of the network means, as data: a pure function over the error's own codes.
 */
import type { TransportFailure, TransportReason } from "../../failure.ts";

/** How far a request had come when the error happened. */
export type Stage = "unsent" | "sent" | "streaming";

/**
 * The `transport` failure that an error of a socket, of TLS or of undici stands for.
 *
 * `code` is the system's own, such as `ECONNREFUSED` or `DEPTH_ZERO_SELF_SIGNED_CERT`. Of an
 * `AggregateError` (every address of a host refused) the first inner error with a code counts.
 */
export function networkFailure(error: unknown, stage: Stage = "unsent"): TransportFailure {
  const causes = causesOf(error);
  const code = causes.map(codeOf).find((found) => found !== undefined);
  const texts = causes.map(messageOf).filter((text) => text !== "");
  const detail = [...new Set(texts)].join("; ") || (code ?? "unknown error");
  return {
    tag: "transport",
    reason: reasonOf(code, detail, stage),
    ...(code === undefined ? {} : { code }),
    detail,
  };
}

/** The errors that say something: those inside an aggregate, the cause below a wrapper, the error. */
function causesOf(error: unknown, depth = 0): readonly unknown[] {
  if (depth > 4 || typeof error !== "object" || error === null) return [error];
  if ("errors" in error && Array.isArray(error.errors) && error.errors.length > 0) {
    const inner: readonly unknown[] = error.errors;
    return inner.flatMap((each) => causesOf(each, depth + 1));
  }
  if (codeOf(error) === undefined && "cause" in error && error.cause !== undefined) {
    return causesOf(error.cause, depth + 1);
  }
  return [error];
}

function codeOf(error: unknown): string | undefined {
  if (typeof error !== "object" || error === null || !("code" in error)) return undefined;
  return typeof error.code === "string" ? error.code : undefined;
}

function messageOf(error: unknown): string {
  if (typeof error !== "object" || error === null || !("message" in error)) return "";
  return typeof error.message === "string" ? error.message : "";
}

const TLS_CODE =
  /^(?:CERT_|ERR_TLS_|ERR_SSL_|ERR_OSSL_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|CRL_|HOSTNAME_MISMATCH|INVALID_(?:CA|PURPOSE)|PATH_LENGTH_|EPROTO$|UND_ERR_PRX_TLS$)/;
const BROKEN: ReadonlySet<string> = new Set(["ECONNRESET", "EPIPE", "ECONNABORTED"]);

function reasonOf(code: string | undefined, detail: string, stage: Stage): TransportReason {
  if (code === "ENOTFOUND" || code?.startsWith("EAI_") === true) return "dns";
  if (code !== undefined && TLS_CODE.test(code)) return "tls";
  if (detail.startsWith("Proxy response") || code?.startsWith("UND_ERR_SOCKS5") === true)
    return "proxy";
  if (stage === "unsent") return "connect-failed";
  if (code !== undefined && BROKEN.has(code)) return "reset";
  return stage === "sent" && code === "UND_ERR_SOCKET" ? "reset" : "stream-failed";
}

/**
 * Whether an error proves that the whole request never left this machine: a failed write.
 *
 * The server had closed an idle socket; half a message cannot have been processed.
 */
export function isFailedWrite(error: unknown): boolean {
  if (typeof error !== "object" || error === null || !("syscall" in error)) return false;
  return error.syscall === "write" && BROKEN.has(codeOf(error) ?? "");
}
