import { readFileSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { MemsvcError } from "../../operation/errors.ts";
import { makeFolder } from "../../paths/make-folder.ts";
import { processExists } from "../../process-exists.ts";
import { modelsFolder } from "./folder.ts";

const touchEveryMs = 10_000;
const staleAfterMs = 60_000;

/**
 * Runs the work while no other process installs the same model. A lock whose process is gone, or that nobody
 * touched for a minute, is left over. Errors: conflict.
 */
export async function whileLocked<T>(home: string, name: string, work: () => Promise<T>): Promise<T> {
  makeFolder(modelsFolder(home));
  const path = join(modelsFolder(home), `.${name}.lock`);
  if (isHeld(path)) {
    throw new MemsvcError("conflict", `another process is installing ${name} at this moment`, {
      hint: "wait for it to end: memsvc models list",
    });
  }
  rmSync(path, { force: true });
  try {
    writeFileSync(path, `${process.pid}\n`, { flag: "wx", mode: 0o600 });
  } catch (error) {
    throw new MemsvcError("conflict", `another process has just begun to install ${name}`, { cause: error });
  }
  const touching = setInterval(() => {
    const now = new Date();
    try {
      utimesSync(path, now, now);
    } catch {
      // Somebody took it away, after a minute in which the machine slept, say: no reason to end a daemon.
    }
  }, touchEveryMs);
  touching.unref();
  try {
    return await work();
  } finally {
    clearInterval(touching);
    rmSync(path, { force: true });
  }
}

function isHeld(path: string): boolean {
  const file = statSync(path, { throwIfNoEntry: false });
  if (file === undefined || Date.now() - file.mtimeMs > staleAfterMs) return false;
  return processExists(Number(readFileSync(path, "utf8")));
}
