import { constants, existsSync, readdirSync, renameSync, rmSync, statSync } from "node:fs";
import { copyFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { MemsvcError } from "../operation/errors.ts";
import { fsyncFileSync, fsyncFolderSync } from "../paths/fsync.ts";
import { isHeldOpen } from "../paths/rename-over.ts";
import { isMissing } from "../system/error-code.ts";
import { isSystemError } from "../system/is-system-error.ts";
import { isCreatorGone, processExists } from "../system/process-exists.ts";

/*
 * Puts another database in a store's place. SQLite plays any write-ahead log that it finds into the file beside it. So
 * the old log must be gone before the new file gets the name, yet the old file needs its log until then. Therefore a
 * third name: as soon as the new database is complete at `<path>.incoming.<pid>`, the change is decided, and if the
 * process dies, whoever opens the store or writes to it next finishes it. Removing the log and renaming may be repeated
 * any number of times.
 *
 * Within a process SQLite identifies a file by its inode, whatever its name: after a rename it would continue to use
 * the log's index of the draft, which no other process knows. So the file that takes the store's place is a copy of the
 * draft that this process has never opened with SQLite.
 */

const databaseSuffixes = ["-wal", "-shm", "-journal"];
const copySuffix = "-copy";
/** Files that belong to a draft. */
const draftSuffixes = [...databaseSuffixes, copySuffix];

const waitMs = 50;
const longestWaitMs = 5_000;

export function walPath(path: string): string {
  return `${path}-wal`;
}

/** Removes the log and journal files beside a database that they do not belong to. */
export function removeWalFiles(path: string): void {
  for (const suffix of databaseSuffixes) rmSync(`${path}${suffix}`, { force: true });
}

/** Where a database is prepared that is to take the store's place. Until it is copied and renamed it has no effect. */
export function draftPath(path: string): string {
  return `${path}.draft.${process.pid}`;
}

/**
 * Makes the copy of the draft that will take the store's place. The draft's log must be empty. Nothing is decided yet.
 */
export async function copyDraft(path: string): Promise<void> {
  const copy = draftCopy(path);
  await copyFile(draftPath(path), copy, constants.COPYFILE_FICLONE);
  fsyncFileSync(copy);
}

/** Decides that the copy of the draft takes the store's place. If it fails, nothing is decided. */
export function decideReplacement(path: string): void {
  renameSync(draftCopy(path), ownIncoming(path));
  try {
    fsyncFolderSync(dirname(path));
  } catch (error) {
    rmSync(ownIncoming(path), { force: true });
    throw error;
  }
}

/** Carries out what this process has decided. */
export function replaceAsDecided(path: string): void {
  finish(path, ownIncoming(path));
}

function ownIncoming(path: string): string {
  return `${path}.incoming.${process.pid}`;
}

function draftCopy(path: string): string {
  return `${draftPath(path)}${copySuffix}`;
}

/**
 * Removes this process's draft and the files beside it. Files that the system refuses to delete are removed by a later
 * process.
 */
export function dropDraft(path: string): void {
  for (const suffix of ["", ...draftSuffixes]) {
    try {
      rmSync(`${draftPath(path)}${suffix}`, { force: true });
    } catch (error) {
      if (!isSystemError(error)) throw error;
    }
  }
}

/** Finishes a replacement that another process has decided; waits first if that process is still at it. */
export async function finishReplacement(path: string): Promise<void> {
  for (let waitedMs = 0; ; waitedMs += waitMs) {
    const decided = leftOver(path, "incoming");
    const [first] = decided;
    if (first === undefined) break;
    if (isCreatorGone(first.pid) || waitedMs >= longestWaitMs) claim(path, first.file);
    else await sleep(waitMs);
  }
  for (const { file, pid } of leftOver(path, "draft")) if (!processExists(pid)) rmSync(file, { force: true });
}

/**
 * Returns a check for writers, to be made each time they hold the write lock: whether a replacement was decided but not
 * finished, so that a write would be lost with the old database. The folder is read only if its modification time has
 * changed.
 */
export function unfinishedReplacementCheck(path: string): () => boolean {
  let changedMs: number | undefined;
  return () => {
    const nowChangedMs = statSync(dirname(path), { throwIfNoEntry: false })?.mtimeMs;
    if (nowChangedMs === changedMs) return false;
    if (leftOver(path, "incoming").length > 0) return true;
    changedMs = nowChangedMs;
    return false;
  };
}

/** If several processes find the same leftover, the one that succeeds in renaming it finishes the replacement. */
function claim(path: string, file: string): void {
  const own = ownIncoming(path);
  try {
    if (file !== own) renameSync(file, own);
  } catch (error) {
    if (isMissing(error)) return;
    throw error;
  }
  finish(path, own);
}

function finish(path: string, incoming: string): void {
  // Another process has finished it already, because this one was slow or suspended: the log now belongs to the new
  // database.
  if (!existsSync(incoming)) return;
  try {
    removeWalFiles(path);
    renameSync(incoming, path);
  } catch (error) {
    throw isHeldOpen(error) ? waitsForRestart(path, error) : error;
  }
  fsyncFolderSync(dirname(path));
}

function leftOver(path: string, kind: "incoming" | "draft"): { file: string; pid: number }[] {
  const folder = dirname(path);
  if (!existsSync(folder)) return [];
  const start = `${basename(path)}.${kind}.`;
  return readdirSync(folder)
    .filter((name) => name.startsWith(start))
    .flatMap((name) => {
      const [, pid, beside = ""] = /^(\d+)(-[a-z]+)?$/u.exec(name.slice(start.length)) ?? [];
      if (pid === undefined || (beside !== "" && (kind === "incoming" || !draftSuffixes.includes(beside))))
        return [];
      return [{ file: join(folder, name), pid: Number(pid) }];
    });
}

function waitsForRestart(path: string, cause: unknown): MemsvcError {
  return new MemsvcError(
    "unavailable",
    `another database takes the place of ${path} as soon as no program has that open any more; until then nothing is written`,
    { hint: "if a daemon runs: memsvc daemon restart; otherwise the next command does it", cause },
  );
}
