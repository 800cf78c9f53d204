import { closeSync, fstatSync, openSync, statSync } from "node:fs";

/*
 * When a process closes a file, the system takes away all locks that the process has on it, those of its other descriptors too
 * (POSIX, fcntl). SQLite keeps to that; who opens and closes a database beside it would give up its locks unawares, and the next
 * program that closes the database would take itself for the last one and remove the log that this process still writes to.
 * Connections outlive their end until they are collected, so a process never knows that it has none left.
 */

/** The databases that this process has connected to, each with a descriptor once it was read beside SQLite. */
const connected = new Map<string, number | undefined>();

export function registerConnection(path: string): void {
  const key = keyOf(path);
  if (!connected.has(key)) connected.set(key, undefined);
}

/** Reads of a file. Its descriptor stays open, as long as the file has a name, where closing it would cost locks. */
export function readKeepingLocks<Result>(path: string, read: (file: number) => Result): Result {
  dropDeleted();
  const key = keyOf(path);
  const file = connected.get(key) ?? openSync(path, "r");
  try {
    return read(file);
  } finally {
    if (connected.has(key)) connected.set(key, file);
    else closeSync(file);
  }
}

function keyOf(path: string): string {
  const { dev, ino } = statSync(path, { bigint: true });
  return `${dev}.${ino}`;
}

function dropDeleted(): void {
  for (const [key, file] of connected) {
    if (file === undefined || fstatSync(file).nlink > 0) continue;
    connected.delete(key);
    closeSync(file);
  }
}
