import { closeSync, fstatSync, openSync, statSync } from "node:fs";
import { isMainThread } from "node:worker_threads";

/*
 * When a process closes a file, the system drops all of that process's POSIX locks on it, including those held through
 * other descriptors. SQLite takes care of that for its own descriptors. If this program opened and closed a database
 * file beside SQLite, SQLite's locks would be lost, and the next program to close the database would believe it is the
 * last one and remove the log that this process still writes to. Closed connections keep their files open until they
 * are garbage-collected, so a process never knows that it has none left. A thread that reads a database which others use
 * must be started with `trackUnmanagedFds: false`, else Node closes its descriptors when it ends.
 */

/** The databases that this thread has connected to; with a descriptor, once the file was read outside SQLite. */
const connected = new Map<string, number | undefined>();

export function registerConnection(path: string): void {
  const key = keyOf(path);
  if (!connected.has(key)) connected.set(key, undefined);
}

/** Reads a file. If closing it would drop SQLite's locks, its descriptor stays open, until the file is deleted. */
export function readKeepingLocks<Result>(path: string, read: (file: number) => Result): Result {
  dropDeleted();
  const key = keyOf(path);
  const file = connected.get(key) ?? openSync(path, "r");
  try {
    return read(file);
  } finally {
    // What other threads have connected to, this one does not know.
    if (connected.has(key) || !isMainThread) connected.set(key, file);
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
