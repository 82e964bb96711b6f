/**
 * Reads a config file: the one file of this folder that touches the file system.
 */
import { readFile } from "node:fs/promises";
import { basename, dirname, resolve } from "node:path";
import { err, ok } from "../failure.ts";
import type { Failure, Result } from "../failure.ts";
import { givenParseOptions } from "./given-options.ts";
import type { ParseOptions } from "./given-options.ts";
import { parseConfig } from "./parse-config.ts";
import type { ParsedConfig } from "./server.ts";

/** Folders in which a host keeps the config of the project around them. */
const DOT_FOLDERS: ReadonlySet<string> = new Set([
  ".vscode",
  ".cursor",
  ".gemini",
  ".roo",
  ".github",
  ".agents",
]);

/**
 * The config in a file, with relative paths starting at the file's folder.
 *
 * In a dot folder of an editor (`.vscode`, `.cursor`, `.gemini`, `.roo`, `.github`, `.agents`) they
 * start at its parent. Fails with tag `config` and code `unreadable-file` when the file cannot be
 * read or is not UTF-8 (or UTF-16 with a BOM), the detail names path and system code. What the file
 * says is never a failure: it is in the config's diagnostics.
 *
 * @example
 * ```ts
 * import { loadConfigFile } from "mcp-source";
 * const config = await loadConfigFile(".vscode/mcp.json");
 * if (config.ok) config.value.servers.map((server) => server.name);
 * ```
 */
export async function loadConfigFile(
  path: string,
  options: ParseOptions = {},
): Promise<Result<ParsedConfig>> {
  // A number would be read as an open file's descriptor.
  if (typeof path !== "string") {
    return err({ tag: "invalid-argument", detail: "the path of a config file is a string" });
  }
  const bytes = await readBytes(path);
  if (!bytes.ok) return bytes;
  const text = textOf(bytes.value);
  if (text === undefined) return err(unreadable(path, "it is not UTF-8"));
  const given = givenParseOptions(options);
  return ok(
    parseConfig(text, {
      ...given,
      fileName: given.fileName ?? path,
      baseDir: given.baseDir ?? baseDirOf(path),
    }),
  );
}

async function readBytes(path: string): Promise<Result<Uint8Array>> {
  try {
    return ok(await readFile(path));
  } catch (error) {
    return err(unreadable(path, codeOf(error)));
  }
}

/** Where the relative paths of a config file start: its folder, or the parent of a dot folder. */
export function baseDirOf(path: string): string {
  const folder = dirname(resolve(path));
  return DOT_FOLDERS.has(basename(folder)) ? dirname(folder) : folder;
}

/** A BOM stays, for `parseConfig` to tell; Windows editors also write UTF-16. */
function textOf(bytes: Uint8Array): string | undefined {
  const [first, second] = bytes;
  const encoding =
    first === 0xff && second === 0xfe
      ? "utf-16le"
      : first === 0xfe && second === 0xff
        ? "utf-16be"
        : "utf-8";
  try {
    return new TextDecoder(encoding, { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function unreadable(path: string, why: string): Failure {
  return { tag: "config", code: "unreadable-file", detail: `cannot read ${path}: ${why}` };
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "unknown error";
}
