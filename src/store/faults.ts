import { accessSync, constants } from "node:fs";
import { DrizzleQueryError } from "drizzle-orm/errors";
import { isContainer } from "../json/is-object.ts";
import { isMemsvcError, MemsvcError } from "../operation/errors.ts";
import { statIfExists } from "../paths/stat-if-exists.ts";
import { errorCode } from "../system/error-code.ts";
import { damagedStore } from "./damage.ts";
import { lockHolder } from "./lock-holder.ts";

/** The query builder's errors quote the bound values, which must reach no log: only the cause is kept. */
export function unwrapQueryError(error: unknown): unknown {
  return error instanceof DrizzleQueryError ? error.cause : error;
}

/** The driver's name of a failure (`SQLITE_BUSY`, `SQLITE_FULL`, …), whichever driver raised it. */
export function sqliteCode(error: unknown): string | undefined {
  const code = codeOf(unwrapQueryError(error));
  return code?.startsWith("SQLITE_") ? code : undefined;
}

/** Result codes of SQLite (https://www.sqlite.org/rescode.html) that are handled in a special way here. */
const primaryCodes: Readonly<Record<number, string>> = {
  3: "SQLITE_PERM",
  5: "SQLITE_BUSY",
  6: "SQLITE_LOCKED",
  8: "SQLITE_READONLY",
  10: "SQLITE_IOERR",
  11: "SQLITE_CORRUPT",
  13: "SQLITE_FULL",
  14: "SQLITE_CANTOPEN",
  26: "SQLITE_NOTADB",
};

