import { readdirSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { isMemsvcError, MemsvcError } from "../operation/errors.ts";
import { openForReading } from "./whole-file.ts";

/** The error for a database that must not be written to. The hint names its newest snapshot. */
export function damagedStore(path: string, finding: string, cause?: unknown): MemsvcError {
  const folder = snapshotsBeside(path);
  const newest = newestSnapshot(folder);
  const hint =
    newest === undefined
      ? `there is no snapshot in ${folder}; move the file and its -wal and -shm away to start afresh`
      : `the newest snapshot is ${newest}; move the file and its -wal and -shm away and copy that to its place`;
  return new MemsvcError("store_damaged", `${path} ${finding}`, { hint, cause });
}

/** The folder with the snapshots of a database. */
export function snapshotsBeside(path: string): string {
  return join(dirname(path), "snapshots");
}

/**
 * Whether an error says that a page of the database at that path is damaged. Recognised by its message, because errors
 * that come from a thread keep nothing else.
 */
export function isDamagedPageError(error: unknown, path: string): boolean {
  return isMemsvcError(error, "store_damaged") && error.message.startsWith(`${path} is damaged`);
}

/**
 * Reads every page of a database file and checks the structure. The time it takes grows with the file, so it is for a
 * store whose last writer did not end properly. Errors: store_damaged, the driver's.
 */
export function checkPages(path: string): void {
  const database = openForReading(path);
  try {
    const rows = database.prepare("PRAGMA quick_check(1)").all([]) as { quick_check: string }[];
    const finding = rows[0]?.quick_check;
    if (finding !== "ok") throw damagedStore(path, `is damaged: ${lineOf(finding)}`);
  } finally {
    database.close();
  }
}

/** SQLite's finding on one line, without the heading that names the database. */
function lineOf(finding = "its check gave no answer"): string {
  return finding.replace(/^\*\*\* in database main \*\*\*\n/u, "").replaceAll("\n", "; ");
}

function newestSnapshot(folder: string): string | undefined {
  const copies = filesIn(folder).filter((name) => name.endsWith(".db"));
  const dated = copies.map((name) => {
    const file = join(folder, name);
    return { file, time: statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0 };
  });
  return dated.sort((one, other) => other.time - one.time)[0]?.file;
}

function filesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    // No folder, no snapshots.
    return [];
  }
}
