import { accessSync, closeSync, constants, existsSync, openSync } from "node:fs";
import { dirname } from "node:path";
import { isMemsvcError } from "../operation/errors.ts";
import { makeFolder } from "../paths/make-folder.ts";
import { checkPages, snapshotsBeside } from "./damage.ts";
import { requireFreeDescriptors } from "./descriptors.ts";
import type { Driver } from "./driver.ts";
import { forbidsWriting, storeFault } from "./faults.ts";
import { refuseUnfitFile } from "./file-header.ts";
import { LocalDriver } from "./local-driver.ts";
import { schemaVersion } from "./migrate.ts";
import { migrateStore } from "./migrate-store.ts";
import { openReadOnly } from "./read-only-driver.ts";
import { finishReplacement } from "./replacement.ts";
import { retryWhileBusy } from "./retry-while-busy.ts";

export interface DatabaseOptions {
  /** The database file; created, with its folder, if it does not exist. */
  readonly path: string;
  /** The libSQL server that holds the store instead of a file. */
  readonly server?: { readonly url: string; readonly authToken: string | undefined } | undefined;
  readonly durability: "full" | "relaxed";
  /** Whether the last run may not have ended properly: then a file is checked before it is written to. */
  readonly afterCrash?: boolean;
  /** Whether a file that cannot be written to (permissions, disk space) is opened read-only instead. */
  readonly orReadOnly?: boolean;
}

interface OpenDatabase {
  readonly driver: Driver;
  /** Where the database is, for messages. */
  readonly place: string;
}

/** Opens a database and brings its schema up to date. Errors: store_damaged, store_newer, disk_full. */
export async function openDriver(options: DatabaseOptions): Promise<OpenDatabase> {
  const { path, server, afterCrash = false } = options;
  const place = server === undefined ? path : `on ${new URL(server.url).host}`;
  const driver = server === undefined ? new LocalDriver(options) : await openServer(server);
  try {
    if (server === undefined) {
      requireFreeDescriptors(path);
      await finishReplacement(path);
      refuseUnfitFile(path, schemaVersion);
      makePrivateFile(path);
      if (afterCrash) await retryWhileBusy(driver, async () => checkPages(path));
    }
    await migrateStore(driver, path, snapshotsBeside(path));
    return { driver, place };
  } catch (error) {
    driver.close();
    const fault = storeFault(error, place);
    const mayRead = options.orReadOnly && forbidsWriting(error) && isMemsvcError(fault);
    const reading = mayRead ? await openReadOnly(path, fault) : undefined;
    if (reading === undefined) throw fault;
    return { driver: reading, place };
  }
}

async function openServer({ url, authToken }: NonNullable<DatabaseOptions["server"]>): Promise<Driver> {
  const { openRemote } = await import("./remote-driver.ts");
  return openRemote(url, authToken);
}

/**
 * Creates the database file with mode 0600, because SQLite gives its -wal and -shm files the same mode. An existing
 * file is not opened (lock-safe-read.ts).
 */
function makePrivateFile(path: string): void {
  makeFolder(dirname(path));
  if (existsSync(path)) accessSync(path, constants.W_OK);
  else closeSync(openSync(path, "a", 0o600));
}
