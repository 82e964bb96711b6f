// Small faults in src/transport/http, in the form of test/mutants/list.mjs: each must turn the named
// test red.

function mutant(file, [find, replace], testFile, test) {
  return {
    file: `src/transport/http/${file}`,
    find,
    replace,
    testFile: `test/transport/http/${testFile}`,
    test,
  };
}

const pure = [
  mutant(
    "headers.ts",
    ["/^(?:[\\x21-\\x7e](?:[\\t\\x20-\\x7e]*[\\x21-\\x7e])?)?$/", "/^[\\t\\x20-\\x7e]*$/"],
    "headers.test.ts",
    "is either sent as is or refused, for any text",
  ),
  mutant(
    "headers.ts",
    ["merged.set(name.toLowerCase(), value)", "merged.set(name, value)"],
    "headers.test.ts",
    "merge to one of each name, the later winning, for any names",
  ),
  mutant(
    "redirects.ts",
    ["target.origin !== new URL(from).origin || ", ""],
    "redirects.test.ts",
    "never leads to another origin, for any location",
  ),
  mutant(
    "network-failure.ts",
    ["return inner.flatMap((each) => causesOf(each, depth + 1));", "return [error];"],
    "network-failure.test.ts",
    "of both addresses of a host speaks through the errors inside",
  ),
  mutant(
    "answer.ts",
    ['!("jsonrpc" in value)', "false"],
    "answer.test.ts",
    "of a gateway, which says no jsonrpc",
  ),
  mutant(
    "answer.ts",
    ["body: firstKiB(redact(body))", "body: redact(firstKiB(body))"],
    "answer.test.ts",
    "takes secrets out before it cuts",
  ),
  mutant(
    "reconnect.ts",
    ["Math.min(SHORTEST_MS, policy.baseMs)", "0"],
    "resumption.test.ts",
    "allows at most three attempts a second, whatever the server asks for",
  ),
];

const reading = [
  mutant(
    "event-reader.ts",
    ['isAfterCr && text.startsWith("\\n") ? text.slice(1) : text', "text"],
    "event-reader.test.ts",
    "gives the same events however it is cut, for any stream",
  ),
  mutant(
    "event-reader.ts",
    ["isWithin = !endsWhole;", ""],
    "event-reader.test.ts",
    "gives the same events however it is cut, for any stream",
  ),
  mutant(
    "event-reader.ts",
    ["isAfterCr ? `${rest}\\n` : rest", "rest"],
    "event-reader.test.ts",
    "does not keep back an event that ends in CR until the next one",
  ),
  mutant(
    "event-reader.ts",
    ['feedQuietly(parser, "\\n\\n");', ""],
    "event-reader.test.ts",
    "ends with its last event when it ends cleanly, without it when it breaks",
  ),
  mutant(
    "decode.ts",
    ["decoder?.destroy();\n    body.drop();", "body.drop();"],
    "decode.test.ts",
    "is undone no further once the body is dropped",
  ),
];

const sending = [
  mutant(
    "sockets.ts",
    ["cut: () => void drop(client)", "cut: (abort) => abort()"],
    "sockets.test.ts",
    "closes its socket, and no other is opened in its place",
  ),
  mutant(
    "sender.ts",
    ["isFailedWrite(error) && ", ""],
    "sockets.test.ts",
    "is not tried again where the server may have seen it",
  ),
  mutant(
    "sender.ts",
    ["attempt === MAX_ANSWERS", "false"],
    "authorize.test.ts",
    "answers at most four times for one request; the status is the failure then",
  ),
  mutant(
    "sender.ts",
    ["budget?.spend(Math.max(0, performance.now() - startedAt - waitedMs));", ""],
    "authorize.test.ts",
    "burns the budget with work of its own",
  ),
  mutant(
    "sender.ts",
    ["budget?.pause();", ""],
    "authorize.test.ts",
    "may wait for a person without burning the budget",
  ),
];

const conversation = [
  mutant(
    "http-transport.ts",
    ["if (answer.ok) adoptSession", "adoptSession"],
    "session.test.ts",
    "that comes with a JSON-RPC error is not taken",
  ),
  mutant(
    "http-transport.ts",
    [
      "if (!isLegacy(options) || NEVER_CANCELLED.has(method) || !life.isSent) return life.end();",
      "",
    ],
    "cancel.test.ts",
    "in the modern era is only closed",
  ),
  mutant(
    "linger.ts",
    ["setTimeout(stop, LINGER_MS).unref()", "setTimeout(() => undefined, LINGER_MS).unref()"],
    "streams.test.ts",
    "need not end: the answer is enough, and its socket is given up",
  ),
  mutant(
    "linger.ts",
    ["for (const life of open.slice(0, -1)) life.end();", ""],
    "streams.test.ts",
    "need not end: the answer is enough, and its socket is given up",
  ),
  mutant(
    "stream.ts",
    ["if (cursor.hasProgress || isSteady) attempt = 0;", ""],
    "resumption.test.ts",
    "is polled as often as the server brings something new",
  ),
  mutant(
    "stream.ts",
    ["!isLegacy(stream.options)", "false"],
    "resumption.test.ts",
    "is not resumed in the modern era",
  ),
  mutant(
    "post.ts",
    ["!isUnknownMethod(error, pending)", "true"],
    "session.test.ts",
    "is not meant by a 404 for an unknown method",
  ),
  mutant(
    "answer.ts",
    ["if (status === 401 || status === 403) return null;", ""],
    "answers.test.ts",
    "of 401 is a status, with its challenge",
  ),
];

export const httpMutants = [...pure, ...reading, ...sending, ...conversation];
