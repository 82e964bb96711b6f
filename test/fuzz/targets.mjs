// What is fuzzed: each target draws inputs that are plain JSON, so that a find can be kept as a file,
// and checks what must hold for any of them. Over the built package.
import assert from "node:assert/strict";
import { createParser } from "eventsource-parser";
import {
  canonicalJson,
  compareCodePoints,
  disconnectAll,
  execute,
  expandServer,
  fromConfig,
  isObject,
  memoryTransport,
  parseConfig,
  redactor,
  resolveCollisions,
  toolName,
} from "../../dist/index.js";
import { afterPage, walkPages } from "../../dist/lifecycle/paging.js";
import { readTools } from "../../dist/lifecycle/read-tools.js";
import { shapeResult } from "../../dist/lifecycle/shape-result.js";
import { readEvents } from "../../dist/transport/http/event-reader.js";
import {
  createMessageReader,
  pushChunk,
  pushEnd,
} from "../../dist/transport/stdio/message-reader.js";
import { faultyTransport, scriptedPeer } from "../../dist/testing/index.js";
import { anyBytes, anyCuts, cutUp, maybeDeep, mutated } from "./mutations.mjs";

const ENV = { A: "value-of-a", B: "b", HOME: "/home/x" };

const configText = {
  name: "config-text",
  input: (fc, any) => fc.oneof(mutated(fc, any.configText()), any.configText(), fc.string()),
  check: (text) => {
    const parsed = parseConfig(text);
    assert.deepEqual(parseConfig(text), parsed);
    checkParsed(parsed);
  },
};

const configObject = {
  name: "config-object",
  input: (fc, any) => any.config(),
  check: (config) => {
    const parsed = parseConfig(config);
    checkParsed(parsed);
    const fromText = parseConfig(JSON.stringify(config));
    assert.deepEqual(fromText.servers, parsed.servers);
    // Findings of a text come in the order of the text, and say where in it.
    const findings = fromText.diagnostics.map(({ line, column, ...rest }) => rest);
    assert.deepEqual(inOneOrder(findings), inOneOrder(parsed.diagnostics));
  },
};

function inOneOrder(findings) {
  return findings.map(canonicalJson).toSorted(compareCodePoints);
}

function checkParsed({ servers, diagnostics, ok }) {
  const names = servers.map(({ name }) => name);
  assert.deepEqual(names, names.toSorted(compareCodePoints));
  assert.equal(new Set(names).size, names.length);
  assert.equal(
    ok,
    diagnostics.every(({ severity }) => severity !== "error"),
  );
  for (const server of servers) {
    const context = { env: ENV, userHome: "/home/x", baseDir: "/base" };
    const expanded = expandServer(server, context);
    if (!expanded.ok) assert.equal(expanded.failure.tag, "config");
  }
}

const stdioFraming = {
  name: "stdio-framing",
  input: (fc, any) =>
    fc.record({ bytes: anyBytes(fc, any), cuts: anyCuts(fc), maxBytes: anyLimit(fc) }),
  check: ({ bytes, cuts, maxBytes }) => {
    const whole = Buffer.from(bytes, "latin1");
    const expected = readAll([whole], maxBytes);
    assert.deepEqual(readAll(cutUp(whole, cuts), maxBytes), expected);
    const lines = whole.toString("utf8").split("\n");
    if (maxBytes < whole.length || !lines.every(isMessage)) return;
    const values = expected.filter(({ kind }) => kind === "value");
    assert.deepEqual(
      values.map(({ value }) => value),
      lines.filter((line) => line.trim() !== "").map((line) => JSON.parse(line)),
    );
  },
};

function anyLimit(fc) {
  return fc.oneof({ weight: 4, arbitrary: fc.constant(1e6) }, fc.integer({ min: 1, max: 400 }));
}

function readAll(chunks, maxBytes) {
  const reader = createMessageReader(maxBytes);
  const received = chunks.flatMap((chunk) => pushChunk(reader, chunk));
  return [...received, ...pushEnd(reader)];
}

function isMessage(line) {
  if (line.trim() === "") return true;
  try {
    return JSON.parse(line)?.jsonrpc === "2.0" && line.startsWith("{");
  } catch {
    return false;
  }
}

const eventStream = {
  name: "event-stream",
  input: (fc, any) =>
    fc.record({ bytes: anyEventBytes(fc, any), cuts: anyCuts(fc), maxBytes: anyLimit(fc) }),
  check: async ({ bytes, cuts, maxBytes }) => {
    const whole = Buffer.from(bytes, "latin1");
    const expected = await eventsIn([whole], 1e6);
    assert.deepEqual(await eventsIn(cutUp(whole, cuts), 1e6), expected);
    const limited = await eventsIn(cutUp(whole, cuts), maxBytes);
    assert.ok(limited.events.length <= expected.events.length);
  },
};

