// Small faults, one for each line of thought that a test should guard:
// in `file`, `find` (once) becomes `replace`; the test of that name in `testFile` must then fail.

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

export const mutants = [...floor0, ...naming];
