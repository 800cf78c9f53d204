import { readdirSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { MemsvcError } from "../operation/errors.ts";
import { firstRow, type Sql } from "./sql.ts";

/** The error of a database that is not to be written to. The hint says where its newest snapshot is. */
export function damagedStore(path: string, finding: string, cause?: unknown): MemsvcError {
  const folder = join(dirname(path), "snapshots");
  const newest = newestSnapshot(folder);
  const hint =
    newest === undefined
      ? `there is no snapshot in ${folder}; move the file and its -wal and -shm away to start afresh`
      : `the newest snapshot is ${newest}; move the file and its -wal and -shm away and copy that to its place`;
  return new MemsvcError("store_damaged", `${path} ${finding}`, { hint, cause });
}

/**
 * Reads every page of the database and looks at how they hang together, without writing. It takes time in
 * proportion to the file, so it is for a store whose last writer did not come to its end. Error: store_damaged.
 */
export async function checkPages(sql: Sql, path: string): Promise<void> {
  const row = await firstRow<{ quick_check: string }>(sql, "PRAGMA quick_check(1)");
  if (row?.quick_check !== "ok") throw damagedStore(path, `is damaged: ${lineOf(row?.quick_check)}`);
}

/** SQLite says first in which database the fault is, then on a line of its own what it is. */
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
