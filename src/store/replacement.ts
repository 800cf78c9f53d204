import { constants, existsSync, readdirSync, renameSync, rmSync, statSync } from "node:fs";
import { copyFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { MemsvcError } from "../operation/errors.ts";
import { fsyncFileSync, fsyncFolderSync } from "../paths/fsync.ts";
import { isHeldOpen } from "../paths/rename-over.ts";
import { errorCode } from "../system/error-code.ts";
import { isSystemError } from "../system/is-system-error.ts";
import { isMakerGone, processExists } from "../system/process-exists.ts";

/*
 * Puts another database in a store's place. SQLite would play a write-ahead log that it finds into whatever file
 * lies beside it, so the old log must be gone when the new file has the name, and yet the old file must keep its
 * log until then. Hence a third file: once the new database lies whole at `<path>.incoming.<pid>`, the change is
 * decided, and whoever opens the store or writes to it finishes it if its process could not. Removing the log and giving
 * the name may be done any number of times.
 *
 * SQLite knows a file within a process by its number, whatever its name: it would go on with the log's index that it
 * had beside the draft, which no other process finds. So what takes the store's place is a copy of the draft that
 * this process has never opened with SQLite.
 */

const besideDatabase = ["-wal", "-shm", "-journal"];
const copySuffix = "-copy";
/** What goes with a draft. */
const besideDraft = [...besideDatabase, copySuffix];

const waitMs = 50;
const longestWaitMs = 5_000;

export function walPath(path: string): string {
  return `${path}-wal`;
}

/** Removes what SQLite keeps beside a database that does not belong to it. */
export function removeWalFiles(path: string): void {
  for (const suffix of besideDatabase) rmSync(`${path}${suffix}`, { force: true });
}

/** Where a database that shall take a store's place is made; it counts for nothing yet. */
export function draftPath(path: string): string {
  return `${path}.draft.${process.pid}`;
}

/** Makes of the draft, which must have nothing left in its log, what takes the store's place. Nothing is decided yet. */
export async function copyDraft(path: string): Promise<void> {
  const copy = draftCopy(path);
  await copyFile(draftPath(path), copy, constants.COPYFILE_FICLONE);
  fsyncFileSync(copy);
}

/** Decides the change: the copy of the draft takes the store's place. */
export function replaceWithCopy(path: string): void {
  const incoming = `${path}.incoming.${process.pid}`;
  renameSync(draftCopy(path), incoming);
  fsyncFolderSync(dirname(path));
  finish(path, incoming);
}

function draftCopy(path: string): string {
  return `${draftPath(path)}${copySuffix}`;
}

/** Removes the draft of this process, with everything that was made beside it. What the system keeps goes once the process is gone. */
export function dropDraft(path: string): void {
  for (const suffix of ["", ...besideDraft]) {
    try {
      rmSync(`${draftPath(path)}${suffix}`, { force: true });
    } catch (error) {
      if (!isSystemError(error)) throw error;
    }
  }
}

/** Finishes the change that a process decided and did not live to finish; waits for one that is at it. */
export async function finishReplacement(path: string): Promise<void> {
  for (let waitedMs = 0; ; waitedMs += waitMs) {
    const decided = leftOver(path, "incoming");
    const [first] = decided;
    if (first === undefined) break;
    if (isMakerGone(first.pid) || waitedMs >= longestWaitMs) claim(path, first.file);
    else await sleep(waitMs);
  }
  for (const { file, pid } of leftOver(path, "draft")) if (!processExists(pid)) rmSync(file, { force: true });
}

/**
 * Tells a writer, each time that it has the write lock, whether a change was decided and not finished: what it wrote would go
 * with the old database. The folder is read only when something was made or renamed there since.
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

/** Of several processes that find the same left-over, the one that can rename it finishes. */
function claim(path: string, file: string): void {
  const own = `${path}.incoming.${process.pid}`;
  try {
    if (file !== own) renameSync(file, own);
  } catch (error) {
    if (isMissing(error)) return;
    throw error;
  }
  finish(path, own);
}

function finish(path: string, incoming: string): void {
  // Another has finished it where the disk, or a stop of this process, made it wait so long: the log is the new database's.
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
      if (pid === undefined || (beside !== "" && (kind === "incoming" || !besideDraft.includes(beside))))
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

function isMissing(error: unknown): boolean {
  return errorCode(error) === "ENOENT";
}
