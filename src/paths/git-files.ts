import { existsSync, lstatSync, readdirSync, readFileSync, readlinkSync, statSync } from "node:fs";
import { isReadable } from "./is-readable.ts";

/*
 * Files of a repository, as far as they are files: a pipe or a device in the place of one would hold the reader up,
 * and a repository is somebody else's.
 */

const longestLine = 65_536;
const longestList = 67_108_864;

/** The text of a file of one or a few lines, without blanks around it; undefined when there is no such file. */
export function smallFile(path: string): string | undefined {
  return fileUpTo(path, longestLine)?.toString("utf8").trim();
}

/** A file that may hold a line for every branch and tag, as bytes: a text of so many lines takes seconds to make. */
export function listFile(path: string): Buffer | undefined {
  return fileUpTo(path, longestList);
}

function fileUpTo(path: string, maxBytes: number): Buffer | undefined {
  if (!isReadable(path)) return undefined;
  const found = statSync(path);
  return found.isFile() && found.size <= maxBytes ? readFileSync(path) : undefined;
}

export function isFolder(path: string): boolean {
  return existsSync(path) && statSync(path).isDirectory();
}

/** Names in a folder; none when there is no such folder. */
export function namesIn(folder: string): string[] {
  return isFolder(folder) && isReadable(folder) ? readdirSync(folder) : [];
}

/** Where a symbolic link points, as it is written; undefined for what is no link. */
export function linkTarget(path: string): string | undefined {
  const found = lstatSync(path, { throwIfNoEntry: false });
  return found?.isSymbolicLink() === true ? readlinkSync(path) : undefined;
}
