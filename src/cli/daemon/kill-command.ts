/** The command with which a user kills a process. With dashes, because Git Bash takes `/F` for a path. */
export function killCommand(pid: number): string {
  return process.platform === "win32" ? `taskkill -f -pid ${pid}` : `kill -9 ${pid}`;
}
