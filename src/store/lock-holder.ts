import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { inodeOf } from "../paths/inode.ts";
import { shownWords } from "../system/command-line.ts";

/** Position of WAL_WRITE_LOCK in the -shm file (https://www.sqlite.org/walformat.html#wal_locks). */
const writeLockByte = 120;

/** The process that holds the write lock of a database, such as `sqlite3, pid 1234`; undefined if unknown. Linux only. */
export function lockHolder(path: string): string | undefined {
  try {
    const inode = inodeOf(`${path}-shm`);
    if (inode === undefined) return undefined;
    const pid = writersOf(readFileSync("/proc/locks", "utf8"), inode).find((pid) => pid !== process.pid);
    return pid === undefined ? undefined : `${nameOf(pid)}pid ${pid}`;
  } catch {
    // Other systems and some sandboxes have no /proc/locks.
    return undefined;
  }
}

/** The processes that hold the write lock of a file, from lines such as `1: POSIX  ADVISORY  WRITE 3864 00:1a:839 120 120`. */
export function writersOf(locks: string, inode: bigint): number[] {
  const pids: number[] = [];
  for (const line of locks.split("\n")) {
    const [, kind, , access, pid, file, first, last] = line.trim().split(/\s+/u);
    if (kind !== "POSIX" || access !== "WRITE" || file?.split(":").at(-1) !== String(inode)) continue;
    const isCovered = Number(first) <= writeLockByte && (last === "EOF" || Number(last) >= writeLockByte);
    // The pid of a process in another container is shown as 0.
    if (isCovered && Number(pid) > 0) pids.push(Number(pid));
  }
  return pids;
}

/** By its command line: threads and newer versions of Node choose other names for themselves. */
function nameOf(pid: number): string {
  const [program = ""] = shownWords(pid) ?? [];
  return program === "" ? "" : `${basename(program)}, `;
}
