import type { Driver } from "./driver.ts";
import { refuseUnfitFile } from "./file-header.ts";
import { LocalDriver } from "./local-driver.ts";
import { chooseWriteAheadLog, isCurrent, migrate, schemaVersion } from "./migrate.ts";
import { readMigrations } from "./migrations.ts";
import { retryWhileBusy } from "./retry-while-busy.ts";

/** Brings a database's schema up to date, once it is not busy. Errors: those of migrate(). */
export function migrateStore(
  driver: Driver,
  path: string,
  snapshotsFolder: string | undefined,
): Promise<void> {
  return retryWhileBusy(driver, () => migrate(driver, { path, snapshotsFolder, readMigrations }));
}

/**
 * Switches a store that another program has put in this one's place to the write-ahead log, once it is not busy: copies
 * that SQLite makes have none, and then whoever reads for long keeps all writers waiting.
 */
export function useWriteAheadLog(driver: Driver, path: string): Promise<void> {
  return retryWhileBusy(driver, async () => {
    if (await isCurrent(driver.reader)) await chooseWriteAheadLog(driver.reader, path);
  });
}

/** Migrates a database that nobody uses to this program's schema, and leaves its log empty. */
export async function modernise(path: string): Promise<void> {
  refuseUnfitFile(path, schemaVersion);
  const driver = new LocalDriver({ path, durability: "full" });
  try {
    await migrateStore(driver, path, undefined);
    const [moved] = await driver.reader.all<{ busy: number }>("PRAGMA wal_checkpoint(TRUNCATE)");
    if (moved?.busy !== 0) throw new Error("the log of a database that nobody uses could not be emptied");
  } finally {
    driver.close();
  }
}
