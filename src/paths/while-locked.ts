import { closeSync, openSync, rmSync, statSync, utimesSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import { errorCode, isMissing } from "../system/error-code.ts";
import { processExists } from "../system/process-exists.ts";
import { readControlFile } from "./control-file.ts";
import { makeFolder } from "./make-folder.ts";

const touchEveryMs = 10_000;
const staleAfterMs = 60_000;

type LockOutcome<T> = { readonly kind: "done"; readonly result: T } | { readonly kind: "held" };

/** How many locks this process has placed; makes each mark unique. */
let placedHere = 0;

/**
 * Runs work unless another process is running under the same lock file. A lock is a leftover if its process is gone or
 * it was not touched for a minute.
 */
export async function whileLocked<T>(lock: string, work: () => Promise<T>): Promise<LockOutcome<T>> {
  makeFolder(dirname(lock));
  const mark = take(lock);
  if (mark === undefined) return { kind: "held" };
  const touching = setInterval(() => {
    const now = new Date();
    try {
      if (isMarked(lock, mark)) utimesSync(lock, now, now);
    } catch {
      // The lock was taken away, perhaps after the machine slept for a minute. No reason to end a daemon.
    }
  }, touchEveryMs);
  touching.unref();
  try {
    return { kind: "done", result: await work() };
  } finally {
    clearInterval(touching);
    // If the mark differs, another process took the lock over (after such a minute) and is working.
    if (isMarked(lock, mark)) rmSync(lock, { force: true });
  }
}

/** Takes the lock and returns its mark, which tells it from others; undefined if another process holds it. */
function take(lock: string): string | undefined {
  placedHere += 1;
  const mark = `${process.pid} ${placedHere}\n`;
  return placed(lock, mark) || takenOver(lock, mark) ? mark : undefined;
}

/** Of several processes that find a leftover lock, only the one that gets the takeover file removes it. */
function takenOver(lock: string, mark: string): boolean {
  if (stateOf(lock) === "held") return false;
  const guard = `${lock}.takeover`;
  if (!placed(guard, mark)) {
    if (stateOf(guard) === "left") rmSync(guard, { force: true });
    return false;
  }
  try {
    if (stateOf(lock) === "left") rmSync(lock, { force: true });
    return placed(lock, mark);
  } finally {
    rmSync(guard, { force: true });
  }
}

function placed(lock: string, mark: string): boolean {
  let file: number;
  try {
    file = openSync(lock, "wx", 0o600);
  } catch (error) {
    if (errorCode(error) === "EEXIST") return false;
    throw error;
  }
  try {
    writeSync(file, mark);
    return true;
  } catch (error) {
    // An empty lock, left by a full disk, would block everybody for a minute.
    rmSync(lock, { force: true });
    throw error;
  } finally {
    closeSync(file);
  }
}

function isMarked(lock: string, mark: string): boolean {
  return textOf(lock) === mark;
}

function stateOf(lock: string): "free" | "held" | "left" {
  const text = textOf(lock);
  const touchedMs = statSync(lock, { throwIfNoEntry: false })?.mtimeMs;
  // Its holder has just removed it.
  if (text === undefined || touchedMs === undefined) return "free";
  const isStale = Date.now() - touchedMs > staleAfterMs;
  return !isStale && processExists(Number(text.split(" ")[0])) ? "held" : "left";
}

/** Undefined if the file does not exist. */
function textOf(path: string): string | undefined {
  try {
    return readControlFile(path);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}