function codeOf(error: unknown): string | undefined {
  const code = isContainer(error) ? error.code : undefined;
  if (typeof code !== "string") return undefined;
  // The native module has no names for some extended codes, whose lowest byte is the primary code. If it could not open
  // a file, the code is in the message only.
  const unnamed =
    code === "" && error instanceof Error
      ? /^ConnectionFailed\(.*: (\d+)"\)$/su.exec(error.message)
      : /^UNKNOWN_SQLITE_ERROR_(\d+)$/u.exec(code);
  return primaryCodes[Number(unnamed?.[1]) & 0xff] ?? errorCode(error) ?? code;
}

export function isBusy(error: unknown): boolean {
  const code = sqliteCode(error);
  return code !== undefined && (code.startsWith("SQLITE_BUSY") || code.startsWith("SQLITE_LOCKED"));
}

const noRight = ["SQLITE_CANTOPEN", "SQLITE_PERM", "SQLITE_READONLY", "EACCES", "EPERM", "EROFS"];
const cannotOpen = [...noRight, "ENOTDIR", "EISDIR", "EEXIST"];

const damaged = ["SQLITE_NOTADB", "SQLITE_CORRUPT"];

/** Errors that mean a full disk. SQLITE_IOERR_SHMSIZE: the index of the write-ahead log could not grow. */
const noSpace = ["SQLITE_FULL", "ENOSPC", "EDQUOT", "SQLITE_IOERR_SHMSIZE"];

/** SQLite's limit for the path of a file and its journal (SQLITE_MAX_PATHNAME is 512 bytes with "-journal"). */
const longestPathBytes = 500;

/** Whether the error only says that a file cannot be written to, so that it may still be readable. */
export function forbidsWriting(error: unknown): boolean {
  const code = codeOf(unwrapQueryError(error));
  return [...noRight, ...noSpace].some((prefix) => code?.startsWith(prefix));
}

/** Whether the driver found a corrupt page, or a file that is not a database. */
export function meansDamage(error: unknown): boolean {
  const code = sqliteCode(error);
  return code !== undefined && damaged.some((prefix) => code.startsWith(prefix));
}

/** The error when the folder of a store could not be made; errors of the database in it come from `storeFault`. */
export function homeFault(error: unknown, home: string): unknown {
  const problem = `the home folder ${home} cannot be made`;
  const code = codeOf(error) ?? "";
  if (code === "ENOTDIR")
    return new MemsvcError("store_damaged", `${problem}: part of its path is a file`, {
      hint: "name another with --home or MEMSVC_HOME, or move the file away",
      cause: error,
    });
  if (!["EACCES", "EPERM", "EROFS"].includes(code)) return storeFault(error, home);
  return new MemsvcError("store_damaged", problem, {
    hint: "name another with --home or MEMSVC_HOME, or let this user write to the folder above it",
    cause: error,
  });
}

const nothingWritten = "nothing was written";

/**
 * For a failure in the middle of work that consists of several transactions: replaces "nothing was written" in the
 * message by what was written.
 */
export function withWritten(fault: unknown, written: string): unknown {
  if (!isMemsvcError(fault)) return fault;
  const { code, message, hint, issues, extra, cause } = fault;
  const problem = message.endsWith(`; ${nothingWritten}`)
    ? message.slice(0, -`; ${nothingWritten}`.length)
    : message;
  return new MemsvcError(code, `${problem}; ${written}`, { hint, issues, extra, cause });
}

/**
 * Turns a driver's error into a MemsvcError with one clear sentence and a hint; other errors are returned unchanged.
 */
export function storeFault(raised: unknown, path: string): unknown {
  const error = unwrapQueryError(raised);
  const code = codeOf(error);
  if (isMemsvcError(error) || code === undefined) return error;
  const because = { cause: error };
  if (noSpace.some((prefix) => code.startsWith(prefix))) {
    return new MemsvcError("disk_full", `no space left for the database ${path}; ${nothingWritten}`, {
      hint: "free some disk space and send it again",
      ...because,
    });
  }
  if (meansDamage(error)) {
    return damagedStore(path, "is damaged or is not a memsvc database", error);
  }
  if (code.startsWith("SQLITE_CANTOPEN") && Buffer.byteLength(path) > longestPathBytes) {
    return new MemsvcError("invalid_setting", `the database's path is longer than SQLite allows: ${path}`, {
      hint: "choose a home with a shorter path, with --home or MEMSVC_HOME",
      ...because,
    });
  }
  if (cannotOpen.some((prefix) => code.startsWith(prefix))) {
    const { problem, hint } = whyUnopened(path);
    return new MemsvcError("store_damaged", `the database ${path} ${problem}`, { hint, ...because });
  }
  if (code.startsWith("SQLITE_IOERR") || code === "EIO") {
    return new MemsvcError("disk_full", `the disk refused to read or write ${path}`, {
      hint: "check the disk's free space and health, then try again",
      ...because,
    });
  }
  if (isBusy(error)) {
    const holder = lockHolder(path);
    const process = holder === undefined ? "another process" : `another process (${holder})`;
    return new MemsvcError("unavailable", `${process} kept the database ${path} locked for too long`, {
      hint: `try again; if it happens again, ${holder === undefined ? "look for a process that holds the file open" : "end that process"}`,
      ...because,
    });
  }
  return error;
}

/**
 * Why a database cannot be opened: SQLite says the same of one that may not be read as of one that may not be written.
 */
function whyUnopened(path: string): { readonly problem: string; readonly hint: string } {
  if (statIfExists(path)?.isDirectory())
    return {
      problem: "is a folder, not a file",
      hint: "move it away, or name another home with --home or MEMSVC_HOME",
    };
  if (mayNotBeRead(path))
    return {
      problem: "may not be read by this user",
      hint: "check its owner, its permissions and those of its folders",
    };
  return {
    problem: "cannot be opened for writing",
    hint: "check that its folder exists, that this user may write to it (also in an agent's sandbox), and that the disk is not read-only",
  };
}

function mayNotBeRead(path: string): boolean {
  try {
    accessSync(path, constants.R_OK);
    return false;
  } catch (error) {
    return ["EACCES", "EPERM"].includes(errorCode(error) ?? "");
  }
}
