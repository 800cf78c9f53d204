import { chmodSync, existsSync, rmSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { MemsvcError } from "../operation/errors.ts";
import { makeFolder } from "../paths/make-folder.ts";
import { removeUnfinished } from "../paths/remove-unfinished.ts";
import { renameOverSync } from "../paths/rename-over.ts";
import type { Driver } from "./driver.ts";
import type { Migration } from "./migrations.ts";
import { firstNumber, firstRow, hasRow, type Sql } from "./sql.ts";

/** The number of migrations that this program knows; a database keeps its own number in `user_version`. */
export const schemaVersion = 13;

/** "msvc" in ASCII; marks an SQLite file as a store of this program. */
export const applicationId = 0x6d737663;

interface MigrateOptions {
  readonly path: string;
  /** Where a copy of an older store is put before it is migrated; undefined if the database is itself a copy. */
  readonly snapshotsFolder: string | undefined;
  readonly readMigrations: () => Migration[];
  readonly currentVersion?: number;
}

/**
 * Migrates a database to this program's schema in one transaction under the write lock, so that several processes may
 * start at once. A database of a newer version is refused and left untouched.
 */
export async function migrate(
  driver: Pick<Driver, "kind" | "reader" | "begin">,
  options: MigrateOptions,
): Promise<void> {
  const target = options.currentVersion ?? schemaVersion;
  const before = await storedVersion(driver.reader);
  refuseForeign(driver, before, target, options.path);
  const isUpToDate = before.version === target;
  if (driver.kind === "file") {
    if (!isUpToDate && before.version > 0) await copyBefore(driver.reader, before.version, options);
    await chooseWriteAheadLog(driver.reader, options.path);
  }
  if (isUpToDate) return;
  const open = await driver.begin();
  try {
    // Checked again under the lock: another process, perhaps of a newer version, may have migrated it meanwhile.
    const locked = await storedVersion(open);
    refuseForeign(driver, locked, target, options.path);
    const migrations = options.readMigrations();
    for (const migration of migrations.slice(locked.version, target)) {
      for (const statement of migration.statements) await open.run(statement);
    }
    if (driver.kind === "file") await open.run(`PRAGMA application_id = ${applicationId}`);
    await open.run(`PRAGMA user_version = ${target}`);
    await open.commit();
  } catch (error) {
    await open.rollback();
    throw error;
  }
}

/** Whether the database is a store with this program's schema. */
export async function isCurrent(sql: Sql): Promise<boolean> {
  const { version, application } = await storedVersion(sql);
  return version === schemaVersion && application === applicationId;
}

interface StoredVersion {
  readonly version: number;
  readonly application: number;
  readonly isEmpty: boolean;
}

async function storedVersion(sql: Sql): Promise<StoredVersion> {
  return {
    version: await firstNumber(sql, "PRAGMA user_version"),
    application: await firstNumber(sql, "PRAGMA application_id"),
    isEmpty: !(await hasRow(sql, "SELECT 1 FROM sqlite_master WHERE name NOT LIKE 'libsql%' LIMIT 1")),
  };
}

/** A store restored from a snapshot is not in WAL mode, because VACUUM INTO writes copies in rollback-journal mode. */
export async function chooseWriteAheadLog(sql: Sql, path: string): Promise<void> {
  const modeAfter = async (pragma: string) =>
    (await firstRow<{ journal_mode: string }>(sql, pragma))?.journal_mode;
  if ((await modeAfter("PRAGMA journal_mode")) === "wal") return;
  if ((await modeAfter("PRAGMA journal_mode = WAL")) === "wal") return;
  throw new MemsvcError("store_damaged", `the folder of ${path} does not support a write-ahead log`, {
    hint: "put the home on a local disk (MEMSVC_HOME); network folders do not work",
  });
}

/** A server has no application id, so there a schema version has to do. */
function refuseForeign(
  { kind }: Pick<Driver, "kind">,
  found: StoredVersion,
  known: number,
  path: string,
): void {
  const isOurs = kind === "file" ? found.application === applicationId : found.version > 0;
  if (!found.isEmpty && !isOurs) throw foreignStore(path);
  if (found.version > known) throw newerStore(path, found.version, known);
}

export function foreignStore(path: string): MemsvcError {
  return new MemsvcError("store_damaged", `${path} is a database of another program`, {
    hint: "choose another home with --home or MEMSVC_HOME",
  });
}

export function newerStore(path: string, found: number, known: number): MemsvcError {
  return new MemsvcError(
    "store_newer",
    `${path} was written by a newer memsvc (schema ${found}, this program knows ${known}); it was left untouched`,
    { hint: [updateHint, ...wayBack(path, known)].join(", or ") },
  );
}

export const updateHint = "update memsvc: git pull && npm install in its checkout";

/** How to undo the migration, if its copy is there. */
function wayBack(path: string, known: number): string[] {
  const copy = join(dirname(path), "snapshots", preMigrationName(known));
  if (!existsSync(copy)) return [];
  // A log of the newer store would be applied to the copy.
  return [
    `lose what was stored since the update: delete ${path}-wal if it exists, and copy ${copy} over ${path}`,
  ];
}

function preMigrationName(version: number): string {
  return `pre-migration-${version}.db`;
}

/**
 * Keeps a copy of the store as it was before a migration. The copy is renamed only when complete, so that a crash or a
 * second process leaves no partial copy. An existing copy is kept, unless the store was written to since: an older
 * version of the program may have continued with it.
 */
async function copyBefore(
  sql: Sql,
  version: number,
  { path, snapshotsFolder: folder }: Pick<MigrateOptions, "path" | "snapshotsFolder">,
): Promise<void> {
  if (folder === undefined) return;
  makeFolder(folder);
  await removeUnfinished(
    folder,
    (name) => unfinishedCopy.test(name),
    (name) => Number(unfinishedCopy.exec(name)?.[1]),
  );
  const copy = join(folder, preMigrationName(version));
  if (changedMs(copy) > Math.max(changedMs(path), changedMs(`${path}-wal`))) return;
  const unfinished = `${copy}.${process.pid}`;
  try {
    await sql.run("VACUUM INTO ?", [unfinished]);
    chmodSync(unfinished, 0o600);
    // A changed version means that another process has migrated the store, and this copy may be of the migrated one.
    if ((await storedVersion(sql)).version === version) renameOverSync(unfinished, copy);
  } finally {
    rmSync(unfinished, { force: true });
  }
}

/** An unfinished copy, with the id of the process that makes it, or SQLite's journal of it. */
const unfinishedCopy = /^pre-migration-\d+\.db\.(\d+)(?:-journal)?$/u;

/** Modification time in milliseconds; 0 if the file does not exist. */
function changedMs(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}
