import {
  closeSync,
  constants,
  copyFileSync,
  existsSync,
  linkSync,
  lstatSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { MemsvcError } from "../operation/errors.ts";
import { inodeOf } from "../paths/inode.ts";
import { renameOverSync } from "../paths/rename-over.ts";
import { shownWords, wordsByPs } from "../system/command-line.ts";
import { errorCode } from "../system/error-code.ts";
import { startedAtTicks, startTicksOf } from "../system/process-start.ts";

/** Who runs on a home. `port` is 0 while the server is still starting. */
export interface LockHolder {
  readonly pid: number;
  readonly port: number;
  readonly host: string;
}

/** What else a lock tells, so that one which outlived its process, or was copied, is known for that. */
interface WrittenLock {
  readonly holder: LockHolder;
  /** When the process started, as Linux counts it; undefined where it is not told. */
  readonly startTicks: string | undefined;
  /** The number of the home's folder; undefined where it is not told. */
  readonly folder: string | undefined;
}

/** Homes that this process has locked. */
const takenHere = new Set<string>();

export function lockPath(home: string): string {
  return join(home, "memsvc.lock");
}

/** Says who is taking over the lock of a process that is gone. */
function takeoverPath(home: string): string {
  return `${lockPath(home)}.takeover`;
}

/** The running server of a home; undefined when there is none, or when it died without cleaning up. */
export function runningServer(home: string): LockHolder | undefined {
  return livingHolder(home, lockPath(home));
}

/**
 * The same, and not another program that has the number of a server that died, where the system does not show programs at
 * once: it takes some milliseconds.
 */
export function verifiedServer(home: string): LockHolder | undefined {
  return certainHolder(home, lockPath(home));
}

/** Error: home_locked where nobody can tell whether a server runs, because the lock cannot be read. */
export function refuseUnreadableLock(home: string): void {
  refuseUnreadable(lockPath(home));
}

function certainHolder(home: string, path: string): LockHolder | undefined {
  const holder = livingHolder(home, path);
  return holder === undefined || isStranger(holder.pid) ? undefined : holder;
}

function livingHolder(home: string, path: string): LockHolder | undefined {
  const lock = lockIn(path);
  return lock !== undefined && isAlive(lock.holder.pid, home) && isOfHome(lock, home)
    ? lock.holder
    : undefined;
}

/**
 * The number of a process that is gone may be that of another home's server by now, which started later; and whoever
 * copies a home copies the lock of the server that runs on the first.
 */
function isOfHome({ holder, startTicks, folder }: WrittenLock, home: string): boolean {
  if (folder !== undefined && folder !== folderNumber(home)) return false;
  return startedAtTicks(holder.pid, startTicks);
}

/** A home that is gone has none. */
function folderNumber(home: string): string {
  return String(inodeOf(home) ?? "-");
}

export function readLock(home: string): LockHolder | undefined {
  return lockIn(lockPath(home))?.holder;
}

function lockIn(path: string): WrittenLock | undefined {
  let text: string;
  try {
    text = read(path);
  } catch {
    // No lock file is the ordinary case of no server.
    return undefined;
  }
  const [, pid, port, host, startTicks, folder] =
    /^(\d+) (\d+) (\S+)(?: (\d+|-) (\d+|-))?\n?$/u.exec(text) ?? [];
  return pid === undefined || port === undefined || host === undefined
    ? undefined
    : {
        holder: { pid: Number(pid), port: Number(port), host },
        startTicks: startTicks === "-" ? undefined : startTicks,
        folder,
      };
}

/** Does not wait where a pipe stands in the place of the file. */
function read(path: string): string {
  const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    return readFileSync(file, "utf8");
  } finally {
    closeSync(file);
  }
}

/** Whether a server runs or has ended without cleaning up. */
export function hasLock(home: string): boolean {
  return existsSync(lockPath(home));
}

/**
 * Takes the lock, or tells who has it. A lock whose process is gone is taken over. Error: home_locked, where what stands
 * in its place cannot be read, so that nobody knows whose it is.
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
 * Puts our lock in the place of one whose process is gone. Of those that try at once only the one that has the takeover's
 * own file may: a lock that somebody has taken since is never moved out of the way, not for a moment.
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
    if (!standsThere(lockPath(home)) || verifiedServer(home) !== undefined) return false;
    renameSync(written, lockPath(home));
    return true;
  } finally {
    rmSync(guard, { force: true });
  }
}

/** The lock of another user's server shows no more than that it is there. */
function refuseUnreadable(path: string): void {
  try {
    read(path);
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

/** Also a link that leads nowhere, in whose place nothing new can be put either. */
function standsThere(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}

/** Writes the port once it is known. Only the holder calls it. */
export function updateLock(home: string, holder: LockHolder): void {
  renameOverSync(draft(home, holder), lockPath(home));
}

export function releaseLock(home: string, pid: number): void {
  if (readLock(home)?.pid !== pid) return;
  rmSync(lockPath(home), { force: true });
  if (pid === process.pid) takenHere.delete(home);
}

/** Gives a file a second name, unless that is taken. */
function placeNew(file: string, name: string): boolean {
  try {
    linkSync(file, name);
    return true;
  } catch (error) {
    if (errorCode(error) === "EEXIST") return false;
  }
  // A file system without hard links: a copy, which another process might see unfinished.
  try {
    copyFileSync(file, name, constants.COPYFILE_EXCL);
    return true;
  } catch (error) {
    if (errorCode(error) === "EEXIST") return false;
    throw error;
  }
}

/** A lock appears and changes as a whole, so that nobody reads half of one and takes it for left over. */
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

/** Whether a server's process is there; one that belongs to somebody else is, too. */
export function isAlive(pid: number, home: string): boolean {
  // In a container every start has the same number: then it is that of the server that died.
  if (pid === process.pid) return takenHere.has(home);
  try {
    process.kill(pid, 0);
  } catch (error) {
    return errorCode(error) === "EPERM";
  }
  return isOurServer(pid);
}

/**
 * After a crash the system may have given the number to another program, not least to one of ours that is no server,
 * such as an agent's `memsvc mcp`; where that can be seen at once, it is looked at.
 */
function isOurServer(pid: number): boolean {
  const words = shownWords(pid);
  return words === undefined || areOurServers(words);
}

/** Whether it is seen to be another program, where `isOurServer` had to take the number alone. */
function isStranger(pid: number): boolean {
  if (pid === process.pid || shownWords(pid) !== undefined) return false;
  const words = wordsByPs(pid);
  return words !== undefined && !areOurServers(words);
}

function areOurServers(words: readonly string[]): boolean {
  return words.includes("serve") && words.some((word) => /memsvc|main\.cjs/u.test(word));
}
