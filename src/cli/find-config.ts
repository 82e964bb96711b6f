/**
 * Where a config is looked for when none is given.
 */
import { statSync } from "node:fs";
import { join } from "node:path";

/** The usual places, in the order in which they are looked at; relative to the current folder. */
export const USUAL_PLACES: readonly string[] = [
  "mcp.json",
  ".mcp.json",
  ".vscode/mcp.json",
  ".cursor/mcp.json",
];

/** The usual places below a folder that hold a file; the first is the one to use. */
export function findConfigs(folder: string): readonly string[] {
  return USUAL_PLACES.filter((place) => isFile(join(folder, place)));
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}
