import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ParseOptions } from "../../src/config/given-options.ts";
import { parseConfig } from "../../src/config/parse-config.ts";
import { isObject } from "../../src/json.ts";
import type { Json, JsonObject } from "../../src/json.ts";
import { compareCodePoints } from "../../src/order.ts";
import { anyName, anyText, objectOf } from "../support/arbitraries.ts";
import {
  anyArgument,
  anyConfig,
  anyEntry,
  anyServerMap,
  anyStyle,
  goodEntry,
  isList,
  textInStyle,
} from "./arbitraries.ts";

/** A style that turns the members of a small config around. */
const DESCENDING = Array.from({ length: 60 }, (_, i) => 60 - i);
const TEXT_EXAMPLES = ["", "{", "[", "\ufeff", "{}", "null", '{"a":"\\u'];

/** Text that is a config, nearly one, or none at all. */
function anyConfigText(): fc.Arbitrary<string> {
  const whole = fc
    .tuple(anyConfig(), anyStyle())
    .map(([config, style]) => textInStyle(config, style));
  const broken = fc
    .tuple(whole, fc.nat(), anyText())
    .map(([text, at, put]) => text.slice(0, at % (text.length + 1)) + put + text.slice(at % 97));
  return fc.oneof(anyText(), whole, broken);
}

