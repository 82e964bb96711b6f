// Small faults in src/operations and what it stands on, in the form of test/mutants/list.mjs: each
// must turn the named test red.

function mutant(file, [find, replace], testFile, test) {
  return { file, find, replace, testFile: `test/operations/${testFile}`, test };
}

const handlers = [
  mutant(
    "src/operations/notifications.ts",
    ["    call: (message) => {\n      if (isOver) return;", "    call: (message) => {"],
    "notifications.test.ts",
    "are each called once for each message while they live, for any sequence of adding, ending and sending",
  ),
  mutant(
    "src/operations/notifications.ts",
    ["if (inside.getStore()?.has(handler) !== true) await", "await"],
    "notifications.test.ts",
    "may end themselves from inside, also after a wait",
  ),
  mutant(
    "src/operations/notifications.ts",
    ["if (inside.getStore()?.has(handler) !== true) await Promise.all(running);", ""],
    "notifications.test.ts",
    "hear nothing more once they are ended, and ending waits for what they are doing",
  ),
];

const shared = [
  mutant(
    "src/operations/shared.ts",
    ["  lane.users--;\n", ""],
    "subscribe-resource.test.ts",
    "are with the server exactly while somebody wants them, for any sequence of subscribing, ending and updates",
  ),
  mutant(
    "src/operations/shared.ts",
    ["lanes.closing.get(key) ?? Promise.resolve()", "Promise.resolve()"],
    "subscribe-resource.test.ts",
    "are with the server exactly while somebody wants them, for any sequence of subscribing, ending and updates",
  ),
  mutant(
    "src/operations/listen-topic.ts",
    ["onRelisten: (): void => tell(missed)", "onRelisten: (): void => undefined"],
    "listen.test.ts",
    "makes onListChanged call its function once, since a change may have gone by",
  ),
  mutant(
    "src/operations/listening.ts",
    ["attempts = again.value.attempts;", "attempts = 0;"],
    "listen.test.ts",
    "is not asked for again for ever when it is lost at once every time",
  ),
  mutant(
    "src/transport/request-ids.ts",
    ["return counted?.wireId === id ? counted : undefined;", "return counted;"],
    "listen.test.ts",
    "does not take an id of another type for its own",
  ),
];

const honest = [
  mutant(
    "src/operations/arguments.ts",
    ["(progressToken === undefined || isRequestId(progressToken)) &&", ""],
    "wire-honesty.test.ts",
    "sends nothing that the official schema refuses, for any operations with any arguments",
  ),
  mutant(
    "src/operations/log-level.ts",
    ["if (!isLogLevel(level)) return", 'if (typeof level !== "string") return'],
    "wire-honesty.test.ts",
    "sends nothing that the official schema refuses, for any operations with any arguments",
  ),
  mutant(
    "src/operations/operation.ts",
    [
      "return read.ok ? await run(session, read.value) : read;",
      "return read.ok ? run(session, read.value) : read;",
    ],
    "total.test.ts",
    "sendMessage gives a value and never throws or rejects, for any arguments",
  ),
  mutant(
    "src/operations/known-tools.ts",
    ['if (problems.length > 0) return err(invalid(problems.join("; ")));', ""],
    "known-tools.test.ts",
    "are added all or not at all, for any mixture",
  ),
];

const ids = [
  mutant(
    "src/transport/exchange.ts",
    ["exchange.nextId = Math.max(exchange.nextId, wireId + 1);", "exchange.nextId += 0;"],
    "request.test.ts",
    "never counts a caller's number again, for any number",
  ),
  mutant(
    "src/lifecycle/modern.ts",
    ["(round === 0 ? options : withNewId(options))", "options"],
    "request.test.ts",
    "is for one sending only: a round with answers has another",
  ),
  mutant(
    "src/lifecycle/send.ts",
    ['session.options.onExpired === "fail"', "false"],
    "saved-session.test.ts",
    "that the server has forgotten fails its first request at once, as expired",
  ),
];

export const operationMutants = [...handlers, ...shared, ...honest, ...ids];
