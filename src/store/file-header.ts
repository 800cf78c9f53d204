import { readSync } from "node:fs";
import { MemsvcError } from "../operation/errors.ts";
import { fileSize } from "../paths/file-size.ts";
import { damagedStore } from "./damage.ts";
import { readKeepingLocks } from "./lock-safe-read.ts";
import { applicationId, foreignStore, newerStore } from "./migrate.ts";

/*
 * The first hundred bytes of a database, read before SQLite sees the file: SQLite moves a write-ahead log that
 * it finds into the database, and a file of another or of a newer program is not ours to change. What is
 * written there may be older than what the log holds, so this refuses only what is certain.
 * Offsets: https://www.sqlite.org/fileformat.html#the_database_header
 */

const headerBytes = 100;
const magic = "SQLite format 3\0";
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
  if (header.byteLength < headerBytes || header.toString("latin1", 0, magic.length) !== magic) {
    throw damagedStore(path, "is damaged or is not a memsvc database");
  }
  const application = header.readUInt32BE(applicationIdAt);
  // 0 is also what stands there while another process makes the store: its schema is still in the log.
  if (application !== applicationId && application !== 0) throw foreignStore(path);
  if (application === 0) return;
  const version = header.readUInt32BE(userVersionAt);
  if (version > knownVersion) throw newerStore(path, version, knownVersion);
  const wholeBytes = lengthOf(header);
  // With a log beside it the file may be on its way to that length; the size is taken after the look at the log.
  if (fileSize(`${path}-wal`) === 0 && fileSize(path) < wholeBytes) {
    throw damagedStore(path, `is cut short: it has ${fileSize(path)} of ${wholeBytes} bytes`);
  }
}

/**
 * For a file that comes in the place of one in use, which is not brought up to date on the way: throws unavailable, too, when it
 * is of an older schema.
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

/** Undefined where there is no file yet, or an empty one. */
function readHeader(path: string): Buffer | undefined {
  if (fileSize(path) === 0) return undefined;
  const header = Buffer.alloc(headerBytes);
  const length = readKeepingLocks(path, (file) => readSync(file, header, 0, headerBytes, 0));
  return header.subarray(0, length);
}

/** The file's length in bytes as its header says; 0 where the header's own marks say that it does not know. */
function lengthOf(header: Buffer): number {
  if (header.readUInt32BE(changeCounterAt) !== header.readUInt32BE(countValidForAt)) return 0;
  const pageSize = header.readUInt16BE(pageSizeAt);
  return header.readUInt32BE(pageCountAt) * (pageSize === 1 ? 65_536 : pageSize);
}
