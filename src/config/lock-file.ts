import { closeSync, openSync, readFileSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";

/** Who runs on a home. `port` is 0 while the server is still starting. */
export interface LockHolder {
  readonly pid: number;
  readonly port: number;
  readonly host: string;
}

export function lockPath(home: string): string {
  return join(home, "memsvc.lock");
}

/** The running server of a home; undefined when there is none, or when it died without cleaning up. */
export function runningServer(home: string): LockHolder | undefined {
  const holder = readLock(home);
  return holder !== undefined && isAlive(holder.pid) ? holder : undefined;
}

export function readLock(home: string): LockHolder | undefined {
  let text: string;
  try {
    text = readFileSync(lockPath(home), "utf8");
  } catch {
    // No lock file is the ordinary case of no server.
    return undefined;
  }
  const [, pid, port, host] = /^(\d+) (\d+) (\S+)\n?$/u.exec(text) ?? [];
  return pid === undefined || port === undefined || host === undefined
    ? undefined
    : { pid: Number(pid), port: Number(port), host };
}

/** Takes the lock, or tells who has it. A lock whose process is gone is taken over. */
export function takeLock(
  home: string,
  holder: LockHolder,
): { readonly kind: "taken" } | { readonly kind: "held"; readonly by: LockHolder } {
  for (let attempt = 0; attempt < 3; attempt += 1) {
    if (createLock(home, holder)) return { kind: "taken" };
    const other = readLock(home);
    if (other !== undefined && isAlive(other.pid)) return { kind: "held", by: other };
    rmSync(lockPath(home), { force: true });
  }
  return { kind: "held", by: readLock(home) ?? holder };
}

/** Writes the port once it is known. Only the holder calls it. */
export function updateLock(home: string, holder: LockHolder): void {
  const file = openSync(lockPath(home), "w", 0o600);
  writeSync(file, line(holder));
  closeSync(file);
}

export function releaseLock(home: string, pid: number): void {
  if (readLock(home)?.pid === pid) rmSync(lockPath(home), { force: true });
}

function createLock(home: string, holder: LockHolder): boolean {
  try {
    const file = openSync(lockPath(home), "wx", 0o600);
    writeSync(file, line(holder));
    closeSync(file);
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EEXIST") return false;
    throw error;
  }
}

function line({ pid, port, host }: LockHolder): string {
  return `${pid} ${port} ${host}\n`;
}

/** A process that exists but belongs to somebody else is alive, too. */
function isAlive(pid: number): boolean {
  if (pid === process.pid) return true;
  try {
    process.kill(pid, 0);
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
  return isOurProgram(pid);
}

/** After a crash the system may have given the number to another program; where that can be seen, it is looked at. */
function isOurProgram(pid: number): boolean {
  try {
    return /memsvc|main\.cjs/u.test(readFileSync(`/proc/${pid}/cmdline`, "utf8"));
  } catch {
    // Not Linux, or not ours to read: the number alone must do.
    return true;
  }
}
