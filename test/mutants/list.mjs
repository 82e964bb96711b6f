// Small faults, one for each line of thought that a test should guard:
// in `file`, `find` (once) becomes `replace`; the test of that name in `testFile` must then fail.
// A folder of tests may keep its own in a file mutants.mjs; they are gathered here.
import { readdirSync } from "node:fs";
import { join, resolve } from "node:path";

const TESTS = resolve(import.meta.dirname, "..");

const floor0 = [
  {
    file: "src/order.ts",
    find: "isInsidePair(left, i) || isInsidePair(right, i) ? i - 1 : i",
    replace: "i",
    testFile: "test/order.test.ts",
    test: "agrees with comparing the lists of code points, for any two texts",
  },
  {
    file: "src/order.ts",
    find: "compareCodePoints(nameOf(a), nameOf(b))",
    replace: "nameOf(a).localeCompare(nameOf(b))",
    testFile: "test/order.test.ts",
    test: "gives one order for any order of distinct names, and leaves the list alone",
  },
  {
    file: "src/json.ts",
    find: ".filter((key) => value[key] !== undefined)\n    .sort();",
    replace: ".filter((key) => value[key] !== undefined);",
    testFile: "test/json.test.ts",
    test: "gives the same text whatever the order of members, for any value",
  },
  {
    file: "src/json.ts",
    find: "Object.create(null)",
    replace: "{}",
    testFile: "test/json.test.ts",
    test: "holds exactly its entries as its own keys, for any names",
  },
  {
    file: "src/failure.ts",
    find: ".slice(-STDERR_LINES)",
    replace: ".slice(0, STDERR_LINES)",
    testFile: "test/failure.test.ts",
    test: "keeps the last five stderr lines that are not blank, each cut at 400 characters",
  },
  {
    file: "src/failure.ts",
    find: "(text.codePointAt(length - 1) ?? 0) > 0xffff ? length - 1 : length",
    replace: "length",
    testFile: "test/failure.test.ts",
    test: "gives the start of the text and no half of a pair, for any text and length",
  },
  {
    file: "src/failure.ts",
    find: "\\u2028-\\u202e",
    replace: "\\u2028-\\u2029",
    testFile: "test/failure.test.ts",
    test: "leaves no character that acts or cannot be seen, for any text",
  },
  {
    file: "src/redact.ts",
    find: 'if (typeof json === "string") return redact(json);',
    replace: 'if (typeof json === "string") return redact(json).trim();',
    testFile: "test/redact.test.ts",
    test: "changes nothing else, for any value",
  },
];

const naming = [
  {
    file: "src/naming/names.ts",
    find: "/[^a-zA-Z0-9_-]/gu",
    replace: "/[^a-zA-Z0-9_-]/g",
    testFile: "test/naming/names.test.ts",
    test: "yields one character for each code point, for any text",
  },
  {
    file: "src/naming/names.ts",
    find: "/[^a-zA-Z0-9_-]/gu",
    replace: "/[^a-zA-Z0-9_. -]/gu",
    testFile: "test/naming/names.test.ts",
    test: "yields only safe characters, for any text",
  },
  {
    file: "src/naming/names.ts",
    find: '!server.includes("_") &&',
    replace: "",
    testFile: "test/naming/names.test.ts",
    test: "never gives two pairs one name, for any pairs and cap",
  },
  {
    file: "src/naming/names.ts",
    find: "${plain.slice(0, cap - end.length)}",
    replace: "${plain.slice(0, cap)}",
    testFile: "test/naming/names.test.ts",
    test: "is safe and within the cap, for any pair and cap",
  },
  {
    file: "src/naming/collisions.ts",
    find: "return [...once.filter(isExact), ...once.filter((tool) => !isExact(tool))];",
    replace: "return once;",
    testFile: "test/naming/collisions.test.ts",
    test: "leaves its plain name to an exact one, then to the lowest pair, for any tools",
  },
  {
    file: "src/naming/collisions.ts",
    find: "for (const tool of group.toSorted(comparePairs)) {",
    replace: "for (const tool of group) {",
    testFile: "test/naming/collisions.test.ts",
    test: "gives the same whatever the order of the list, for any tools",
  },
  {
    file: "src/naming/collisions.ts",
    find: "while (owners.has(name)) name = names.next().value;",
    replace: "",
    testFile: "test/naming/collisions.test.ts",
    test: "gives the second of two tools with the same eight digits sixteen",
  },
  {
    file: "src/naming/filter.ts",
    find: "!deny.has(remoteName) && (allow === undefined || allow.has(remoteName))",
    replace: "allow === undefined ? !deny.has(remoteName) : allow.has(remoteName)",
    testFile: "test/naming/filter.test.ts",
    test: "keeps what is not denied and, where there is an allow list, allowed, for any filter",
  },
];

