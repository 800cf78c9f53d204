import { readFileSync } from "node:fs";
import { inodeOf } from "../paths/inode.ts";

/** Where in the index of the log a writer's lock lies (https://www.sqlite.org/walformat.html#wal_locks). */
const writeLockByte = 120;

/** Who holds the write lock of a database, where the system tells, which is Linux: `sqlite3, pid 1234`. */
export function lockHolder(path: string): string | undefined {
  try {
    const inode = inodeOf(`${path}-shm`);
    if (inode === undefined) return undefined;
    const pid = writersOf(readFileSync("/proc/locks", "utf8"), inode).find((pid) => pid !== process.pid);
    return pid === undefined ? undefined : `${nameOf(pid)}pid ${pid}`;
  } catch {
    // Of other systems, and of sandboxes, it is not told.
    return undefined;
  }
}

/** Lines such as `1: POSIX  ADVISORY  WRITE 3864 00:1a:839 120 120`. */
export function writersOf(locks: string, inode: bigint): number[] {
  const pids: number[] = [];
  for (const line of locks.split("\n")) {
    const [, kind, , access, pid, file, first, last] = line.trim().split(/\s+/u);
    if (kind !== "POSIX" || access !== "WRITE" || file?.split(":").at(-1) !== String(inode)) continue;
    const isCovered = Number(first) <= writeLockByte && (last === "EOF" || Number(last) >= writeLockByte);
    // A process of another container has no number here.
    if (isCovered && Number(pid) > 0) pids.push(Number(pid));
  }
  return pids;
}

function nameOf(pid: number): string {
  try {
    return `${readFileSync(`/proc/${pid}/comm`, "utf8").trim()}, `;
  } catch {
    return "";
  }
}
