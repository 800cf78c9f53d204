import { existsSync, renameSync, rmSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { daemonLog } from "../config/home.ts";
import type { Log, LogLevel } from "../ground.ts";
import { makeFolder } from "../paths/make-folder.ts";
import { statIfExists } from "../paths/stat-if-exists.ts";
import { writeWithoutWaiting } from "../paths/write-without-waiting.ts";
import { redactValue } from "../text/redaction/redact.ts";

const maxBytes = 10 * 1_048_576;
const filesKept = 5;
const order: readonly LogLevel[] = ["error", "warn", "info", "debug"];

/**
 * A log of JSON lines under the home: five files of at most 10 MiB, the newest of them `memsvc.log`. Secrets are
 * redacted, because messages may quote texts of other programs. A line that cannot be written is dropped: a problem
 * such as a full disk must not get worse by logging it.
 */
export function logFile(home: string, level: LogLevel): Log {
  const path = daemonLog(home);
  // Throws nothing for a folder that cannot be read: its log counts as empty.
  let size = statIfExists(path)?.size ?? 0;
  let wasMade = false;
  return (lineLevel, message, fields = {}) => {
    if (order.indexOf(lineLevel) > order.indexOf(level)) return;
    const entry = { time: new Date().toISOString(), level: lineLevel, message, ...fields };
    const line = `${JSON.stringify(redactValue(entry))}\n`;
    const bytes = Buffer.byteLength(line);
    // A home deleted under a running daemon must not be created again just for the log.
    if (wasMade && !existsSync(home)) return;
    try {
      makeFolder(dirname(path));
      wasMade = true;
      if (size + bytes > maxBytes) {
        rotate(path);
        size = 0;
      }
      writeWithoutWaiting(path, line, "append");
      size += bytes;
    } catch {
      // Dropped: there is no other place to report it to.
    }
  };
}

function rotate(path: string): void {
  rmSync(`${path}.${filesKept - 1}`, { force: true });
  for (let number = filesKept - 2; number >= 1; number -= 1)
    moveIfThere(`${path}.${number}`, `${path}.${number + 1}`);
  moveIfThere(path, `${path}.1`);
}

function moveIfThere(from: string, to: string): void {
  if (statSync(from, { throwIfNoEntry: false }) !== undefined) renameSync(from, to);
}
