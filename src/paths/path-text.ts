import { posix } from "node:path";

/* Paths as stored texts: of any operating system, whether or not they exist here. */

export function isAbsolute(path: string): boolean {
  return /^(?:[/\\]|[a-z]:(?:[/\\]|$))/iu.test(path);
}

/**
 * Normalises a path: forward slashes, no `.` or `..`, Unicode in NFC (macOS reports names decomposed). A relative path
 * starts from `root`, if given.
 */
export function fullPath(path: string, root: string | undefined): string {
  const plain = path.replaceAll("\\", "/");
  const whole = isAbsolute(plain) || root === undefined ? plain : `${root.replaceAll("\\", "/")}/${plain}`;
  return withSmallDrive(posix.normalize(whole.normalize("NFC")));
}

/** The prefix of all full paths below a folder: the folder with one trailing slash. */
export function folderPrefix(folder: string): string {
  return `${fullPath(folder, undefined)}/`.replace(/\/+$/u, "/");
}

/** The last segment of a path with forward slashes; the root stays as it is. */
export function lastSegment(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1) || path;
}

/** A Windows path from a URL, without its leading slash: `/c:/Users` becomes `c:/Users`. */
export function withDriveFirst(path: string): string {
  return path.replace(/^\/(?=[A-Za-z]:(?:\/|$))/u, "");
}

/** The path with its drive letter in lower case, because tools on Windows write it either way. */
export function withSmallDrive(path: string): string {
  return path.replace(/^[A-Z]:/u, (drive) => drive.toLowerCase());
}
