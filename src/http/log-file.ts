import { appendFileSync, existsSync, renameSync, rmSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { daemonLog } from "../config/home.ts";
import type { Log, LogLevel } from "../ground.ts";
import { makeFolder } from "../paths/make-folder.ts";
import { statIfExists } from "../paths/stat-if-exists.ts";

const maxBytes = 10 * 1_048_576;
const filesKept = 5;
const order: readonly LogLevel[] = ["error", "warn", "info", "debug"];

/**
 * A log of JSON lines under the home, 10 MiB in five files at most, the newest in `memsvc.log`. A line that
 * cannot be written is dropped: what it tells of, such as a full disk, must not become worse by being told.
 */
export function logFile(home: string, level: LogLevel): Log {
  const path = daemonLog(home);
  // A folder that may not be looked into holds no log of ours.
  let size = statIfExists(path)?.size ?? 0;
  let wasMade = false;
  return (lineLevel, message, fields = {}) => {
    if (order.indexOf(lineLevel) > order.indexOf(level)) return;
    const line = `${JSON.stringify({ time: new Date().toISOString(), level: lineLevel, message, ...fields })}\n`;
    // A home that was removed beneath the daemon is not to appear again for the sake of its log.
    if (wasMade && !existsSync(home)) return;
    try {
      makeFolder(dirname(path));
      wasMade = true;
      if (size + line.length > maxBytes) {
        rotate(path);
        size = 0;
      }
      appendFileSync(path, line, { mode: 0o600 });
      size += Buffer.byteLength(line);
    } catch {
      // The caller has told the one who asked; nobody else can be told.
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
