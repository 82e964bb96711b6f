/**
 * JSON-RPC messages: what a peer may send, what it may not, and bytes in pieces.
 */
import type { Json, JsonObject } from "../../json.ts";
import type { Arbitrary, FastCheck } from "./fast-check.ts";
import { anyJson, anyJsonObject, anyText } from "./values.ts";

const METHODS = [
  "initialize",
  "ping",
  "tools/list",
  "tools/call",
  "elicitation/create",
  "sampling/createMessage",
  "roots/list",
  "notifications/initialized",
  "notifications/cancelled",
  "notifications/progress",
  "notifications/tools/list_changed",
];

/** A valid message: a request, a notification, a result or an error. */
export function anyMessage(fc: FastCheck): Arbitrary<JsonObject> {
  const jsonrpc = fc.constant("2.0");
  const id = anyId(fc);
  const method = fc.oneof(fc.constantFrom(...METHODS), anyText(fc));
  const params = anyJsonObject(fc);
  const error = fc.record(
    { code: fc.integer(), message: anyText(fc), data: anyJson(fc) },
    { requiredKeys: ["code", "message"] },
  );
  return fc.oneof(
    fc.record({ jsonrpc, id, method, params }, { requiredKeys: ["jsonrpc", "id", "method"] }),
    fc.record({ jsonrpc, method, params }, { requiredKeys: ["jsonrpc", "method"] }),
    fc.record({ jsonrpc, id, result: anyJsonObject(fc) }),
    fc.record({ jsonrpc, id, error }),
  );
}

function anyId(fc: FastCheck): Arbitrary<string | number> {
  return fc.oneof(fc.nat(20), fc.integer(), fc.constantFrom("", "1", "a"), anyText(fc));
}

/** A value that is no message: a member of one missing, doubled or of the wrong kind, or any JSON. */
export function anyMalformedMessage(fc: FastCheck): Arbitrary<Json> {
  const broken = fc
    .tuple(anyMessage(fc), fc.constantFrom("id", "method", "result", "error"), wrongMember(fc))
    .map(([message, key, value]): JsonObject => ({ ...message, [key]: value }));
  const bare = anyMessage(fc).map(({ jsonrpc }): JsonObject => ({ jsonrpc }));
  const any = anyJson(fc).filter((value) => !isMessageLike(value));
  return fc.oneof(broken, bare, any);
}

/** Wrong under any of those keys. */
function wrongMember(fc: FastCheck): Arbitrary<Json> {
  return fc.oneof(fc.boolean(), fc.constant([]), fc.array(fc.nat(), { maxLength: 2 }));
}

function isMessageLike(value: Json): boolean {
  return typeof value === "object" && value !== null && ("method" in value || "result" in value);
}

/** The same bytes in pieces, none of them empty; cuts fall within characters too. */
export function anyChunks(fc: FastCheck, bytes: Uint8Array): Arbitrary<readonly Uint8Array[]> {
  const last = Math.max(1, bytes.length - 1);
  const cuts = fc.uniqueArray(fc.integer({ min: 1, max: last }), { maxLength: 40 });
  const regular = fc.integer({ min: 1, max: Math.max(1, bytes.length) });
  return fc.oneof(
    cuts.map((at) => piecesOf(bytes, at)),
    regular.map((size) =>
      piecesOf(
        bytes,
        Array.from({ length: Math.floor(bytes.length / size) }, (_, i) => (i + 1) * size),
      ),
    ),
  );
}

function piecesOf(bytes: Uint8Array, cuts: readonly number[]): readonly Uint8Array[] {
  const ends = [...cuts.toSorted((a, b) => a - b), bytes.length];
  return ends
    .map((end, i) => bytes.subarray(i === 0 ? 0 : ends[i - 1], end))
    .filter((piece) => piece.length > 0);
}
