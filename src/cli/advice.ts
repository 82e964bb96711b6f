/**
 * What to do about a server that failed: its cause in a few lines, and the way out.
 */
import { delimiter } from "node:path";
import type {
  Failure,
  HttpStatusFailure,
  PeerEofFailure,
  ServerConfig,
  TransportFailure,
  Unconnected,
} from "../index.ts";
import { shellWord } from "./shell-word.ts";
import { seconds, timingText } from "./timeline.ts";
import type { Timing } from "./timeline.ts";

/** Further lines about a failure, and what to do. */
export interface Advice {
  readonly details: readonly string[];
  readonly fix: string;
}

/** What is known about a failed server beside its failure. */
export interface Case {
  readonly connection: Unconnected;
  readonly server: ServerConfig;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly timing: Timing | undefined;
  /** Where it runs, as a person here would write it; `.` is here. */
  readonly folder: string;
  /** Whether its command may be shown: not when a credential stands in it. */
  readonly isShowable: boolean;
}

/** The advice for a failed server. */
export function adviceFor(found: Case): Advice {
  const { failure } = found.connection;
  switch (failure.tag) {
    case "transport":
      return transportAdvice(failure, found);
    case "http-status":
      return statusAdvice(failure, found.server);
    case "peer-eof":
      return exitAdvice(failure, found);
    case "timeout":
      return timeoutAdvice(failure.timeoutMs, found);
    default:
      return { details: stderrLines(found.connection), fix: otherFix(failure, found) };
  }
}

function otherFix(failure: Failure, found: Case): string {
  switch (failure.tag) {
    case "malformed-body":
      return found.server.kind === "remote"
        ? "check the url: what answers there does not speak MCP; the path is often /mcp or /sse"
        : `check the command: what it writes to stdout is not MCP${byHand(found)}`;
    case "rpc-error":
      return "the server refused; its message says why. Check its version and its settings";
    case "unsupported":
      return "update the server: it speaks no version of the protocol that is known here";
    case "auth":
      return "get new credentials, and put them where the config takes them from";
    case "limit":
      return "the server sends more than is taken; ask its author, or leave it out";
    case "config":
      return `run "mcp-source check" for the place`;
    default:
      return "try again";
  }
}

function transportAdvice(failure: TransportFailure, found: Case): Advice {
  if (failure.reason === "spawn-failed") return spawnAdvice(failure, found);
  const code = failure.code === undefined ? "" : ` (${failure.code})`;
  const details = failure.detail === "" ? [] : [`${failure.detail}${code}`];
  return {
    details: [...details, ...stderrLines(found.connection)],
    fix: TRANSPORT_FIXES[failure.reason],
  };
}

const TRANSPORT_FIXES: Readonly<Record<TransportFailure["reason"], string>> = {
  dns: "check the host name in the url, and whether this machine is online",
  "connect-failed": "start the server, or check host and port in the url",
  tls: "check the url; for a certificate of your own, set NODE_EXTRA_CA_CERTS to its file",
  "spawn-failed": "check the command",
  "write-failed": "the server stopped reading; see what it says when it is run by hand",
  reset: "the server closed the connection; try again, and look at its log",
  "stream-failed": "the connection broke; try again, and look at the server's log",
  redirect: "put the address it redirects to into the config",
  proxy: "check HTTPS_PROXY and NO_PROXY",
};

/** Who installs what; only for commands that configs name all the time. */
const INSTALLERS: ReadonlyMap<string, string> = new Map([
  ["npx", "install Node.js, which brings npx"],
  ["node", "install Node.js"],
  ["uvx", "install uv, which brings uvx"],
  ["uv", "install uv"],
  ["docker", "install Docker"],
  ["python", 'install Python, or write "python3"'],
]);

