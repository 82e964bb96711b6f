// What the tests of the kit, and the laws under faults, must notice.
const mutant = (file, [find, replace], testFile, test) => ({
  file: `src/${file}`,
  find,
  replace,
  testFile: `test/${testFile}`,
  test,
});

const IN_MEMORY = "faults/in-memory.test.ts";
const laws = [
  mutant(
    "transport/exchange.ts",
    ["if (token !== undefined) exchange.progressTokens.delete(token);", ""],
    IN_MEMORY,
    "settles exactly once, and hears nothing afterwards, for any plan",
  ),
  mutant(
    "transport/exchange.ts",
    [
      "const stopWaiting = onAbort(options.signal, () =>",
      "const stopWaiting = onAbort(undefined, () =>",
    ],
    IN_MEMORY,
    "that is aborted settles at once, whatever the server does, for any plan",
  ),
  mutant(
    "transport/exchange.ts",
    ["      pending.budget.stop();\n", ""],
    IN_MEMORY,
    "ends with a status for each server and leaves no timer, for any plan",
  ),
  mutant(
    "testing/faulty-transport.ts",
    ["  link.wire.end();\n", ""],
    IN_MEMORY,
    "nothing is delivered, nothing waits and no timer is left, for any plan and moment",
  ),
  mutant(
    "testing/faulty-wire.ts",
    ["  for (const timer of wire.timers) clearTimeout(timer);\n", ""],
    IN_MEMORY,
    "closing again changes nothing and takes no time, for any plan",
  ),
  mutant(
    "lifecycle/from-config.ts",
    [
      'listed = connections.flatMap((found) => (found.status === "connected" ? found.tools : []))',
      'listed = connections.flatMap((found, i) => (connections[i - 1]?.status !== "failed" && found.status === "connected" ? found.tools : []))',
    ],
    IN_MEMORY,
    "gives server B the same bytes, whatever happens to server A, for any plan",
  ),
  mutant(
    "testing/passage.ts",
    ["(i + 1) * Math.trunc(size)", "(i + 1) * Math.trunc(size) - 1"],
    IN_MEMORY,
    "is the same however the server's bytes are cut into chunks, for any sizes",
  ),
  mutant(
    "testing/far-side.ts",
    ["resultMessage(id, answer.value)", "resultMessage(id, { ...answer.value, nextCursor: null })"],
    IN_MEMORY,
    "is the same through an empty plan as without one, for any tools",
  ),
];

const PAIR = "testing/memory-pair.test.ts";
const PEER = "testing/scripted-peer.test.ts";
const FAULTS = "testing/faulty-transport.test.ts";
const peers = [
  mutant(
    "testing/memory-pair.ts",
    ["arrive(other, copy)", "arrive(other, message)"],
    PAIR,
    "arrives at the other as an equal copy, in order, for any parameters and either end",
  ),
  mutant(
    "testing/memory-pair.ts",
    [" || end.early.length > 0", ""],
    PAIR,
    "waits for the other end to open, and nothing overtakes it",
  ),
  mutant(
    "testing/memory-pair.ts",
    ["    if (own.isCut) endOf(own, EOF);\n", ""],
    PAIR,
    "is seen by an end that opens later",
  ),
  mutant(
    "testing/scripted-peer.ts",
    ["tools.slice(start, end)", "tools.slice(start + 1, end)"],
    PEER,
    "lists its tools in any page size, in the legacy era, for any tools",
  ),
  mutant(
    "testing/scripted-peer.ts",
    ["all[Math.min(count, all.length - 1)]", "all[count]"],
    PEER,
    "gives replies in turn, the last from then on, the more exact key first",
  ),
  mutant(
    "testing/scripted-peer.ts",
    ["return { progressToken, ...told };", "return { ...told, progressToken };"],
    PEER,
    "tells of progress under the request's own token and asks before it answers",
  ),
  mutant(
    "testing/scripted-peer.ts",
    ["    clearTimeout(timer);\n", ""],
    PEER,
    "waits as long as it is told to, and not at all once it is closed",
  ),
  mutant(
    "testing/faulty-wire.ts",
    [
      "for (const overtaken of lane.swapped.splice(0)) arrive(wire, overtaken);",
      "lane.swapped.length = 0;",
    ],
    FAULTS,
    "a swapped message arrives after the next one",
  ),
  mutant(
    "testing/faulty-wire.ts",
    ["      lane.isHeld = true;\n", ""],
    FAULTS,
    "a delay holds everything behind it, lateness only itself",
  ),
  mutant(
    "testing/fault-plan.ts",
    [
      "fault.nth === undefined || fault.nth === count",
      "fault.nth === undefined || fault.nth <= count",
    ],
    FAULTS,
    "counts its messages by direction and method, anew in each connection",
  ),
  mutant(
    "testing/passage.ts",
    ['has("drop") || bounced !== null', 'has("drop")'],
    FAULTS,
    "an error on the way out answers the request, which the server never sees",
  ),
];

const CANARY = "testing/canary.test.ts";
const ANY = "testing/arbitraries.test.ts";
const looking = [
  mutant(
    "testing/canary.ts",
    ["const encodings = [0, 1, 2]", "const encodings = [0, 1]"],
    CANARY,
    "as base64, at any offset and depth, for any secret",
  ),
  mutant(
    "testing/canary.ts",
    ["decodedPercent(form).includes(secret)", "form.includes(encodeURI(secret))"],
    CANARY,
    "as percent, at any offset and depth, for any secret",
  ),
  mutant("testing/canary.ts", ["      look(at, key);\n", ""], CANARY, "in a key"),
  mutant(
    "testing/canary.ts",
    ["Reflect.ownKeys(value)", "Object.keys(value)"],
    CANARY,
    "in the cause of an error",
  ),
  mutant(
    "testing/arbitraries/messages.ts",
    ["\n    .filter((piece) => piece.length > 0)", ""],
    ANY,
    "hold the same bytes in the same order, none empty, for any bytes",
  ),
  mutant(
    "testing/arbitraries/messages.ts",
    ["({ ...message, [key]: value })", "({ ...message, [`_${key}`]: value })"],
    ANY,
    "are against the rules, for any malformed one",
  ),
  mutant(
    "testing/arbitraries/plans.ts",
    ["const ms = fc.nat(maxMs);", "const ms = fc.nat(100);"],
    ANY,
    "hold only the kinds and methods that are asked for",
  ),
];

export const testingMutants = [...laws, ...peers, ...looking];
