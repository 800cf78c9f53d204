import { posix } from "node:path";
import { folderPrefix, fullPath } from "../../paths/path-text.ts";

/** A path as it is compared: forward slashes, without `.` and `..`, relative to the folder when it lies below it. */
export function comparablePath(path: string, cwd: string | undefined): string {
  const plain = fullPath(path, undefined);
  const folder = cwd === undefined ? undefined : folderPrefix(cwd);
  return folder !== undefined && plain.startsWith(folder) ? plain.slice(folder.length) : plain;
}

/** Whether two comparable paths name the same file: equal, or one ends with all the segments of the other. */
export function isSameFile(a: string, b: string): boolean {
  return a === b || a.endsWith(`/${b}`) || b.endsWith(`/${a}`);
}

/** A file's name without what it ends in: every other file ends in `.ts`, too. */
export function bareName(file: string): string {
  return posix.basename(comparablePath(file, undefined)).replace(/(?<=.)\.[^.]+$/u, "");
}
