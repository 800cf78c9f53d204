import { posix } from "node:path";

/** A path as it is compared: forward slashes, without `.` and `..`, relative to the folder when it lies below it. */
export function comparablePath(path: string, cwd: string | undefined): string {
  const plain = posix.normalize(path.replaceAll("\\", "/")).replace(/^\.\//u, "");
  const folder =
    cwd === undefined ? undefined : posix.normalize(cwd.replaceAll("\\", "/")).replace(/\/$/u, "");
  return folder !== undefined && plain.startsWith(`${folder}/`) ? plain.slice(folder.length + 1) : plain;
}

/** Whether two comparable paths name the same file: equal, or one ends with all the segments of the other. */
export function isSameFile(a: string, b: string): boolean {
  return a === b || a.endsWith(`/${b}`) || b.endsWith(`/${a}`);
}
