import { chmodSync, renameSync, rmSync } from "node:fs";
import { fsyncFileSync } from "../paths/fsync.ts";
import { inodeOf } from "../paths/inode.ts";
import { damagedStore } from "./damage.ts";
import { meansDamage, storeFault } from "./faults.ts";
import { refuseUnfitFile } from "./file-header.ts";
import { applicationId, foreignStore } from "./migrate.ts";
import type { SqlRow, SqlValue } from "./sql.ts";
import { openExisting, openForReading } from "./whole-file.ts";

/* Long work on whole database files; each of these keeps its thread until it is done. */

/** Writes a compacted copy of a database that may be in use. The copy gets its name when it is whole. Errors: disk_full, store_damaged. */
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
    renameSync(unfinished, to);
    isWhole = true;
  } catch (error) {
    // What is damaged is what was read, which is copied back from a snapshot; what there is no room for is the copy.
    throw storeFault(error, meansDamage(error) ? from : to);
  } finally {
    database.close();
    // On a full disk SQLite leaves its journal, too.
    if (!isWhole) for (const left of [unfinished, `${unfinished}-journal`]) rmSync(left, { force: true });
  }
}

/** How many rows the tables have that were asked for; one that the file does not have, 0. */
export type RowCounts = Readonly<Record<string, number>>;

/** Asks a database file that nobody writes to for rows; none where it does not have the table. Errors: store_damaged. */
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
    // The caller states the row's shape beside the SELECT that makes it; nothing at run time could know it.
    return tables.length === 0 ? [] : (database.prepare(text).all([...args]) as Row[]);
  } catch (error) {
    throw storeFault(error, path);
  } finally {
    database.close();
  }
}

/** Reads through the whole of a database file. Errors: store_damaged, store_newer. */
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
