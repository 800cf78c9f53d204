import { statSync } from "node:fs";

/**
 * The number of the file that has a name now, which it keeps when the name passes to another; undefined for none. Whole:
 * some file systems give numbers of which a JavaScript number keeps the beginning alone.
 */
export function inodeOf(path: string): bigint | undefined {
  return statSync(path, { bigint: true, throwIfNoEntry: false })?.ino;
}
