import { statSync } from "node:fs";

/**
 * The inode of the file at a path; it stays with the file when the name is given to another. Undefined if there is
 * none. A bigint, because some file systems use numbers that a JavaScript number cannot represent.
 */
export function inodeOf(path: string): bigint | undefined {
  return statSync(path, { bigint: true, throwIfNoEntry: false })?.ino;
}

/**
 * Identifies the file or folder at a path (device and inode), to tell it from others at the same path; undefined if
 * there is none.
 */
export function fileIdentity(path: string): string | undefined {
  const status = statSync(path, { bigint: true, throwIfNoEntry: false });
  return status && `${status.dev} ${status.ino}`;
}
