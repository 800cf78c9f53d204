import { existsSync, statSync } from "node:fs";

const othersMay = 0o077;

/**
 * Whether users other than the owner may access a file or folder. Always false on Windows, where Node invents the mode.
 */
export function isOpenToOthers(path: string): boolean {
  return process.platform !== "win32" && existsSync(path) && (statSync(path).mode & othersMay) !== 0;
}

/** The mode of a file or folder without the rights of group and others. */
export function modeForOwner(path: string): number {
  return statSync(path).mode & ~othersMay;
}

/** Whether the system lets this user change the mode of a file or folder. */
export function mayChangeMode(path: string): boolean {
  const user = process.getuid?.();
  return user === 0 || user === statSync(path).uid;
}
