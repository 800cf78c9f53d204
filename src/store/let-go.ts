import { setImmediate as turn } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/**
 * Windows neither renames nor removes a file that somebody has open, and connections that were closed have theirs open until
 * their statements are collected (local-connection.ts). Has that done, there alone.
 */
export async function letGoOfClosed(): Promise<void> {
  if (process.platform !== "win32") return;
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  collect();
  await turn();
}
