import { constants, copyFileSync, existsSync, linkSync, lstatSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { MemsvcError } from "../operation/errors.ts";
import { controlFileIn, readControlFile } from "../paths/control-file.ts";
import { inodeOf } from "../paths/inode.ts";
import { renameOverSync } from "../paths/rename-over.ts";
import { errorCode } from "../system/error-code.ts";
import { processExists } from "../system/process-exists.ts";
import { startedAtTicks, startTicksOf } from "../system/process-start.ts";
import { isOtherProgram, isOurServer } from "./is-our-server.ts";

/** The server of a home, as its lock names it. `port` is 0 while it does not listen: when it starts, and when it stops. */
export interface LockHolder {
  readonly pid: number;
  readonly port: number;
  readonly host: string;
}

/**
 * The contents of a lock file. Start time and folder show whether the lock outlived its process or was copied with its
 * home.
 */
interface WrittenLock {
  readonly holder: LockHolder;
  /** Start time of the process in Linux clock ticks; undefined if it is not recorded. */
  readonly startTicks: string | undefined;
  /** Inode of the home folder; undefined if it is not recorded. */
  readonly folder: string | undefined;
}

/** Homes that this process has locked. */
const takenHere = new Set<string>();

export function lockPath(home: string): string {
  return join(home, "memsvc.lock");
}

/** Second lock file, held while the lock of a dead process is taken over. */
function takeoverPath(home: string): string {
  return `${lockPath(home)}.takeover`;
}

/** The running server of a home; undefined if there is none, or if it died without removing its lock. */
export function runningServer(home: string): LockHolder | undefined {
  return livingHolder(home, lockPath(home));
}

/**
 * Like runningServer, but also checks that the process id was not reused by another program, on systems without /proc.
 * That takes some milliseconds (`ps`, `tasklist`).
 */
export function verifiedServer(home: string): LockHolder | undefined {
  return certainHolder(home, lockPath(home));
}

/** Error: home_locked if the lock cannot be read, so that it is unknown whether a server runs. */
export function refuseUnreadableLock(home: string): void {
  refuseUnreadable(lockPath(home));
}

function certainHolder(home: string, path: string): LockHolder | undefined {
  const holder = livingHolder(home, path);
  return holder === undefined || isOtherProgram(holder.pid) ? undefined : holder;
}

function livingHolder(home: string, path: string): LockHolder | undefined {
  const lock = lockIn(path);
  return lock !== undefined && isAlive(lock.holder.pid, home) && isOfHome(lock, home)
    ? lock.holder
    : undefined;
}

/**
 * Whether a lock belongs to this home and this process. The id of a dead process may have been reused by the server of
 * another home (then the start time differs), and a copied home contains a copy of the original's lock (then the folder
 * differs).
 */
function isOfHome({ holder, startTicks, folder }: WrittenLock, home: string): boolean {
  if (folder !== undefined && folder !== folderNumber(home)) return false;
  return startedAtTicks(holder.pid, startTicks);
}

/** Inode of the folder as text; "-" if it does not exist. */
function folderNumber(home: string): string {
  return String(inodeOf(home) ?? "-");
}

export function readLock(home: string): LockHolder | undefined {
  return lockIn(lockPath(home))?.holder;
}

function lockIn(path: string): WrittenLock | undefined {
  const [, pid, port, host, startTicks, folder] =
    /^(\d+) (\d+) (\S+)(?: (\d+|-) (\d+|-))?\n?$/u.exec(controlFileIn(path) ?? "") ?? [];
  return pid === undefined || port === undefined || host === undefined
    ? undefined
    : {
        holder: { pid: Number(pid), port: Number(port), host },
        startTicks: startTicks === "-" ? undefined : startTicks,
        folder,
      };
}

/** Whether there is a lock, of a running server or of one that died. */
export function hasLock(home: string): boolean {
  return existsSync(lockPath(home));
}

/**
 * Takes the lock, or returns who holds it. The lock of a dead process is taken over. Error: home_locked if there is a
 * lock that cannot be read, so that its holder is unknown.
 */
export function takeLock(
  home: string,
  holder: LockHolder,
): { readonly kind: "taken" } | { readonly kind: "held"; readonly by: LockHolder } {
  const written = draft(home, holder);
  try {
    for (let attempt = 0; attempt < 3; attempt += 1) {
      const isTaken = placeNew(written, lockPath(home)) || takeOver(home, written);
      if (isTaken) {
        takenHere.add(home);
        return { kind: "taken" };
      }
      const other = certainHolder(home, lockPath(home)) ?? certainHolder(home, takeoverPath(home));
      if (other !== undefined) return { kind: "held", by: other };
    }
    return { kind: "held", by: readLock(home) ?? holder };
  } finally {
    rmSync(written, { force: true });
  }
}

/**
 * Replaces the lock of a dead process by ours. Of several processes that try, only the one that holds the takeover file
 * may: otherwise one could move away a lock that another has just taken.
 */
function takeOver(home: string, written: string): boolean {
  const guard = takeoverPath(home);
  refuseUnreadable(lockPath(home));
  refuseUnreadable(guard);
  if (!placeNew(written, guard)) {
    if (certainHolder(home, guard) === undefined) rmSync(guard, { force: true });
    return false;
  }
  try {
    if (!isThere(lockPath(home)) || verifiedServer(home) !== undefined) return false;
    renameOverSync(written, lockPath(home));
    return true;
  } finally {
    rmSync(guard, { force: true });
  }
}

/** Of another user's lock nothing can be read; it only shows that it exists. */
function refuseUnreadable(path: string): void {
  try {
    readControlFile(path);
  } catch (error) {
    const code = errorCode(error);
    if (code === "ENOENT") return;
    const [problem, hint] =
      code === "EISDIR"
        ? ["is a folder", "look what is in it, and move it away"]
        : [
            `cannot be read (${code ?? error})`,
            "it may be that of another user's memsvc; where none runs, remove it",
          ];
    throw new MemsvcError("home_locked", `the lock ${path} ${problem}`, { hint, cause: error });
  }
}

/** Also true for a dangling symbolic link: nothing can be created in its place either. */
function isThere(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}

/** Writes the port once it is known. Only the holder calls it. */
export function updateLock(home: string, holder: LockHolder): void {
  renameOverSync(draft(home, holder), lockPath(home));
}

/**
 * Says in this process's lock that its server listens no more: the daemon of another home may take the port, and would
 * get what is meant for this one.
 */
export function withdrawPort(home: string): void {
  const holder = readLock(home);
  if (holder?.pid === process.pid) updateLock(home, { ...holder, port: 0 });
}

export function releaseLock(home: string, pid: number): void {
  if (readLock(home)?.pid !== pid) return;
  rmSync(lockPath(home), { force: true });
  if (pid === process.pid) takenHere.delete(home);
}

/** Hard-links a file under a second name, unless that name exists. */
function placeNew(file: string, name: string): boolean {
  try {
    linkSync(file, name);
    return true;
  } catch (error) {
    if (errorCode(error) === "EEXIST") return false;
  }
  // On a file system without hard links: a copy, which another process might see half written.
  try {
    copyFileSync(file, name, constants.COPYFILE_EXCL);
    return true;
  } catch (error) {
    if (errorCode(error) === "EEXIST") return false;
    throw error;
  }
}

/**
 * Writes the lock's text to a file beside it, from which it is linked or renamed: a reader must never see half a lock
 * and take it for a leftover.
 */
function draft(home: string, { pid, port, host }: LockHolder): string {
  const path = `${lockPath(home)}.${pid}`;
  try {
    const text = `${pid} ${port} ${host} ${startTicksOf(pid) ?? "-"} ${folderNumber(home)}\n`;
    writeFileSync(path, text, { mode: 0o600 });
  } catch (error) {
    rmSync(path, { force: true });
    throw error;
  }
  return path;
}

/** Whether a server process exists, even if it belongs to another user. */
export function isAlive(pid: number, home: string): boolean {
  // In a container every start may get the same process id: then the lock is one that an earlier process left.
  if (pid === process.pid) return takenHere.has(home);
  return processExists(pid) && isOurServer(pid);
}
