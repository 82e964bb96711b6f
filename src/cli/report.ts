/**
 * The one document of `--json`: the same members from every command, whatever happened.
 *
 * The same config and the same answers of servers give the same bytes: members are sorted, lists have
 * an order of their own, and there is no time, no duration and no absolute path in it.
 */
import { canonicalJson } from "../index.ts";
import type { JsonObject, Severity } from "../index.ts";
import type { CommandName } from "./command-line.ts";
import type { Finding, Outcome, Problem } from "./outcome.ts";

/** The version of the document's shape. */
const REPORT_VERSION = 1;

/** What a command's document holds beside what all have, when there is nothing to tell. */
const EMPTY_MEMBERS: Readonly<Record<CommandName, JsonObject>> = {
  list: { servers: [], tools: [], collisions: [] },
  call: { servers: [], tool: null, result: null },
  prompts: { servers: [], prompts: [] },
  prompt: { servers: [], prompt: null, result: null },
  resources: { servers: [], resources: [], templates: [] },
  read: { servers: [], resource: null, result: null },
  complete: { servers: [], reference: null, completion: null },
  check: { files: [] },
  doctor: { servers: [], collisions: [] },
  "": {},
};

/** The text of the document, with a line end. */
export function reportText(outcome: Outcome, exitCode: number): string {
  const document: JsonObject = {
    ...EMPTY_MEMBERS[outcome.command],
    ...outcome.members,
    mcpSourceReport: REPORT_VERSION,
    command: outcome.command,
    ok: outcome.exitCode === 0,
    exitCode,
    summary: summary(outcome),
    findings: outcome.findings.map(findingJson),
    errors: outcome.problems.map(problemJson),
  };
  return `${canonicalJson(document)}\n`;
}

function summary({ counts, findings }: Outcome): JsonObject {
  const { tools, ...servers } = counts;
  const ofSeverity = (severity: Severity): number =>
    findings.filter((finding) => finding.severity === severity).length;
  return {
    servers,
    tools,
    findings: {
      error: ofSeverity("error"),
      warning: ofSeverity("warning"),
      info: ofSeverity("info"),
    },
  };
}

function findingJson({ details: _, location, ...finding }: Finding): JsonObject {
  return location === undefined ? finding : { ...finding, location: { ...location } };
}

function problemJson({ failure, ...problem }: Problem): JsonObject {
  return failure === undefined ? problem : { ...problem, failure: { ...failure } };
}
