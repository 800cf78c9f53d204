import { setImmediate as turn } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/**
 * Frees the files of closed connections on Windows, where an open file can be neither renamed nor removed: a closed
 * connection keeps its file open until its statements are garbage-collected (local-connection.ts). Does nothing on
 * other systems.
 */
export async function releaseClosedDatabases(): Promise<void> {
  if (process.platform !== "win32") return;
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  collect();
  await turn();
}
