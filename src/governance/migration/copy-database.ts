import { constants } from "node:fs";
import { copyFile, open, rm, stat } from "node:fs/promises";
import { setTimeout as pause } from "node:timers/promises";
import { unlessUnreadable } from "../../paths/system-refusal.ts";
import { isMissing } from "../../system/error-code.ts";

/*
 * Copies a database that may be in use, with the newest writes, which are in its write-ahead log only. What a checkpoint
 * moves into the database stays in the log until the log begins anew. If that happens after the database was copied and
 * before the log is, the copy has such writes neither here nor there. A log that begins anew has another header.
 */

const mostAttempts = 5;
/** File systems tell two writes apart only if some milliseconds lie between them. */
const pauseMs = 50;
const headerBytes = 32;

/** Returns false if the log began anew during each attempt. Error: forbidden. */
export async function copyDatabase(from: string, to: string): Promise<boolean> {
  for (let attempt = 1; attempt <= mostAttempts; attempt += 1) {
    const before = await stateOf(from);
    await unlessUnreadable(from, () => copyFile(from, to, constants.COPYFILE_FICLONE));
    await rm(`${to}-wal`, { force: true });
    await ofLog(from, (log) => copyFile(log, `${to}-wal`, constants.COPYFILE_FICLONE));
    if ((await stateOf(from)) === before) return true;
    await pause(pauseMs);
  }
  return false;
}

/** The header of the log; without a log, when the database was last written. */
async function stateOf(path: string): Promise<string> {
  const header = await ofLog(path, headerOf);
  return header || String((await stat(path, { bigint: true })).mtimeNs);
}

async function headerOf(log: string): Promise<string> {
  const file = await open(log, "r");
  try {
    const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(headerBytes), position: 0 });
    return buffer.toString("hex", 0, bytesRead);
  } finally {
    await file.close();
  }
}

/** Undefined if a database has no log. */
async function ofLog<Result>(
  path: string,
  work: (log: string) => Promise<Result>,
): Promise<Result | undefined> {
  const log = `${path}-wal`;
  return unlessUnreadable(log, () =>
    work(log).catch((error: unknown) => {
      if (isMissing(error)) return undefined;
      throw error;
    }),
  );
}