const transport = [
  {
    file: "src/transport/exchange.ts",
    find: "nextId: 1,",
    replace: "nextId: 0,",
    testFile: "test/transport/exchange.test.ts",
    test: "numbers its requests from 1, on each connection (C190)",
  },
  {
    file: "src/transport/exchange.ts",
    find: "exchange.pending.delete(id);",
    replace: "",
    testFile: "test/transport/exchange.test.ts",
    test: "counts a late or foreign answer, and names it in a timeout (C192)",
  },
  {
    file: "src/transport/exchange.ts",
    find: "withdrawAll(exchange.peerRequests);\n  for (const pending of exchange.pending.values()) pending.settle(err(failure));",
    replace: "withdrawAll(exchange.peerRequests);",
    testFile: "test/transport/exchange.test.ts",
    test: "settles each request once, by the first event that decides it (C191, C192, C195)",
  },
  {
    file: "src/transport/exchange.ts",
    find: 'Array.isArray(value) && exchange.era === "legacy" && value.length > 0',
    replace: "Array.isArray(value) && value.length > 0",
    testFile: "test/transport/exchange.test.ts",
    test: "takes an id as text and an array of messages in the initialize era only",
  },
  {
    file: "src/protocol/messages.ts",
    find: 'if (typeof method === "string") {',
    replace: 'if (typeof method === "string" && !("result" in value)) {',
    testFile: "test/transport/exchange.test.ts",
    test: "takes neither a request nor a notification for one, whatever else it holds (C195)",
  },
  {
    file: "src/transport/stdio/line-reader.ts",
    find: "new Set([0x7b, 0x5b])",
    replace: "new Set([0x7b])",
    testFile: "test/transport/stdio/message-reader.test.ts",
    test: "is understood and noted",
  },
  {
    file: "src/transport/stdio/line-reader.ts",
    find: "const line = Buffer.concat(reader.parts, reader.size);",
    replace: "const line = Buffer.concat(reader.parts.slice(0, 1));",
    testFile: "test/transport/stdio/message-reader.test.ts",
    test: "gives the same for any bytes in any chunks",
  },
  {
    file: "src/transport/stdio/stderr-ring.ts",
    find: "if (kept.push(line) > LINES) kept.shift();",
    replace: "kept.push(line);",
    testFile: "test/transport/stdio/stderr-ring.test.ts",
    test: "are at most 200, the newest, with their indentation and without their line ends",
  },
  {
    file: "src/transport/stdio/close-ladder.ts",
    find: '  signalGroup(child.pid, "SIGTERM");\n',
    replace: "",
    testFile: "test/transport/stdio/close.test.ts",
    test: "sends SIGTERM to a child that stays",
  },
  {
    file: "src/transport/stdio/close-ladder.ts",
    find: '  signalGroup(child.pid, "SIGKILL");\n',
    replace: "",
    testFile: "test/transport/stdio/close.test.ts",
    test: "kills a child that stays even then, and waits until it is dead",
  },
  {
    file: "src/transport/stdio/child-env.ts",
    find: ' || value.startsWith("()")',
    replace: "",
    testFile: "test/transport/stdio/child-env.test.ts",
    test: "holds no shell function and no absent value",
  },
];

