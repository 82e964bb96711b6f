/**
 * Generators shared by all tests. Each mixes ordinary input with hostile input: drawn from all of
 * Unicode alone, a text hardly ever holds a dot or a space, and faults in those go unseen.
 */
import fc from "fast-check";
import type { Failure, TransportReason } from "../../src/failure.ts";
import type { Json, JsonObject } from "../../src/json.ts";

/** The corners of UTF-16, lone surrogates among them, and what terminals and parsers trip over. */
const HOSTILE_UNITS = [
  "\ud800",
  "\udbff",
  "\udc00",
  "\udfff",
  "\ud7ff",
  "\ue000",
  "\uffff",
  "\u{10000}",
  "\u{10ffff}",
  "\0",
  "\n",
  "\r",
  "\t",
  "\u001b",
  "\u007f",
  "\u0085",
  "\u2028",
  "\u202e",
  "\ufeff",
  "\u{e0041}",
  '"',
  "\\",
  "é",
  "🧪",
  "a",
  "_",
];
const HOSTILE_NAMES = ["", "_", "__proto__", "constructor", "toString", "0", "1", "10", "-0", "é"];

/** Any text at all. */
export function anyText(): fc.Arbitrary<string> {
  return fc.oneof(
    fc.string({ unit: "grapheme-ascii" }),
    fc.string({ unit: "binary" }),
    fc.string({ unit: fc.constantFrom(...HOSTILE_UNITS) }),
    fc.constantFrom(...HOSTILE_NAMES),
  );
}

/** A name as people write them: safe characters only, of the length of a word. */
export function safeName(): fc.Arbitrary<string> {
  return fc.stringMatching(/^[a-zA-Z0-9_-]{1,12}$/);
}

/** A name from so few that two soon are, or become, the same. */
export function crowdedName(): fc.Arbitrary<string> {
  return fc.constantFrom("a", "b", "a_a", "a.a", "a_b", "a.b", "a b", "_", "ü", "a_b_a");
}

/** The name of a server or a tool: ordinary, crowded or hostile. */
export function anyName(): fc.Arbitrary<string> {
  return fc.oneof(safeName(), crowdedName(), anyText());
}

/** Pairs of a server and a tool's name there, each pair once. */
export function anyPairs(): fc.Arbitrary<
  { readonly server: string; readonly remoteName: string }[]
> {
  const few = fc.record({ server: crowdedName(), remoteName: crowdedName() });
  const any = fc.record({ server: anyName(), remoteName: anyName() });
  return fc.uniqueArray(fc.oneof({ arbitrary: few, weight: 3 }, any), {
    maxLength: 40,
    size: "large",
    selector: ({ server, remoteName }) => JSON.stringify([server, remoteName]),
  });
}

/** A list together with the same list in another order. */
export function withShuffled<T>(lists: fc.Arbitrary<T[]>): fc.Arbitrary<readonly [T[], T[]]> {
  return lists.chain((list) =>
    fc.tuple(
      fc.constant(list),
      fc.shuffledSubarray(list, { minLength: list.length, maxLength: list.length }),
    ),
  );
}

/** Any JSON value, `__proto__` and number-like keys included. */
export function anyJson(): fc.Arbitrary<Json> {
  return fc.letrec<{ json: Json; array: Json[]; object: JsonObject }>((tie) => ({
    json: fc.oneof(
      { maxDepth: 4, withCrossShrink: true },
      fc.constant(null),
      fc.boolean(),
      anyNumber(),
      anyText(),
      tie("array"),
      tie("object"),
    ),
    array: fc.array(tie("json"), { maxLength: 5 }),
    object: fc
      .uniqueArray(fc.tuple(anyName(), tie("json")), { maxLength: 6, selector: ([key]) => key })
      .map(objectOf),
  })).json;
}

/** Any JSON object. */
export function anyJsonObject(): fc.Arbitrary<JsonObject> {
  return fc
    .uniqueArray(fc.tuple(anyName(), anyJson()), { maxLength: 6, selector: ([key]) => key })
    .map(objectOf);
}

/** An object with these members as its own, whatever they are called. */
export function objectOf(members: readonly (readonly [string, Json])[]): JsonObject {
  return Object.fromEntries(members);
}

function anyNumber(): fc.Arbitrary<number> {
  return fc.oneof(
    fc.integer(),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.constantFrom(0, -0, 1e21, 1e-7, 5e-324, Number.MAX_VALUE, Number.MAX_SAFE_INTEGER + 1, 0.1),
  );
}

/** Any failure a function of the library can return. */
export function anyFailure(): fc.Arbitrary<Failure> {
  const count = fc.nat();
  return fc.oneof(
    fc.record<Failure & { tag: "transport" }>(
      { tag: fc.constant("transport"), reason: anyReason(), code: anyText(), detail: anyText() },
      { requiredKeys: ["tag", "reason", "detail"] },
    ),
    fc.record<Failure & { tag: "http-status" }>(
      { tag: fc.constant("http-status"), status: count, body: anyText(), location: anyText() },
      { requiredKeys: ["tag", "status", "body"] },
    ),
    fc.record({ tag: fc.constant("malformed-body" as const), detail: anyText() }),
    fc.record({ tag: fc.constant("rpc-error" as const), code: fc.integer(), message: anyText() }),
    fc.record<Failure & { tag: "timeout" }>(
      { tag: fc.constant("timeout"), timeoutMs: count, detail: anyText() },
      { requiredKeys: ["tag", "timeoutMs"] },
    ),
    fc.record({
      tag: fc.constant("peer-eof" as const),
      exitCode: fc.option(count),
      signal: fc.option(anyText()),
    }),
    fc.record({
      tag: fc.constant("closed" as const),
      by: fc.constantFrom("client" as const, "session-expired" as const),
    }),
    fc.constant<Failure>({ tag: "cancelled" }),
    fc.record({ tag: fc.constant("config" as const), detail: anyText() }),
    fc.record({ tag: fc.constant("invalid-argument" as const), detail: anyText() }),
    fc.record<Failure & { tag: "unsupported" }>(
      { tag: fc.constant("unsupported"), detail: anyText(), use: anyText() },
      { requiredKeys: ["tag", "detail"] },
    ),
    fc.record({ tag: fc.constant("limit" as const), limit: anyText(), value: count }),
  );
}

function anyReason(): fc.Arbitrary<TransportReason> {
  return fc.constantFrom(
    "dns",
    "connect-failed",
    "tls",
    "spawn-failed",
    "write-failed",
    "reset",
    "stream-failed",
    "redirect",
    "proxy",
  );
}
