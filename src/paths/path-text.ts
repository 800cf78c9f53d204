import { posix } from "node:path";

/* Paths as texts, of whatever system and whether or not they are there: what is stored of files and folders. */

export function isAbsolute(path: string): boolean {
  return /^(?:[/\\]|[a-z]:(?:[/\\]|$))/iu.test(path);
}

/**
 * A path with forward slashes and without `.` and `..`; a relative one starts from the root, if there is one. Its
 * letters are composed: macOS gives them apart.
 */
export function fullPath(path: string, root: string | undefined): string {
  const plain = path.replaceAll("\\", "/");
  const whole = isAbsolute(plain) || root === undefined ? plain : `${root.replaceAll("\\", "/")}/${plain}`;
  return withSmallDrive(posix.normalize(whole.normalize("NFC")));
}

/** What the full paths of everything below a folder begin with: the folder with one slash behind it. */
export function folderPrefix(folder: string): string {
  return `${fullPath(folder, undefined)}/`.replace(/\/+$/u, "/");
}

/** The name of a file or folder with forward slashes; the root is called by its path. */
export function lastSegment(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1) || path;
}

/** A Windows path as it is without the slash that it has in a URL: `/c:/Users` is `c:/Users`. */
export function withDriveFirst(path: string): string {
  return path.replace(/^\/(?=[A-Za-z]:(?:\/|$))/u, "");
}

/** The letter of a drive in lower case: on Windows tools write it either way. */
export function withSmallDrive(path: string): string {
  return path.replace(/^[A-Z]:/u, (drive) => drive.toLowerCase());
}
