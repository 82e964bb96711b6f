/**
 * The values of one server that text about it must not show.
 */
import type { ServerConfig } from "./server.ts";

/** A value to hide, and the name to show instead. */
export interface Secret {
  readonly name: string;
  readonly value: string;
}

/** Of an expanded server: its variables' values first, then its headers, then its env; each once. */
export function serverSecrets(values: readonly Secret[], server: ServerConfig): readonly Secret[] {
  const headers = Object.entries(server.headers ?? {}).flatMap(([name, value]) => [
    { name, value },
    ...credentialsOf(value).map((credentials) => ({ name, value: credentials })),
  ]);
  const env = Object.entries(server.env ?? {}).flatMap(([name, value]) =>
    value === null ? [] : [{ name, value }],
  );
  const all = [...values, ...headers, ...env].filter(({ value }) => value !== "");
  return [...new Map(all.map((secret) => [JSON.stringify(secret), secret])).values()];
}

/** A peer that echoes a bearer token does so without the word before it. */
function credentialsOf(header: string): string[] {
  const credentials = /^[A-Za-z][A-Za-z0-9-]* +(\S.*)$/.exec(header)?.[1];
  return credentials === undefined ? [] : [credentials];
}
