/**
 * Where a path of a config points to, as text: this floor knows no file system.
 */

const ABSOLUTE = /^(?:[\\/]|[A-Za-z]:[\\/])/;
const HOME = /^~(?=$|[\\/])/;

/**
 * A path below a folder; an absolute one stays, a leading `~` becomes the home folder.
 *
 * Undefined when the path needs a home folder and none is known. Without a base a relative path
 * stays relative: to the process's own folder.
 */
export function joinPath(
  path: string,
  base: string | undefined,
  home: string | undefined,
): string | undefined {
  if (HOME.test(path)) return home === undefined ? undefined : `${home}${path.slice(1)}`;
  if (base === undefined || ABSOLUTE.test(path)) return path;
  if (path === "" || path === ".") return base;
  const below = path.replace(/^(?:\.[\\/]+)+/, "");
  return /[\\/]$/.test(base) ? `${base}${below}` : `${base}/${below}`;
}
