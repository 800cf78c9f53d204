import { pathToFileURL } from "node:url";
import Database from "libsql";

/* How whole database files are opened. If other processes have the file open, their locks are waited for. */

const busyTimeoutMs = 5_000;

/** For reading only: with this URI SQLite leaves a log that it finds alone. */
export function openForReading(path: string): Database.Database {
  return open(path, "ro");
}

/**
 * For reading and writing. Not by its bare path: SQLite would create an empty database if there is none, and remove a
 * leftover log.
 */
export function openExisting(path: string): Database.Database {
  return open(path, "rw");
}

function open(path: string, mode: "ro" | "rw"): Database.Database {
  return new Database(`${pathToFileURL(path).href}?mode=${mode}`, { timeout: busyTimeoutMs });
}
