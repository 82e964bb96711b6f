// What a stage of .ci/run counted, as "PASSED FAILED":  vitest REPORT | lines OUTPUT
import { readFileSync } from "node:fs";

const [kind, file] = process.argv.slice(2);
const text = readFileSync(file, "utf8");
console.log(...(kind === "vitest" ? vitest() : lines()));

/** From vitest's JSON report; a file that does not even load is one failure. */
function vitest() {
  const { numPassedTests, numFailedTests, testResults } = JSON.parse(text);
  const brokenFiles = testResults.filter(
    ({ status, assertionResults }) =>
      status === "failed" && assertionResults.every((test) => test.status !== "failed"),
  );
  return [numPassedTests, numFailedTests + brokenFiles.length];
}

/** From every line of the form "N passed, N failed", added up. */
function lines() {
  const tallies = [...text.matchAll(/^(\d+) passed, (\d+) failed$/gm)];
  const sum = (group) => tallies.reduce((total, tally) => total + Number(tally[group]), 0);
  return [sum(1), sum(2)];
}
