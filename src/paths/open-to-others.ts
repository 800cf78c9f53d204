import { existsSync, statSync } from "node:fs";

const othersMay = 0o077;

/** Whether others than its owner may use a file or folder. What Windows lets whom do is in no mode: there Node makes one up. */
export function isOpenToOthers(path: string): boolean {
  return process.platform !== "win32" && existsSync(path) && (statSync(path).mode & othersMay) !== 0;
}

/** The mode of a file or folder without what others may do. */
export function modeForOwner(path: string): number {
  return statSync(path).mode & ~othersMay;
}
