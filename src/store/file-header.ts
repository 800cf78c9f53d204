import { readSync } from "node:fs";
import { MemsvcError } from "../operation/errors.ts";
import { fileSize } from "../paths/file-size.ts";
import { damagedStore } from "./damage.ts";
import { readKeepingLocks } from "./lock-safe-read.ts";
import { applicationId, foreignStore, newerStore } from "./migrate.ts";

/*
 * Checks the first hundred bytes of a database before SQLite opens it: SQLite would move a write-ahead log it finds
 * into the database, and a file of another program or of a newer version must not be changed. The header may be older
 * than the contents of the log, so only what is certain is refused. Offsets:
 * https://www.sqlite.org/fileformat.html#the_database_header
 */

const headerBytes = 100;
/** What every SQLite database begins with. */
export const databaseMagic = "SQLite format 3\0";
const pageSizeAt = 16;
const changeCounterAt = 24;
const pageCountAt = 28;
const userVersionAt = 60;
const applicationIdAt = 68;
const countValidForAt = 92;

/** Throws store_damaged or store_newer when the file at the path cannot be a store that this program knows. */
export function refuseUnfitFile(path: string, knownVersion: number): void {
  const header = readHeader(path);
  if (header === undefined) return;
  if (
    header.byteLength < headerBytes ||
    header.toString("latin1", 0, databaseMagic.length) !== databaseMagic
  ) {
    throw damagedStore(path, "is damaged or is not a memsvc database");
  }
  const application = header.readUInt32BE(applicationIdAt);
  // 0 also while another process is creating the store: its schema is still in the log then.
  if (application !== applicationId && application !== 0) throw foreignStore(path);
  if (application === 0) return;
  const version = header.readUInt32BE(userVersionAt);
  if (version > knownVersion) throw newerStore(path, version, knownVersion);
  const wholeBytes = lengthOf(header);
  // With a write-ahead log the file may still be growing to that length. The log is looked at before the size is taken.
  if (fileSize(`${path}-wal`) === 0 && fileSize(path) < wholeBytes) {
    throw damagedStore(path, `is cut short: it has ${fileSize(path)} of ${wholeBytes} bytes`);
  }
}

/**
 * For a file that replaces one in use and is not migrated on the way. Errors: also unavailable, if its schema is older.
 */
export function refuseOtherSchema(path: string, knownVersion: number): void {
  refuseUnfitFile(path, knownVersion);
  const header = readHeader(path);
  if (header === undefined || header.readUInt32BE(applicationIdAt) !== applicationId) return;
  const version = header.readUInt32BE(userVersionAt);
  if (version === knownVersion) return;
  throw new MemsvcError(
    "unavailable",
    `${path} was replaced by the store of an older memsvc (schema ${version}) while it was in use; nothing was written`,
    { hint: "a restart brings it up to date: memsvc daemon restart" },
  );
}

/** Undefined if the file does not exist or is empty. */
function readHeader(path: string): Buffer | undefined {
  if (fileSize(path) === 0) return undefined;
  const header = Buffer.alloc(headerBytes);
  const length = readKeepingLocks(path, (file) => readSync(file, header, 0, headerBytes, 0));
  return header.subarray(0, length);
}

/** The file's length in bytes according to its header; 0 if the header itself marks that as outdated. */
function lengthOf(header: Buffer): number {
  if (header.readUInt32BE(changeCounterAt) !== header.readUInt32BE(countValidForAt)) return 0;
  const pageSize = header.readUInt16BE(pageSizeAt);
  return header.readUInt32BE(pageCountAt) * (pageSize === 1 ? 65_536 : pageSize);
}
