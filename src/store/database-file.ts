import { chmodSync, rmSync } from "node:fs";
import { fsyncFileSync } from "../paths/fsync.ts";
import { inodeOf } from "../paths/inode.ts";
import { renameOverSync } from "../paths/rename-over.ts";
import { damagedStore } from "./damage.ts";
import { meansDamage, storeFault } from "./faults.ts";
import { refuseUnfitFile } from "./file-header.ts";
import { applicationId, foreignStore } from "./migrate.ts";
import type { SqlRow, SqlValue } from "./sql.ts";
import { openExisting, openForReading } from "./whole-file.ts";

/* Long, synchronous work on whole database files: each function blocks its thread until it is done. */

/**
 * Writes a compacted copy of a database that may be in use. The copy gets its name only when it is complete. Errors:
 * disk_full, store_damaged.
 */
export function copyDatabase(from: string, to: string): void {
  const unfinished = `${to}.part`;
  rmSync(unfinished, { force: true });
  if (inodeOf(from) === undefined)
    throw damagedStore(from, "was removed while it was in use; nothing was copied");
  const database = openExisting(from);
  let isWhole = false;
  try {
    database.prepare("VACUUM INTO ?").run([unfinished]);
    chmodSync(unfinished, 0o600);
    fsyncFileSync(unfinished);
    renameOverSync(unfinished, to);
    isWhole = true;
  } catch (error) {
    // Damage was found in the source; a lack of space concerns the copy.
    throw storeFault(error, meansDamage(error) ? from : to);
  } finally {
    database.close();
    // On a full disk SQLite also leaves its journal behind.
    if (!isWhole) for (const left of [unfinished, `${unfinished}-journal`]) rmSync(left, { force: true });
  }
}

/** Number of rows by table; 0 for a table that the file does not have. */
export type RowCounts = Readonly<Record<string, number>>;

/**
 * Reads rows from a database file that nobody writes to; no rows if the table does not exist. Errors: store_damaged.
 */
export function rowsInFile<Row = SqlRow>(
  path: string,
  table: string,
  text: string,
  args: readonly SqlValue[],
): Row[] {
  const database = openForReading(path);
  try {
    const tables = database
      .prepare("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?")
      .all([table]);
    // The caller states the shape of the rows beside its SELECT; it cannot be checked here.
    return tables.length === 0 ? [] : (database.prepare(text).all([...args]) as Row[]);
  } catch (error) {
    throw storeFault(error, path);
  } finally {
    database.close();
  }
}

/** Checks a whole database file and counts the rows of some tables. Errors: store_damaged, store_newer. */
export function inspectDatabase(path: string, knownVersion: number, tables: readonly string[]): RowCounts {
  refuseUnfitFile(path, knownVersion);
  const database = openForReading(path);
  try {
    const [finding] = database.prepare("PRAGMA integrity_check(1)").all([]) as { integrity_check: string }[];
    if (finding?.integrity_check !== "ok") throw damagedStore(path, "is damaged");
    const [application] = database.prepare("PRAGMA application_id").all([]) as { application_id: number }[];
    if (application?.application_id !== applicationId) throw foreignStore(path);
    const present = database.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all([]) as {
      name: string;
    }[];
    const names = new Set(present.map(({ name }) => name));
    const counts = tables.map((table): [string, number] => {
      if (!names.has(table)) return [table, 0];
      const [counted] = database.prepare(`SELECT count(*) AS n FROM "${table}"`).all([]) as { n: number }[];
      return [table, counted?.n ?? 0];
    });
    return Object.fromEntries(counts);
  } catch (error) {
    throw storeFault(error, path);
  } finally {
    database.close();
  }
}