function anyEventBytes(fc, any) {
  const field = fc.constantFrom("data", "event", "id", "retry", "", "da", "data ");
  const separator = fc.constantFrom(": ", ":", "", " :");
  const ending = fc.constantFrom("\n", "\r\n", "\r", "\n\n", "\r\r", "\r\n\r\n", "\ufeff");
  const value = fc.oneof(
    any.message().map((message) => JSON.stringify(message)),
    fc.string(),
  );
  const line = fc.tuple(field, separator, value, ending).map((parts) => parts.join(""));
  return fc
    .tuple(
      fc.constantFrom("", "\ufeff"),
      mutated(
        fc,
        fc.array(line).map((all) => all.join("")),
      ),
    )
    .map((parts) => Buffer.from(parts.join(""), "utf8").toString("latin1"));
}

async function eventsIn(chunks, maxBytes) {
  const events = [];
  const body = {
    flow: ({ data, end }) => {
      for (const chunk of chunks) data(chunk);
      end();
    },
    drop: () => undefined,
  };
  const end = await readEvents(
    body,
    { maxBytes, createParser },
    {
      event: (event) => {
        events.push(event);
        return true;
      },
      retry: (ms) => events.push(ms),
    },
  );
  return { events, end };
}

const exchange = {
  name: "exchange",
  input: (fc, any) => {
    const answer = fc
      .tuple(
        fc.oneof(fc.integer({ min: -1, max: 5 }), fc.constantFrom("1", "2", null)),
        maybeDeep(fc, any.json()),
      )
      .map(([id, value]) => ({ jsonrpc: "2.0", id, result: value }));
    const message = fc.oneof(answer, any.message(), any.malformedMessage(), fc.array(answer));
    const step = fc.record({ calls: fc.nat(2), says: fc.array(message, { maxLength: 4 }) });
    return fc.record({
      era: fc.constantFrom("legacy", "modern"),
      steps: fc.array(step, { minLength: 1, maxLength: 5 }),
    });
  },
  check: async ({ era, steps }) => {
    const heard = { asked: 0, closed: false };
    const inbound = {
      request: async ({ id }) => {
        assert.equal(heard.closed, false);
        return { jsonrpc: "2.0", id, result: {} };
      },
      notification: () => assert.equal(heard.closed, false),
      note: ({ code, detail }) => assert.equal(typeof `${code}${detail}`, "string"),
    };
    let say = () => undefined;
    const open = memoryTransport((_, send) => {
      say = send;
      return undefined;
    });
    const { value: transport } = await open(inbound, {});
    const results = [];
    for (const { calls, says } of steps) {
      for (let i = 0; i < calls; i++) {
        const options = { timeoutMs: Infinity, era, onProgress: () => undefined };
        results.push(transport.rpc("tools/call", { name: "x" }, options));
      }
      for (const message of says) say(message);
    }
    await transport.close();
    heard.closed = true;
    for (const message of steps.flatMap(({ says }) => says)) say(message);
    for (const result of await Promise.all(results)) checkResult(result);
  },
};

function checkResult(result) {
  if (result.ok) assert.equal(typeof result.value, "object");
  else assert.match(result.failure.tag, /^(?:rpc-error|malformed-body|closed)$/);
}

const paging = {
  name: "paging",
  input: (fc, any) => {
    const cursor = fc.oneof(fc.constantFrom("", "a", "b", "c", null), any.json());
    const item = fc.oneof(any.tool(), maybeDeep(fc, any.json()));
    const items = fc.array(item, { maxLength: 4 });
    const page = fc.oneof(
      fc.record({ tools: items, nextCursor: cursor }, { requiredKeys: ["tools"] }),
      any.jsonObject(),
    );
    return fc.array(page, { minLength: 1, maxLength: 6 });
  },
  check: async (pages) => {
    const served = [];
    const walked = await walkPages("tools", async () => {
      served.push(pages[Math.min(served.length, pages.length - 1)]);
      return { ok: true, value: served.at(-1) };
    });
    assert.ok(served.length <= 1000);
    if (!walked.ok) return assert.match(walked.failure.tag, /^(?:malformed-body|limit)$/);
    const shown = served.flatMap(({ tools }) => tools);
    assert.deepEqual(walked.value.items, shown.filter(isObject));
    const { tools, notes } = readTools(walked.value.items);
    assert.equal(new Set(tools.map(({ remoteName }) => remoteName)).size, tools.length);
    assert.ok(tools.length + notes.length >= walked.value.items.length);
    for (const page of pages) afterPage(walked.value, page, "tools");
  },
};

