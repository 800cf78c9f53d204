import { posix } from "node:path";

/** A folder as the names on the way to it. */
export type FolderPath = readonly string[];

export function folderPath(folder: string): FolderPath {
  return names(fullPath(folder, undefined));
}

/**
 * A path with forward slashes and without `.` and `..`; a relative one starts from the root, if there is one. Its
 * letters are composed: macOS gives them apart.
 */
export function fullPath(path: string, root: string | undefined): string {
  const plain = path.replaceAll("\\", "/");
  const whole = isAbsolute(plain) || root === undefined ? plain : `${root.replaceAll("\\", "/")}/${plain}`;
  return posix.normalize(whole.normalize("NFC")).replace(/^[A-Z]:/u, (drive) => drive.toLowerCase());
}

/** What the full paths of everything below a folder begin with: the folder with one slash behind it. */
export function folderPrefix(folder: string): string {
  return `${fullPath(folder, undefined)}/`.replace(/\/+$/u, "/");
}

/** How many steps, up and down, lead from the file's folder to the folder; 0 for a file in it. */
export function folderSteps(file: string, folder: FolderPath): number {
  const home = names(file).slice(0, -1);
  let common = 0;
  while (common < home.length && common < folder.length && home[common] === folder[common]) common += 1;
  return home.length + folder.length - 2 * common;
}

export function isAbsolute(path: string): boolean {
  return /^(?:[/\\]|[a-z]:(?:[/\\]|$))/iu.test(path);
}

function names(path: string): string[] {
  return path.split("/").filter((name) => name !== "");
}
