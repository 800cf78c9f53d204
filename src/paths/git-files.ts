import {
  closeSync,
  existsSync,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  readSync,
  statSync,
} from "node:fs";
import { isReadable } from "./is-readable.ts";

/*
 * Reads files of a git repository if they are regular files. A repository is untrusted: a pipe or a device in place of
 * a file would block the reader.
 */

const longestLine = 65_536;
const longestList = 67_108_864;

/** The trimmed text of a file of one or a few lines; undefined if there is no such file. */
export function smallFile(path: string): string | undefined {
  return fileUpTo(path, longestLine)?.toString("utf8").trim();
}

/** A file that may have a line for every branch and tag, as bytes: splitting so many lines as text takes seconds. */
export function listFile(path: string): Buffer | undefined {
  return fileUpTo(path, longestList);
}

function fileUpTo(path: string, maxBytes: number): Buffer | undefined {
  if (!isReadable(path)) return undefined;
  const found = statSync(path);
  return found.isFile() && found.size <= maxBytes ? readFileSync(path) : undefined;
}

/** The last lines of a file to which lines are appended, with the first of them cut off; empty if there is none. */
export function lastLines(path: string): string[] {
  if (!isReadable(path) || !statSync(path).isFile()) return [];
  const file = openSync(path, "r");
  try {
    const { size } = fstatSync(file);
    const end = Buffer.alloc(Math.min(size, longestLine));
    const length = readSync(file, end, 0, end.length, size - end.length);
    return end.toString("utf8", 0, length).split("\n");
  } finally {
    closeSync(file);
  }
}

export function isFolder(path: string): boolean {
  return existsSync(path) && statSync(path).isDirectory();
}

/** The names in a folder; empty if there is no such folder. */
export function namesIn(folder: string): string[] {
  return isFolder(folder) && isReadable(folder) ? readdirSync(folder) : [];
}

/** The target of a symbolic link as it is written; undefined if the path is not a link. */
export function linkTarget(path: string): string | undefined {
  const found = lstatSync(path, { throwIfNoEntry: false });
  return found?.isSymbolicLink() === true ? readlinkSync(path) : undefined;
}
