import { statSync } from "node:fs";

/**
 * The number of the file that has a name now, which it keeps when the name passes to another; undefined for none. Whole:
 * some file systems give numbers of which a JavaScript number keeps the beginning alone.
 */
export function inodeOf(path: string): bigint | undefined {
  return statSync(path, { bigint: true, throwIfNoEntry: false })?.ino;
}

/** What tells a file or folder from every other that has been at its path; undefined where there is none. */
export function fileIdentity(path: string): string | undefined {
  const status = statSync(path, { bigint: true, throwIfNoEntry: false });
  return status && `${status.dev} ${status.ino}`;
}
