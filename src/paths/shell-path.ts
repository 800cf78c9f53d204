/* Paths in the commands of POSIX shells, on Windows those of Git Bash. */

/** A path as a shell gives it in a variable: it would take the backslashes of one from Windows for escapes. */
export function inShell(path: string): string {
  return /^(?:[a-z]:|\\)\\/iu.test(path) ? path.replaceAll("\\", "/") : path;
}

/** A path from a command, as the system knows it: Git Bash writes `/c/code` for `c:/code`. */
export function outOfShell(path: string, platform: NodeJS.Platform = process.platform): string {
  return platform === "win32" ? path.replace(/^\/([a-z])(?:\/|$)/iu, "$1:/") : path;
}
