/**
 * The text of `list`: the tools in their final order, then the servers.
 */
import { describeFailure } from "../index.ts";
import type { Connected, Connection, JsonObject, Load } from "../index.ts";
import type { TextStyle } from "./outcome.ts";
import { firstLine } from "./safe-text.ts";
import type { Tone } from "./style.ts";
import { tableLines } from "./table.ts";
import type { Cell } from "./table.ts";
import { timingText } from "./timeline.ts";
import type { Timing } from "./timeline.ts";

/** How wide a line may be where there is no terminal. */
const PLAIN_WIDTH = 120;

/** Two tables: tools, and servers with their status. */
export function listText(
  load: Load,
  timings: ReadonlyMap<string, Timing> | null,
  style: TextStyle,
): string {
  const tools = load.tools.map(({ name, server, description }) => [
    { text: name },
    { text: server, tone: "faint" as const },
    { text: firstLine(description) },
  ]);
  const parts = [
    ...(tools.length === 0
      ? ["No tools."]
      : table(["TOOL", "SERVER", "DESCRIPTION"], tools, style)),
    "",
    ...serverLines(load.connections, timings, style),
  ];
  return parts.join("\n");
}

/** A column of the table of servers that counts something of those that are connected. */
export interface Count {
  readonly heading: string;
  of(found: Connected): number;
}

const TOOLS: Count = { heading: "TOOLS", of: ({ tools }) => tools.length };

/** The table of servers. */
export function serverLines(
  connections: readonly Connection[],
  timings: ReadonlyMap<string, Timing> | null,
  style: TextStyle,
  counts: readonly Count[] = [TOOLS],
): readonly string[] {
  if (connections.length === 0) return ["No servers."];
  const rows = connections.map((found) => [
    { text: found.name },
    { text: found.status, tone: TONES[found.status] },
    ...counts.map(({ of }) => ({ text: found.status === "connected" ? String(of(found)) : "" })),
    { text: detailOf(found, timings?.get(found.name)) },
  ]);
  return table(
    ["SERVER", "STATUS", ...counts.map(({ heading }) => heading), "DETAIL"],
    rows,
    style,
  );
}

const TONES: Readonly<Record<Connection["status"], Tone>> = {
  connected: "good",
  disabled: "faint",
  failed: "bad",
};

/** A table as wide as its stream. */
export function table(
  headings: readonly string[],
  rows: readonly (readonly Cell[])[],
  { paint, columns }: TextStyle,
): readonly string[] {
  return tableLines(headings, rows, { paint, width: columns ?? PLAIN_WIDTH });
}

function detailOf(found: Connection, timing: Timing | undefined): string {
  const time = timing === undefined ? [] : [timingText(timing)];
  if (found.status === "disabled") return "";
  if (found.status === "failed") {
    return [...time, `${found.phase}: ${describeFailure(found.failure)}`].join("; ");
  }
  return [...time, `${serverName(found.serverInfo)}MCP ${found.protocolVersion}`].join("; ");
}

function serverName(info: JsonObject | null): string {
  const { name, version } = info ?? {};
  const words = [name, version].flatMap((word) =>
    typeof word === "string" && word !== "" ? [word] : [],
  );
  return words.length === 0 ? "" : `${words.join(" ")}, `;
}
