import { readdirSync, readFileSync } from "node:fs";

/** O_CLOEXEC (fcntl.h) in Linux's flags of an open file: programs started later do not inherit it. */
const closeOnExec = 0o2000000;
const lastStandard = 2;

/**
 * Descriptors that this process has inherited and that a child would hold open too, such as the lock of a shell that ran
 * `exec 200> lock; flock 200`. Node closes none above a gap in the numbers. Needed on Linux only: elsewhere libuv
 * starts programs without them.
 */
export function inheritedFiles(): number[] {
  let names: string[];
  try {
    names = readdirSync("/proc/self/fd");
  } catch {
    return [];
  }
  return names.map(Number).filter((number) => number > lastStandard && isInherited(number));
}

function isInherited(number: number): boolean {
  try {
    const flags = /^flags:\s*(\d+)$/mu.exec(readFileSync(`/proc/self/fdinfo/${number}`, "utf8"))?.[1];
    return flags !== undefined && (Number.parseInt(flags, 8) & closeOnExec) === 0;
  } catch {
    // The descriptor of the listing itself, which is closed by now.
    return false;
  }
}
