// Counts for .ci/run:  vitest REPORT | line OUTPUT | lines OUTPUT
import { readFileSync } from "node:fs";

const [kind, file] = process.argv.slice(2);
const counters = { vitest, line, lines };
counters[kind](readFileSync(file, "utf8"));

/** "PASSED FAILED" from vitest's JSON report. */
function vitest(text) {
  const report = JSON.parse(text);
  const brokenFiles = report.testResults.filter(
    ({ status, assertionResults }) =>
      status === "failed" && assertionResults.every((test) => test.status !== "failed"),
  );
  console.log(report.numPassedTests, report.numFailedTests + brokenFiles.length);
}

/** "PASSED FAILED" from the last line of the form "N passed, N failed". */
function line(text) {
  const [passed, failed] = tallies(text).at(-1) ?? [0, 0];
  console.log(passed, failed);
}

/** "PASSED FAILED" from all lines of that form together. */
function lines(text) {
  const sum = (index) => tallies(text).reduce((total, tally) => total + tally[index], 0);
  console.log(sum(0), sum(1));
}

function tallies(text) {
  const matches = text.matchAll(/^(\d+) passed, (\d+) failed$/gm);
  return [...matches].map(([, passed, failed]) => [Number(passed), Number(failed)]);
}
