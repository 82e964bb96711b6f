import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { arbitraries, canary } from "../../src/testing/index.ts";
import type { CanaryForm } from "../../src/testing/index.ts";

const any = arbitraries(fc);

/** A secret that stands nowhere by chance. */
const anySecret = (): fc.Arbitrary<string> =>
  fc
    .tuple(fc.stringMatching(/^[A-Za-z0-9]{12}$/), fc.constantFrom("", "/+?", "é ü", '"\\', "🧪"))
    .map(([word, odd]) => `${word}${odd}${word}`);

/** Ways in which a secret is written by accident. */
const WRITTEN: readonly (readonly [CanaryForm, (secret: string, before: string) => string])[] = [
  ["plain", (secret, before) => `${before}${secret}.`],
  ["base64", (secret, before) => Buffer.from(`${before}${secret}:x`).toString("base64")],
  ["base64url", (secret, before) => Buffer.from(`${before}${secret}`).toString("base64url")],
  ["percent", (secret, before) => `${encodeURIComponent(before)}${encodeURIComponent(secret)}`],
  ["percent", (secret) => [...Buffer.from(secret)].map((byte) => `%${byte.toString(16)}`).join("")],
  ["percent", (secret) => new URLSearchParams({ key: secret }).toString()],
  ["escaped", (secret, before) => JSON.stringify({ [before]: secret })],
];

describe("the secret is found", () => {
  it.each(WRITTEN)("as %s, at any offset and depth, for any secret", (_, write) => {
    fc.assert(
      fc.property(
        anySecret(),
        fc.stringMatching(/^[a-z]{0,4}$/),
        any.json(),
        (secret, before, other) => {
          const text = write(secret, before);
          const find = canary(secret);
          const value = { other: [other, { [secret.slice(0, 5)]: [text] }] };
          const paths = find(value).map(({ path }) => path);
          expect(new Set(paths)).toEqual(new Set([`/other/1/${secret.slice(0, 5)}/0`]));
        },
      ),
    );
  });

  const secret = "canary-7f3a91";
  const places: readonly (readonly [string, unknown, string])[] = [
    ["a text", secret, ""],
    ["a key", { [secret]: 1 }, `/${secret}`],
    ["a key with a slash", { [`a/${secret}~`]: 1 }, `/a~1${secret}~0`],
    ["an error", new Error(secret), "/message"],
    ["the cause of an error", new Error("x", { cause: { secret } }), "/cause/secret"],
    ["a map", new Map([[secret, 1]]), "/0/0"],
    ["a set", new Set([secret]), "/0"],
    ["bytes", { bytes: Buffer.from(`x${secret}`) }, "/bytes"],
    ["a buffer", new TextEncoder().encode(secret).buffer, ""],
    ["what is not enumerable", Object.defineProperty({}, "x", { value: secret }), "/x"],
    [
      "a getter",
      {
        get x() {
          return secret;
        },
      },
      "/x",
    ],
    ["a function", Object.assign(() => undefined, { x: secret }), "/x"],
    ["a symbol", { [Symbol("s")]: Symbol(secret) }, "/s"],
  ];
  it.each(places)("in %s", (_, value, path) => {
    expect(canary(secret)(value)).toContainEqual({ path, form: "plain" });
  });
});

describe("a search", () => {
  it("finds nothing in what was made without the secret, for any value", () => {
    fc.assert(
      fc.property(fc.anything(), any.config(), (value, config) => {
        expect(canary("canary-7f3a91")([value, config])).toEqual([]);
      }),
    );
  });

  it("ends in circles, at depth, and where looking is refused", () => {
    const circle: Record<string, unknown> = { secret: "none" };
    circle["self"] = circle;
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    const thrower = {
      get x(): string {
        throw new Error("not for you");
      },
    };
    const deep: unknown = JSON.parse(`${"[".repeat(50_000)}"canary-7f3a91"${"]".repeat(50_000)}`);
    const find = canary("canary-7f3a91");
    expect(find([circle, proxy, thrower])).toEqual([]);
    expect(find(deep)).toHaveLength(1);
    expect(canary("")(["", {}])).toEqual([]);
  });
});
