import { pathToFileURL } from "node:url";
import Database from "libsql";

/* How work on a whole database file opens it. Other processes may have it open, too, and are waited for. */

const busyTimeoutMs = 5_000;

/** For reading only: by this address SQLite leaves a log that it finds where it is. */
export function openForReading(path: string): Database.Database {
  return open(path, "ro");
}

/** By its bare path SQLite would make an empty database where there is none, and remove the log that is left. */
export function openExisting(path: string): Database.Database {
  return open(path, "rw");
}

function open(path: string, mode: "ro" | "rw"): Database.Database {
  return new Database(`${pathToFileURL(path).href}?mode=${mode}`, { timeout: busyTimeoutMs });
}
