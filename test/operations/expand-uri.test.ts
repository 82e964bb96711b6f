import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { expandUri } from "../../src/operations/expand-uri.ts";
import type { TemplateValue } from "../../src/operations/expand-uri.ts";
import { anyText } from "../support/arbitraries.ts";
import { failureOf, valueOf } from "../support/results.ts";

/** The variables of the examples in RFC 6570. */
const VARIABLES: Readonly<Record<string, TemplateValue>> = {
  count: ["one", "two", "three"],
  dom: ["example", "com"],
  dub: "me/too",
  hello: "Hello World!",
  half: "50%",
  var: "value",
  who: "fred",
  base: "http://example.com/home/",
  path: "/foo/bar",
  list: ["red", "green", "blue"],
  keys: { semi: ";", dot: ".", comma: "," },
  v: "6",
  x: "1024",
  y: "768",
  empty: "",
  empty_keys: {},
  undef: null,
};

describe("expandUri", () => {
  it.each([
    ["{var}", "value"],
    ["{hello}", "Hello%20World%21"],
    ["{half}", "50%25"],
    ["O{empty}X", "OX"],
    ["O{undef}X", "OX"],
    ["{x,y}", "1024,768"],
    ["{x,hello,y}", "1024,Hello%20World%21,768"],
    ["?{x,empty}", "?1024,"],
    ["?{x,undef}", "?1024"],
    ["?{undef,y}", "?768"],
    ["{var:3}", "val"],
    ["{var:30}", "value"],
    ["{list}", "red,green,blue"],
    ["{list*}", "red,green,blue"],
    ["{keys*}", "semi=%3B,dot=.,comma=%2C"],
    ["{+var}", "value"],
    ["{+hello}", "Hello%20World!"],
    ["{+half}", "50%25"],
    ["{base}index", "http%3A%2F%2Fexample.com%2Fhome%2Findex"],
    ["{+base}index", "http://example.com/home/index"],
    ["O{+empty}X", "OX"],
    ["{+path}/here", "/foo/bar/here"],
    ["here?ref={+path}", "here?ref=/foo/bar"],
    ["{+x,hello,y}", "1024,Hello%20World!,768"],
    ["{+path:6}/here", "/foo/b/here"],
    ["{+list*}", "red,green,blue"],
    ["{+keys*}", "semi=;,dot=.,comma=,"],
    ["{#var}", "#value"],
    ["{#half}", "#50%25"],
    ["foo{#empty}", "foo#"],
    ["foo{#undef}", "foo"],
    ["{#x,hello,y}", "#1024,Hello%20World!,768"],
    ["{#path:6}here", "#/foo/bhere"],
    ["{.who,who}", ".fred.fred"],
    ["{.half,who}", ".50%25.fred"],
    ["www{.dom*}", "www.example.com"],
    ["X{.empty}", "X."],
    ["X{.undef}", "X"],
    ["X{.list}", "X.red,green,blue"],
    ["X{.keys*}", "X.semi=%3B.dot=..comma=%2C"],
    ["X{.empty_keys*}", "X"],
    ["{/who,dub}", "/fred/me%2Ftoo"],
    ["{/var,empty}", "/value/"],
    ["{/var,undef}", "/value"],
    ["{/var:1,var}", "/v/value"],
    ["{/list*,path:4}", "/red/green/blue/%2Ffoo"],
    ["{/keys*}", "/semi=%3B/dot=./comma=%2C"],
    ["{;who}", ";who=fred"],
    ["{;half}", ";half=50%25"],
    ["{;empty}", ";empty"],
    ["{;v,empty,who}", ";v=6;empty;who=fred"],
    ["{;hello:5}", ";hello=Hello"],
    ["{;list*}", ";list=red;list=green;list=blue"],
    ["{;keys*}", ";semi=%3B;dot=.;comma=%2C"],
    ["{?x,y}", "?x=1024&y=768"],
    ["{?x,y,empty}", "?x=1024&y=768&empty="],
    ["{?x,y,undef}", "?x=1024&y=768"],
    ["{?var:3}", "?var=val"],
    ["{?list*}", "?list=red&list=green&list=blue"],
    ["{?empty_keys}", ""],
    ["?fixed=yes{&x}", "?fixed=yes&x=1024"],
    ["{&x,y,empty}", "&x=1024&y=768&empty="],
    ["{&list}", "&list=red,green,blue"],
    ["{&keys*}", "&semi=%3B&dot=.&comma=%2C"],
  ])("keeps the example of RFC 6570: %s gives %s", (template, expanded) => {
    expect(expandUri(template, VARIABLES)).toEqual({ ok: true, value: expanded });
  });

  it.each([
    ["a brace that is not closed", "a://{b", {}],
    ["a brace that was not opened", "a://b}", {}],
    ["a brace within braces", "{a{b}}", {}],
    ["an empty expression", "{}", {}],
    ["an operator alone", "{+}", {}],
    ["an operator of the future", "{=a}", {}],
    ["a prefix of nothing", "{a:}", {}],
    ["a prefix of 0", "{a:0}", {}],
    ["a prefix of five digits", "{a:10000}", {}],
    ["a prefix that is no number", "{a:x}", {}],
    ["a prefix and an explosion", "{a:3*}", {}],
    ["the start of a list", "{a:3}", { a: ["b"] }],
    ["a variable with a blank", "{a b}", {}],
    ["a value that is a function", "{a}", { a: () => 1 }],
    ["a value that is no number", "{a}", { a: Number.NaN }],
    ["a list of lists", "{a}", { a: [["b"]] }],
    ["half a surrogate pair", "{a}", { a: "\ud800" }],
    ["a template that is none", 7, {}],
    ["variables that are none", "{a}", null],
  ])("refuses %s", (_, template, variables) => {
    const failure = failureOf(expandUri(template as never, variables as never));
    expect(failure).toMatchObject({ tag: "invalid-argument", maybeExecuted: false });
  });

  it("takes hostile names for variables like any others", () => {
    const variables = Object.fromEntries([
      ["__proto__", "p"],
      ["constructor", "c"],
    ]);
    expect(expandUri("{__proto__}{constructor}{toString}", variables)).toEqual({
      ok: true,
      value: "pc",
    });
  });

  it("takes numbers and booleans, in lists and maps too", () => {
    const variables = { n: 1.5, b: false, list: [1, true], map: { k: 2 } };
    expect(valueOf(expandUri("{n}/{b}/{+list}{?map*}", variables))).toBe("1.5/false/1,true?k=2");
  });

  it("gives a value, for any text and any variables", () => {
    fc.assert(
      fc.property(fc.oneof(anyText(), anyTemplate()), fc.anything(), (template, variables) => {
        const expanded = expandUri(template, variables as never);
        if (expanded.ok) expect(typeof expanded.value).toBe("string");
        else expect(expanded.failure.tag).toBe("invalid-argument");
      }),
    );
  });

  it("leaves no brace in what it gives, for any template of its kind", () => {
    fc.assert(
      fc.property(
        anyTemplate(),
        fc.dictionary(fc.constantFrom("a", "b", "c"), anyText()),
        (template, variables) => {
          const expanded = expandUri(template, variables);
          if (expanded.ok) expect(expanded.value).not.toMatch(/[{}]/);
        },
      ),
    );
  });

  it("keeps a value readable from its query, for any text that has UTF-8", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (value) => {
        const uri = valueOf(expandUri("a://b{?value}", { value }));
        expect(new URL(uri).searchParams.get("value")).toBe(value);
      }),
    );
  });
});

function anyTemplate(): fc.Arbitrary<string> {
  const piece = fc.constantFrom(
    "{",
    "}",
    "{a}",
    "{?b*}",
    "{+c:2}",
    "{/a,b}",
    "x",
    "/",
    " ",
    ":",
    "*",
    "%",
  );
  return fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join(""));
}
