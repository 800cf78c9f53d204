import { readFileSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { errorCode } from "../error-code.ts";
import { processExists } from "../process-exists.ts";
import { makeFolder } from "./make-folder.ts";

const touchEveryMs = 10_000;
const staleAfterMs = 60_000;

export type Alone<T> = { readonly kind: "done"; readonly result: T } | { readonly kind: "held" };

/**
 * Does the work unless another process is at work under the same lock file. One whose process is gone, or that nobody
 * touched for a minute, is left over.
 */
export async function whileAlone<T>(lock: string, work: () => Promise<T>): Promise<Alone<T>> {
  makeFolder(dirname(lock));
  if (!take(lock)) return { kind: "held" };
  const touching = setInterval(() => {
    const now = new Date();
    try {
      utimesSync(lock, now, now);
    } catch {
      // Somebody took it away, after a minute in which the machine slept, say: no reason to end a daemon.
    }
  }, touchEveryMs);
  touching.unref();
  try {
    return { kind: "done", result: await work() };
  } finally {
    clearInterval(touching);
    rmSync(lock, { force: true });
  }
}

function take(lock: string): boolean {
  if (placed(lock)) return true;
  if (isHeld(lock)) return false;
  rmSync(lock, { force: true });
  return placed(lock);
}

function placed(lock: string): boolean {
  try {
    writeFileSync(lock, `${process.pid}\n`, { flag: "wx", mode: 0o600 });
    return true;
  } catch (error) {
    if (errorCode(error) === "EEXIST") return false;
    throw error;
  }
}

function isHeld(lock: string): boolean {
  try {
    const isStale = Date.now() - statSync(lock).mtimeMs > staleAfterMs;
    return !isStale && processExists(Number(readFileSync(lock, "utf8")));
  } catch (error) {
    // Its holder has just taken it away.
    if (errorCode(error) === "ENOENT") return false;
    throw error;
  }
}