describe("parseConfig", () => {
  it("never throws and says the same twice, for any string", () => {
    fc.assert(
      fc.property(anyConfigText(), (text) => {
        expect(parseConfig(text)).toEqual(parseConfig(text));
      }),
      { examples: TEXT_EXAMPLES.map((text) => [text]) },
    );
  });

  it("never throws, for any value of any argument", () => {
    fc.assert(
      fc.property(anyArgument(), anyArgument(), (input, options) => {
        const { servers, diagnostics } = parseConfig(input(), options() as ParseOptions);
        expect(Array.isArray(servers) && Array.isArray(diagnostics)).toBe(true);
      }),
    );
  });

  it("has every key of the server map in its servers, in code point order, for any config", () => {
    fc.assert(
      fc.property(
        fc.constantFrom("mcpServers", "servers", "mcp_servers", "context_servers"),
        anyServerMap(),
        (wrapper, map) => {
          const { servers } = parseConfig(objectOf([[wrapper, map]]));
          const names = Object.keys(map).toSorted(compareCodePoints);
          expect(servers.map((server) => server.name)).toEqual(names);
        },
      ),
      {
        examples: [
          ["mcpServers", objectOf([["__proto__", { command: "x" }]])],
          ["mcpServers", { a: { command: objectOf([["__proto__", null]]) } }],
        ],
      },
    );
  });

  it("gives the same servers whatever the order of members and the white space, for any config", () => {
    fc.assert(
      fc.property(anyConfig(), anyStyle(), anyStyle(), (config, one, other) => {
        const read = parseConfig(textInStyle(config, one));
        const again = parseConfig(textInStyle(config, other));
        expect(again.servers).toEqual(read.servers);
        expect(again.ok).toBe(read.ok);
      }),
      {
        examples: [[{ servers: { a: { url: "", headers: { A: "1", a: "2" } } } }, [0], DESCENDING]],
      },
    );
  });

  it("gives text and object the same servers, for any config", () => {
    fc.assert(
      fc.property(anyConfig(), anyStyle(), (config, style) => {
        const fromObject = parseConfig(config);
        const fromText = parseConfig(textInStyle(config, style));
        expect(fromText.servers).toEqual(fromObject.servers);
        expect(fromText.naming).toBe(fromObject.naming);
      }),
    );
  });

  it("leaves its input as it was, for any config", () => {
    fc.assert(
      fc.property(anyConfig(), (config) => {
        const before = JSON.stringify(config);
        parseConfig(config);
        expect(JSON.stringify(config)).toBe(before);
      }),
    );
  });

  it("reads a server the same whatever stands beside it, for any entries", () => {
    fc.assert(
      fc.property(
        anyEntry(),
        fc.dictionary(anyName(), anyEntry(), { maxKeys: 4 }),
        (entry, others) => {
          const alone = parseConfig({ mcpServers: { one: entry } });
          const among = parseConfig({ mcpServers: { ...others, one: entry } });
          expect(among.servers.find((server) => server.name === "one")).toEqual(alone.servers[0]);
        },
      ),
    );
  });

  it("says no value of env, headers, args, url, cwd, token or variable in a diagnostic, for any config", () => {
    const canary = "cAnArY5ecret";
    fc.assert(
      fc.property(anyServerMap(), fc.boolean(), (map, strict) => {
        const marked = objectOf(
          Object.entries(map).map(([name, entry]) => [name, withMarked(entry ?? null, canary)]),
        );
        const variables = { env: { A: canary, B: `${canary}\n` }, inputs: { id: canary } };
        const { diagnostics } = parseConfig({ mcpServers: marked }, { strict, variables });
        expect(JSON.stringify(diagnostics)).not.toContain(canary);
      }),
      { examples: [[{ a: { command: "x", args: ["--token", "pa$word"] } }, true]] },
    );
  });

  it("is ok exactly when no diagnostic is an error, for any config", () => {
    fc.assert(
      fc.property(anyConfig(), fc.boolean(), (config, strict) => {
        const { ok, diagnostics } = parseConfig(config, { strict });
        expect(ok).toBe(!diagnostics.some(({ severity }) => severity === "error"));
      }),
    );
  });

  it("names as problems of an enabled server exactly the codes of its errors, for any config", () => {
    fc.assert(
      fc.property(anyConfig(), fc.boolean(), (config, strict) => {
        const { servers, diagnostics } = parseConfig(config, { strict });
        for (const { name, problems } of servers.filter((server) => server.enabled)) {
          const errors = diagnostics.filter((d) => d.server === name && d.severity === "error");
          expect(problems).toEqual([...new Set(errors.map(({ code }) => code))].toSorted());
        }
      }),
    );
  });

  it("reports no error of a disabled server, for any entry", () => {
    fc.assert(
      fc.property(anyEntry().filter(isObject), (entry) => {
        const { diagnostics } = parseConfig({ mcpServers: { a: { ...entry, disabled: true } } });
        expect(diagnostics.filter((d) => d.server === "a" && d.severity === "error")).toEqual([]);
      }),
    );
  });

  it("finds nothing wrong with ordinary servers, for any names", () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.stringMatching(/^[a-z]{1,8}$/), goodEntry(), { minKeys: 1 }),
        (map) => {
          expect(parseConfig(JSON.stringify({ mcpServers: map })).diagnostics).toEqual([]);
        },
      ),
    );
  });

  it("puts diagnostics of a text in the order of the text, for any config", () => {
    fc.assert(
      fc.property(anyConfig(), anyStyle(), (config, style) => {
        const places = parseConfig(textInStyle(config, style)).diagnostics.map(
          ({ line = 0, column = 0 }) => line * 1e6 + column,
        );
        expect(places).toEqual(places.toSorted((a, b) => a - b));
      }),
    );
  });

  it("turns its stricter findings into errors under strict, and changes no server but for problems", () => {
    fc.assert(
      fc.property(anyConfig(), (config) => {
        const lenient = parseConfig(config);
        const strict = parseConfig(config, { strict: true });
        const plain = (read: typeof strict): unknown =>
          read.servers.map((server) => ({ ...server, problems: null }));
        expect(plain(strict)).toEqual(plain(lenient));
        expect(strict.diagnostics.map(({ code }) => code)).toEqual(
          lenient.diagnostics.map(({ code }) => code),
        );
        expect(lenient.ok || !strict.ok).toBe(true);
      }),
    );
  });
});

const MARKED = ["env", "environment", "headers", "args", "url", "cwd", "bearerToken"];

/** The entry with a text put into every string of the members that may hold secrets. */
function withMarked(entry: Json, mark: string): Json {
  if (!isObject(entry)) return entry;
  const members = Object.entries(entry).map(([key, value]): readonly [string, Json] => [
    key,
    MARKED.includes(key) ? markedText(value ?? null, mark) : (value ?? null),
  ]);
  const extra: JsonObject = { env: { API_TOKEN: `x$${mark}` }, args: ["--token", `%${mark}%`] };
  return { ...extra, ...objectOf(members) };
}

function markedText(value: Json, mark: string): Json {
  if (typeof value === "string") return `${value}$${mark}`;
  if (isList(value)) return value.map((item) => markedText(item, mark));
  if (!isObject(value)) return value;
  return objectOf(
    Object.entries(value).map(([key, member]) => [key, markedText(member ?? null, mark)]),
  );
}