function spawnAdvice(failure: TransportFailure, { server, env }: Case): Advice {
  const command = server.argv?.[0] ?? "";
  const mentionsFolder = failure.detail.includes("working directory");
  if (mentionsFolder) return { details: [], fix: 'check "cwd": the folder has to exist' };
  if (failure.code === "EACCES") {
    return { details: [], fix: `make the file executable: chmod +x ${shellWord(command)}` };
  }
  if (failure.code !== "ENOENT") return { details: [], fix: "check the command" };
  if (/[/\\]/.test(command)) {
    const fix = "check the path: it starts at the config's folder, unless it is absolute";
    return { details: [], fix };
  }
  const path = server.env?.["PATH"] ?? env["PATH"] ?? "";
  const places = [...new Set(path.split(delimiter))].filter((place) => place !== "");
  const looked = places.length === 0 ? "PATH is empty" : `looked in: ${places.join(", ")}`;
  const install = INSTALLERS.get(command) ?? `install ${shellWord(command)}`;
  return { details: [looked], fix: `${install}; or write its whole path as "command"` };
}

function statusAdvice(failure: HttpStatusFailure, server: ServerConfig): Advice {
  const { status, challenge, body } = failure;
  const asked = challenge === undefined ? [] : [`the server asks for: ${challenge}`];
  const said = body.trim() === "" ? [] : [`the server says: ${body.trim().slice(0, 200)}`];
  return { details: [...asked, ...said], fix: statusFix(status, server, failure.location) };
}

function statusFix(status: number, server: ServerConfig, location: string | undefined): string {
  const hasCredentials = Object.keys(server.headers ?? {}).some((name) =>
    /^authorization$/i.test(name),
  );
  const variables = server.variables?.map(({ name }) => name.replace(/^env:/, "")) ?? [];
  if (status === 401 && !hasCredentials) {
    return 'add "headers": {"Authorization": "Bearer ${TOKEN}"} to the server and set TOKEN';
  }
  if (status === 401 || status === 403) {
    const which = variables.length === 0 ? "" : ` (${variables.join(", ")})`;
    return status === 401
      ? `the credentials in the config were refused${which}: get new ones`
      : `the credentials do not allow this${which}: ask for more rights`;
  }
  if (location !== undefined) return "put that address into the config";
  if (status === 404 || status === 405)
    return "check the path of the url: it is often /mcp or /sse";
  if (status === 407) return "the proxy asks for credentials: check HTTPS_PROXY";
  if (status === 429) return "the server takes no more requests for now: wait, then try again";
  if (status >= 500) return "the server is out of order: try again later, or look at its log";
  return "check the url and the headers in the config";
}

function exitAdvice({ exitCode, signal }: PeerEofFailure, found: Case): Advice {
  const details = stderrLines(found.connection);
  if (found.server.kind === "remote") {
    return { details, fix: "the server closed the connection; look at its log" };
  }
  if (signal !== null) {
    return { details, fix: `something ended it with ${signal}: out of memory?${byHand(found)}` };
  }
  const why =
    exitCode === 0
      ? "it ended by itself: many servers need an argument, such as stdio, to keep running"
      : details.length > 0
        ? "mend what its stderr says"
        : "it wrote nothing to stderr: see what it says by hand";
  return { details, fix: `${why}${byHand(found)}` };
}

function timeoutAdvice(timeoutMs: number, found: Case): Advice {
  const { connection, server, timing } = found;
  const spent = timing === undefined ? [] : [`took ${timingText(timing)}`];
  const budget = `its budget is ${seconds(timeoutMs)}; it did not get further than ${connection.phase}`;
  const longer = `"timeout": ${Math.max(60_000, 2 * timeoutMs)}`;
  const first = /^(?:npx|uvx|docker|bunx|pipx)$/.test(server.argv?.[0] ?? "")
    ? "start it once by hand, for the first start downloads the server"
    : "see whether it answers at all";
  return {
    details: [budget, ...spent, ...stderrLines(connection), ...junkLines(connection)],
    fix: `give it more time with ${longer} (milliseconds), or ${first}${byHand(found)}`,
  };
}

function stderrLines({ stderr }: Unconnected): readonly string[] {
  return stderr.slice(-10).map((line) => `stderr: ${line}`);
}

/** A server that logs to stdout, where only messages belong, is a common cause of silence. */
function junkLines({ notes }: Unconnected): readonly string[] {
  return notes.filter(({ code }) => code === "junk-line").map(({ detail }) => detail);
}

function byHand({ server, folder, isShowable }: Case): string {
  if (server.argv === undefined) return "";
  if (!isShowable) return ". Run the command by hand to see";
  const place = folder === "." ? "" : ` in ${folder}`;
  return `. Run it by hand${place}: ${server.argv.map(shellWord).join(" ")}`;
}
