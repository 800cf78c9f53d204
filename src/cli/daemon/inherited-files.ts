import { readdirSync, readFileSync } from "node:fs";

/** What Linux notes of an open file that no program started later gets (O_CLOEXEC, fcntl.h). */
const closeOnExec = 0o2000000;
const lastStandard = 2;

/**
 * The numbers of files that were open when this process was started and that what it starts would hold open in its
 * turn, as a shell's lock (`exec 200> lock; flock 200`). Node closes none above a gap in the numbers; other systems than
 * Linux have libuv start programs without them.
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
    // The one that the listing itself had open.
    return false;
  }
}
