/**
 * Whether an absolute path on Windows names a stream of a file, as `memsvc.db::$DATA`, which is `memsvc.db` under another
 * name.
 */
export function namesStream(path: string, platform: NodeJS.Platform = process.platform): boolean {
  return platform === "win32" && path.replace(/^(?:\\\\[?.]\\)?[a-z]:/iu, "").includes(":");
}
