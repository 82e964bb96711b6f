/**
 * Loading servers for a command: `fromConfig`, with what happens on the way said on stderr.
 */
import { disconnectAll, fromConfig, makeAnswer } from "../index.ts";
import type { Connection, JsonObject, Load, ParsedConfig, Phase, WaitFor } from "../index.ts";
import { EXIT, failureExit, worstExit } from "./exit-code.ts";
import type { Host } from "./host.ts";
import type { Counts, Finding, Problem } from "./outcome.ts";
import type { Voice } from "./voice.ts";
import { locationText } from "./finding-text.ts";

/** What a `LoadEvent` may say, as far as the command line looks at it. */
export interface Happening {
  readonly kind: string;
  readonly server: string;
  /** The phase that begins, or in which a server failed. */
  readonly phase?: Phase;
  /** A line of a server's stderr. */
  readonly line?: string;
}

/** What a load is for. */
export interface LoadPlan {
  readonly host: Host;
  readonly voice: Voice;
  /** Answers what servers ask; everything is declined when absent. */
  readonly waitFor?: WaitFor;
  readonly onEvent?: (event: Happening) => void;
}

/** Connects the servers of a config and says on the way which one it is at. */
export async function loadServers(parsed: ParsedConfig, plan: LoadPlan): Promise<Load> {
  const { host, voice } = plan;
  const total = parsed.servers.filter((server) => server.enabled).length;
  let begun = 0;
  const load = await fromConfig(parsed, {
    signal: host.signal,
    env: host.env,
    // `list` advertises what `call` does: a server may offer other tools to a client that cannot ask.
    waitFor: plan.waitFor ?? decliner(voice),
    onEvent: (event: Happening) => {
      if (event.kind === "connecting") {
        voice.progress(`Connecting to ${event.server} (${++begun} of ${total}) …`);
        voice.detail(`[${event.server}] ${targetText(parsed, event.server)}`);
      }
      if (event.line !== undefined) voice.detail(`[${event.server}] ${event.line}`);
      plan.onEvent?.(event);
    },
  });
  voice.done();
  return load;
}

/** Which program or host is about to be used; arguments and paths may hold a secret. */
function targetText(parsed: ParsedConfig, name: string): string {
  const server = parsed.servers.find((candidate) => candidate.name === name);
  if (server?.argv !== undefined) return `starting ${server.argv[0]}`;
  return `connecting to ${originOf(server?.url ?? "")}`;
}

function originOf(url: string): string {
  return URL.canParse(url) ? new URL(url).origin : "its url";
}

/** Ends a load: politely, unless the command is to end now. */
export async function closeLoad(load: Load, { signal }: Host): Promise<void> {
  const hurry = (): void => {
    for (const found of load.connections) {
      if (found.status === "connected") void found.transport.close({ hurry: true });
    }
  };
  if (signal.aborted) hurry();
  signal.addEventListener("abort", hurry, { once: true });
  await disconnectAll(load);
  signal.removeEventListener("abort", hurry);
}

/** Declines whatever is asked, and says so. */
export function decliner(voice: Voice, why: string = ""): WaitFor {
  return ({ id, server, prompt }) => {
    voice.note(`Server "${server}" asks: ${prompt} (declined${why})`);
    return { ...makeAnswer(id, false), reason: "declined" };
  };
}

/** How many servers and tools a load has. */
export function countsOf(load: Load): Counts {
  const having = (status: Connection["status"]): number =>
    load.connections.filter((connection) => connection.status === status).length;
  return {
    connected: having("connected"),
    failed: having("failed"),
    disabled: having("disabled"),
    tools: load.tools.length,
  };
}

/** Why servers of a load failed, in name order, or why there is no load at all. */
export function loadProblems(load: Load, findings: readonly Finding[]): readonly Problem[] {
  const failed = load.connections.flatMap((found) => (found.status === "failed" ? [found] : []));
  const problems = failed.map(({ name, phase, failure, message, stderr }): Problem => ({
    tag: failure.tag,
    server: name,
    phase,
    message,
    failure,
    ...(stderr.length > 0 && { stderrTail: stderr.slice(-STDERR_TAIL) }),
  }));
  const { failure } = load;
  if (failure === null || problems.length > 0) return problems;
  if (failure.tag === "cancelled") return [{ tag: failure.tag, message: "interrupted", failure }];
  const errors = findings.filter(({ severity }) => severity === "error");
  return errors.map(({ message, fix, location }) => ({
    tag: failure.tag,
    message: `${locationText(location)}${message}`,
    ...(fix !== undefined && { fix }),
    failure,
  }));
}

const STDERR_TAIL = 20;

/** The exit code that a load asks for: 0 when every enabled server is connected. */
export function loadExit(load: Load): number {
  const codes = load.connections.flatMap((found) =>
    found.status === "failed" ? [failureExit(found.failure, found.phase)] : [],
  );
  const own = load.failure === null ? EXIT.done : failureExit(load.failure, "load");
  return worstExit([own, ...codes]);
}

/** One server of a report. */
export function serverJson(found: Connection): JsonObject {
  const { name, status } = found;
  if (found.status !== "connected") return { name, status };
  const { era, protocolVersion, serverInfo, tools } = found;
  return { name, status, era, protocolVersion, serverInfo, toolCount: tools.length };
}
