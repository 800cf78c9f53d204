import { rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { isObject } from "../json/is-object.ts";
import { jsonIn } from "../json/json-in.ts";
import { controlFileIn, writeControlFile } from "../paths/control-file.ts";

/** Settings that were given to the daemon as flags, by name. */
export type StartFlags = Readonly<Partial<Record<string, string>>>;

function startFlagsPath(home: string): string {
  return join(home, "memsvc.start.json");
}

/** Remembers the flags with which a home's daemon was started, until it is stopped properly. */
export function saveStartFlags(home: string, flags: StartFlags): void {
  writeControlFile(startFlagsPath(home), `${JSON.stringify(flags)}\n`);
}

/** A folder in the file's place is left alone. Errors: the system's. */
export function deleteStartFlags(home: string): void {
  const path = startFlagsPath(home);
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() !== true) rmSync(path, { force: true });
}

/** The flags of the daemon that is running, crashed, or failed to restart; undefined if none can be read. */
export function readStartFlags(home: string): StartFlags | undefined {
  const kept = jsonIn(controlFileIn(startFlagsPath(home)) ?? "");
  // A crash can leave a partial file.
  if (!isObject(kept)) return undefined;
  const isText = (flag: [string, unknown]): flag is [string, string] => typeof flag[1] === "string";
  return Object.fromEntries(Object.entries(kept).filter(isText));
}