const shaping = {
  name: "shaping",
  input: (fc, any) => {
    const block = fc.oneof(
      fc.record({ type: fc.constant("text"), text: any.json() }),
      fc.record({ type: fc.constantFrom("image", "resource"), resource: any.json() }),
      any.json(),
    );
    return fc.oneof(
      fc.record(
        {
          content: fc.oneof(fc.array(block, { maxLength: 4 }), any.json()),
          structuredContent: maybeDeep(fc, any.json()),
          isError: fc.oneof(fc.boolean(), any.json()),
          _meta: any.json(),
        },
        { requiredKeys: [] },
      ),
      any.jsonObject(),
    );
  },
  check: (result) => {
    const shaped = shapeResult(result, "x");
    assert.equal(typeof shaped.output, "string");
    assert.equal(typeof shaped.isError, "boolean");
    assert.equal(JSON.stringify(shapeResult(result, "x")), JSON.stringify(shaped));
    if (!shaped.isError && shaped.structuredContent !== undefined)
      assert.equal(shaped.output, canonicalJson(shaped.structuredContent));
  },
};

const naming = {
  name: "naming",
  input: (fc, any) => {
    const pair = fc.record({ server: any.serverName(), remoteName: any.toolName() });
    return fc.record({
      tools: fc.uniqueArray(pair, {
        maxLength: 30,
        selector: ({ server, remoteName }) => JSON.stringify([server, remoteName]),
      }),
      rule: fc.constantFrom("plain", "stable"),
    });
  },
  check: ({ tools: pairs, rule }) => {
    const tools = pairs.map((pair) => ({ ...pair, name: toolName(pair.server, pair.remoteName) }));
    const named = resolveCollisions(tools, rule);
    const names = named.tools.map(({ name }) => name);
    assert.equal(names.length, pairs.length);
    assert.deepEqual(names, names.toSorted(compareCodePoints));
    for (const name of names) assert.match(name, /^[a-zA-Z0-9_-]+$/);
    if (rule === "plain") assert.equal(new Set(names).size, names.length);
    assert.deepEqual(resolveCollisions(tools.toReversed(), rule), named);
  },
};

const faultyLoad = {
  name: "faulty-load",
  input: (fc, any) =>
    fc.record({
      plan: any.faultPlan({ maxMs: 3 }),
      tools: fc.array(any.tool(), { maxLength: 3 }),
      pageSize: fc.integer({ min: 1, max: 3 }),
      era: fc.constantFrom("legacy", "modern"),
    }),
  check: async ({ plan, ...script }) => {
    const good = scriptedPeer({ tools: [{ name: "t", inputSchema: {} }] });
    const bad = { open: faultyTransport(scriptedPeer(script).open, plan), timeout: 15 };
    const load = await fromConfig({ mcpServers: { a: bad, b: { open: good.open } } });
    assert.equal(load.failure, null);
    assert.equal(load.statuses.b, "connected");
    assert.match(load.statuses.a, /^(?:connected|failed)$/);
    const calls = load.tools.map(({ name }) => execute(load, name, { x: 1 }, { timeoutMs: 5 }));
    for (const { output } of await Promise.all(calls)) assert.equal(typeof output, "string");
    await disconnectAll(load);
    assert.doesNotThrow(() => JSON.stringify(load));
  },
};

const outputSchema = {
  name: "output-schema",
  input: (fc, any) => fc.record({ schema: any.jsonSchema(), value: maybeDeep(fc, any.json()) }),
  check: async ({ schema, value }) => {
    const { open } = scriptedPeer({
      tools: [{ name: "t", inputSchema: schema, outputSchema: schema }],
      replies: { "tools/call": { result: { content: [], structuredContent: value } } },
    });
    const load = await fromConfig({ mcpServers: { a: { open } } });
    const result = await execute(load, "a_t", {});
    await disconnectAll(load);
    if (result.failure !== undefined) assert.equal(result.failure.tag, "limit");
    else assert.equal(result.output, canonicalJson(value));
  },
};

const redaction = {
  name: "redaction",
  input: (fc, any) =>
    fc.record({
      secret: fc.oneof(
        fc.string({ minLength: 6 }),
        any.serverName().filter((s) => s.length > 5),
      ),
      before: fc.string(),
      after: fc.string(),
      form: fc.constantFrom("plain", "base64", "base64url", "uri", "json"),
    }),
  check: ({ secret, before, after, form }) => {
    const written = FORMS[form](secret);
    const redact = redactor([{ name: "NAME", value: secret }]);
    const text = redact(`${before}${written}${after}`);
    if (!`${before}${after}«NAME»`.includes(written)) assert.ok(!text.includes(written), text);
    assert.equal(typeof redact(text), "string");
  },
};

const FORMS = {
  plain: (secret) => secret,
  base64: (secret) => Buffer.from(secret).toString("base64"),
  base64url: (secret) => Buffer.from(secret).toString("base64url"),
  uri: (secret) => encodeURIComponent(secret.toWellFormed()),
  json: (secret) => JSON.stringify(secret).slice(1, -1),
};

/** Every target, by name. */
export const TARGETS = new Map(
  [
    configText,
    configObject,
    stdioFraming,
    eventStream,
    exchange,
    paging,
    shaping,
    naming,
    faultyLoad,
    outputSchema,
    redaction,
  ].map((target) => [target.name, target]),
);
