import { statSync } from "node:fs";

/** The number of the file that has a name now, which it keeps when the name passes to another; undefined for none. */
export function inodeOf(path: string): number | undefined {
  return statSync(path, { throwIfNoEntry: false })?.ino;
}
