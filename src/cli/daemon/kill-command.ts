/** The command by which a user ends a process that does not end by itself. With dashes, since Git Bash takes `/F` for a path. */
export function killCommand(pid: number): string {
  return process.platform === "win32" ? `taskkill -f -pid ${pid}` : `kill -9 ${pid}`;
}