const lifecycle = [
  {
    file: "src/lifecycle/from-config.ts",
    find: "return sortedByName(parsed.servers, (server) => server.name).map((server) => {",
    replace: "return parsed.servers.toReversed().map((server) => {",
    testFile: "test/lifecycle/from-config.test.ts",
    test: "is told in order, as plain data, once for each server",
  },
  {
    file: "src/lifecycle/from-config.ts",
    find: "    await closeAll(connections, { hurry: true });\n",
    replace: "",
    testFile: "test/lifecycle/from-config.test.ts",
    test: "that fires while a server lists closes it and the ones before, and starts no other (C041, C045, C046)",
  },
  {
    file: "src/lifecycle/from-config.ts",
    find: "if (failure !== null) await closeAll(connections, {});",
    replace: "",
    testFile: "test/lifecycle/from-config.test.ts",
    test: "that fails closes the whole load, which still says who and why",
  },
  {
    file: "src/lifecycle/in-order.ts",
    find: "if (work.isOver()) return;",
    replace: "",
    testFile: "test/lifecycle/in-order.test.ts",
    test: "begins nothing more once it is over, and keeps what was begun, for any moment",
  },
  {
    file: "src/lifecycle/paging.ts",
    find: 'typeof nextCursor === "string" && walk.seenCursors.has(nextCursor)',
    replace: "false",
    testFile: "test/lifecycle/paging.test.ts",
    test: "ends at a cursor seen before, keeps what was listed, and notes it (C184)",
  },
  {
    file: "src/lifecycle/paging.ts",
    find: "isRepeated ? null : (nextCursor ?? null)",
    replace: "isRepeated ? null : nextCursor || null",
    testFile: "test/lifecycle/paging.test.ts",
    test: "follows the empty cursor, and ends at an absent or null one (C136)",
  },
  {
    file: "src/lifecycle/read-tools.ts",
    find: "isObject(inputSchema) ? inputSchema : ",
    replace: "isObject(inputSchema) ? { ...inputSchema, additionalProperties: false } : ",
    testFile: "test/lifecycle/read-tools.test.ts",
    test: "passes a schema and a definition on untouched, and defaults what is missing (C210)",
  },
  {
    file: "src/lifecycle/shape-result.ts",
    find: "if (structured !== undefined) return canonicalJson(structured);\n  return joinedText",
    replace: "if (structured) return canonicalJson(structured);\n  return joinedText",
    testFile: "test/lifecycle/shape-result.test.ts",
    test: "prefers structured content as canonical JSON, for any value, null and 0 among them",
  },
  {
    file: "src/lifecycle/shape-result.ts",
    find: "const failed = isError === true;",
    replace: "const failed = Boolean(isError);",
    testFile: "test/lifecycle/shape-result.test.ts",
    test: "is an error exactly when the server says true, for any result that is one",
  },
  {
    file: "src/lifecycle/elicitation.ts",
    find: 'answer.reason === "declined" ? "decline" : "cancel"',
    replace: 'answer.reason === undefined ? "cancel" : "decline"',
    testFile: "test/lifecycle/elicitation.test.ts",
    test: '{"id":"i","ok":false,"reason":"expired"} (C095, C096, C159)',
  },
  {
    file: "src/lifecycle/elicitation.ts",
    find: 'typeof id === "string" || typeof id === "number"',
    replace: "Boolean(id)",
    testFile: "test/lifecycle/elicitation.test.ts",
    test: "is none exactly when there is no id or no method, for any message (C098)",
  },
  {
    file: "src/lifecycle/negotiation.ts",
    find: "code === HEADER_MISMATCH || code === MISSING_CAPABILITY",
    replace: "code === HEADER_MISMATCH",
    testFile: "test/lifecycle/negotiation.test.ts",
    test: "never shakes hands after a final error, for any outcome",
  },
  {
    file: "src/lifecycle/disconnect.ts",
    find: "  } catch {",
    replace: "  } finally {",
    testFile: "test/lifecycle/disconnect.test.ts",
    test: "resolves for anything at all",
  },
];

const operations = [
  {
    file: "src/operations/support.ts",
    find: "isObject(found) || found === true",
    replace: "found !== undefined",
    testFile: "test/operations/support.test.ts",
    test: "takes a capability for there only as an object or true",
  },
  {
    file: "src/operations/support.ts",
    find: "if (!isAtLeast(agreed.protocolVersion, since)) return null;",
    replace: "",
    testFile: "test/operations/support.test.ts",
    test: "lets a server of 2024-11-05 complete without saying so",
  },
  {
    file: "src/operations/known-tools.ts",
    find: 'if (problems.length > 0) return err(invalid(problems.join("; ")));',
    replace: "",
    testFile: "test/operations/known-tools.test.ts",
    test: "are added all or not at all, for any mixture",
  },
  {
    file: "src/operations/known-tools.ts",
    find: '`[${index}] "${name}" has no input schema`',
    replace: '`"${name}" has no input schema`',
    testFile: "test/operations/known-tools.test.ts",
    test: "name each bad definition with its place",
  },
];

const commandLine = [
  {
    file: "src/cli/safe-text.ts",
    find: "/^([^\\S\\r\\n]*):(?=:)/gmu",
    replace: "/^():(?=:)/gmu",
    testFile: "test/cli/safe-text.test.ts",
    test: "leaves no line a runner takes for a command, for any text",
  },
  {
    file: "src/cli/safe-text.ts",
    find: '.split("\\t").map(visible).join("\\t")',
    replace: "",
    testFile: "test/cli/safe-text.test.ts",
    test: "leaves nothing for a terminal to act on, for any text",
  },
  {
    file: "src/cli/exit-code.ts",
    find: "  EXIT.auth,\n  EXIT.server,\n",
    replace: "  EXIT.server,\n  EXIT.auth,\n",
    testFile: "test/cli/exit-codes.test.ts",
    test: "ranks what did not happen above what was found: 70, 2, 3, 4, 5, 1, 0",
  },
  {
    file: "src/cli/coerce.ts",
    find: 'types.size === 1 && types.has("string")',
    replace: 'types.has("string")',
    testFile: "test/cli/coercion.test.ts",
    test: "reads back what it prints, for any schema and any value the schema takes",
  },
];

const kept = await Promise.all(
  readdirSync(TESTS, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith("/mutants.mjs") && !file.includes("node_modules"))
    .toSorted()
    .map((file) => import(join(TESTS, file))),
);

export const mutants = [
  ...floor0,
  ...naming,
  ...transport,
  ...lifecycle,
  ...operations,
  ...commandLine,
  ...kept.flatMap((module) => Object.values(module).flat()),
];
