#!/usr/bin/env node
// The client under test, one scenario of the official suite at a time.
// The suite appends the server's URL; MCP_CONFORMANCE_SCENARIO names the scenario,
// MCP_CONFORMANCE_PROTOCOL_VERSION the revision, MCP_CONFORMANCE_CONTEXT holds its data as JSON.
import { createHash } from "node:crypto";
import {
  callTool,
  connect,
  disconnect,
  getPrompt,
  listPrompts,
  listResources,
  listTools,
  makeAnswer,
  orThrow,
  readResource,
  request,
} from "../../dist/index.js";

const url = process.argv.at(-1);
const scenario = process.env.MCP_CONFORMANCE_SCENARIO;
const version = process.env.MCP_CONFORMANCE_PROTOCOL_VERSION;
const context = JSON.parse(process.env.MCP_CONFORMANCE_CONTEXT ?? "{}");
const era = version === "2026-07-28" ? "modern" : "legacy";

/** Runs a scenario over a connection, which is closed whatever happens. */
const connected =
  (run, options = {}) =>
  async () => {
    const connection = await connect({ name: "suite", url, era, timeout: 15000 }, options);
    if (connection.status !== "connected") throw new Error(connection.message);
    try {
      await run(connection);
    } finally {
      await disconnect(connection);
    }
  };
const tools = async (connection) => orThrow(await listTools(connection)).tools;
const call = async (connection, name, args) => orThrow(await callTool(connection, name, args));
const answering = (data) => ({ waitFor: (asked) => makeAnswer(asked.id, true, data) });

const everyMethod = async (connection) => {
  for (const tool of await tools(connection))
    await call(connection, tool.remoteName ?? tool.name, {});
  for (const { uri } of orThrow(await listResources(connection)).resources)
    orThrow(await readResource(connection, uri));
  for (const { name } of orThrow(await listPrompts(connection)).prompts)
    orThrow(await getPrompt(connection, name));
};

const inputRounds = async (connection) => {
  for (const name of ["test_mrtr_echo_state", "test_mrtr_unrelated", "test_mrtr_no_state"])
    await call(connection, name, {});
  // Refusing this one locally is fine, sending it again is not.
  await callTool(connection, "test_mrtr_no_result_type", {});
};

const readSkill = async (connection) => {
  const {
    skills: [skill],
  } = orThrow(await request(connection, "skills/list", {}));
  const entry = skill.resources.find(({ uri }) => uri === skill.uri);
  const [{ text }] = orThrow(await readResource(connection, skill.uri)).contents;
  if (Buffer.byteLength(text) !== entry.size) throw new Error("the size differs");
  if (`sha256:${createHash("sha256").update(text).digest("hex")}` !== entry.digest)
    throw new Error("the digest differs");
  const head = new Map(
    text
      .split("---")[1]
      .trim()
      .split("\n")
      .map((line) => line.split(/:\s*/, 2)),
  );
  for (const key of new Set([...head.keys(), ...Object.keys(skill.frontmatter)])) {
    if (head.get(key) !== skill.frontmatter[key])
      throw new Error(`the frontmatter differs at ${key}`);
  }
  for (const { uri } of skill.resources.filter((resource) => resource !== entry))
    orThrow(await readResource(connection, uri));
};

const scenarios = {
  initialize: connected(async () => {}),
  tools_call: connected(async (c) => {
    await tools(c);
    await call(c, "add_numbers", { a: 5, b: 3 });
  }),
  "elicitation-sep1034-client-defaults": connected(
    (c) => call(c, "test_client_elicitation_defaults", {}),
    answering({}),
  ),
  "sse-retry": connected((c) => call(c, "test_reconnection", {})),
  "json-schema-2020-12-preservation": connected(async (c) => {
    const tool = (await tools(c)).find(
      ({ name, remoteName }) => (remoteName ?? name) === "json_schema_2020_12_tool",
    );
    await call(c, "json_schema_echo", { schema: tool.inputSchema });
  }),
  "json-schema-ref-no-deref": connected(tools),
  "request-metadata": connected(async () => {}, {
    ...answering({}),
    onRoots: () => [],
    onSample: () => ({}),
  }),
  "http-standard-headers": connected(everyMethod),
  "http-custom-headers": connected(async (c) => {
    await tools(c);
    for (const { name, arguments: args } of context.toolCalls) await call(c, name, args);
  }),
  "http-invalid-tool-headers": connected(async (c) => {
    for (const tool of await tools(c))
      await call(c, tool.remoteName ?? tool.name, { region: "us-west1" });
  }),
  "sep-2322-client-request-state": connected(inputRounds, answering({ confirmed: true })),
  "sep-2640-client-no-prefetch": connected((c) => request(c, "skills/list", {})),
  "sep-2640-client-verify-digest": connected(readSkill),
  "sep-2640-client-verify-size": connected(readSkill),
  "sep-2640-client-verify-frontmatter": connected(readSkill),
};

const run = scenarios[scenario];
if (run === undefined) {
  console.error(`no scenario ${scenario}`);
  process.exit(64);
}
try {
  await run();
  process.exit(0);
} catch (error) {
  console.error(error);
  process.exit(1);
}
