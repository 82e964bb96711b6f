/**
 * How to mend each thing that reading a config can find: one line for every code.
 */
import type { Diagnostic, DiagnosticCode } from "../index.ts";

/** What to do about a finding of a config. */
export function wayOut(diagnostic: Diagnostic): string {
  const { code, hint, didYouMean } = diagnostic;
  if (hint !== undefined) return hint;
  if (didYouMean !== undefined) return `write "${didYouMean}"`;
  if (code === "undefined-variable") return variableWayOut(diagnostic.message);
  return WAYS_OUT[code];
}

/** Names the variable, so that the line can be copied. */
function variableWayOut(message: string): string {
  const name = /environment variable ([A-Za-z_][A-Za-z0-9_]*)/.exec(message)?.[1];
  if (name === undefined) return WAYS_OUT["undefined-variable"];
  return `set it (export ${name}=…), or give it a default: \${${name}:-…}`;
}

const WAYS_OUT: Readonly<Record<DiagnosticCode, string>> = {
  syntax: "mend the JSON at this place",
  "too-deep": "a config needs four levels; look for a bracket that is never closed",
  bom: 'save the file as "UTF-8" without a byte order mark, for hosts that insist on it',
  "not-strict-json": "nothing, unless another host reads this file too",
  "duplicate-key": "keep one of the two, or give one another name",
  "wrong-type": "write a value of the expected type",
  "no-servers": 'put the servers into {"mcpServers": {"NAME": {…}}}',
  "empty-servers": 'add a server: {"mcpServers": {"NAME": {"command": "PROGRAM", "args": []}}}',
  "multiple-wrappers": "move all servers into one of the two",
  "server-list": 'write {"NAME": {…}} in place of [{"name": "NAME", …}]',
  "missing-name": 'give the entry a "name"',
  "empty-name": "give the server a name",
  "name-collision": "rename one of the two servers",
  "missing-command-or-url": 'add "command" for a local server, or "url" for a remote one',
  "missing-command": 'add "command", or change "type"',
  "missing-url": 'add "url", or change "type"',
  "empty-command": "write the program to start",
  "empty-url": "write the address of the server",
  "both-command-and-url": 'remove one of them, or add "type": "stdio" or "type": "http"',
  "unknown-type": 'write "stdio", "http" or "sse", or leave "type" out',
  "unsupported-transport": "ask the server for an http or https address",
  "invalid-url": "write a whole address, such as https://example.com/mcp",
  "invalid-header": "a header is a name of letters, digits and - with a value on one line",
  "invalid-env-name": "a variable's name is not empty and holds no = and no NUL",
  "nul-character": "remove the NUL character",
  "undefined-variable": "set the variable, or give it a default: ${NAME:-…}",
  "unresolved-input":
    "write ${NAME} and set that environment variable: nobody is asked for inputs here",
  "unsupported-variable": "write the value, or ${NAME} and set that environment variable",
  "unreadable-file": "check that the file exists and may be read",
  "nested-variable": "set the outer variable in place of the default",
  "bare-dollar": "write ${NAME} when the variable's value is meant",
  "tilde-not-expanded": "write ${userHome} for your home folder",
  "timeout-not-positive": "write milliseconds, such as 30000",
  "timeout-too-large": "write milliseconds, such as 30000",
  "timeout-suspicious": "write milliseconds: 60000 is one minute",
  "coerced-value": "write the value in the expected type",
  "null-value": "remove the member, or give it a value",
  "unknown-key": 'remove it; a note for people may start with "_"',
  "unsupported-key": "remove it, or do what the message says",
  "ignored-key": 'remove it, or check "type"',
  "conflicting-keys": "keep one of the two",
  "nested-transport": "move the members of transport one level up",
  "legacy-command-object": 'write "command": "PROGRAM" and "args": […]',
  "env-list": 'write "env": {"NAME": "VALUE"}',
  "args-after-command-array": 'write "command": "PROGRAM" and all arguments into "args"',
  "command-has-spaces": 'write the program into "command" and its arguments into "args"',
  "empty-allow-list": "remove the list for all tools, or name those to allow",
  "surrounding-whitespace": "remove the blank",
  "plain-text-secret":
    "write ${NAME} here and set that environment variable; change the credential if others saw it",
  "placeholder-value": "write your own value, or ${NAME} and set that environment variable",
  "insecure-url": "use https, or a server on this machine",
};
