import { readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isObject } from "../json/is-object.ts";
import { jsonIn } from "../json/json-in.ts";

/** Settings that the daemon's flags gave it, by name. */
export type StartFlags = Readonly<Partial<Record<string, string>>>;

function startFlagsPath(home: string): string {
  return join(home, "memsvc.start.json");
}

/** Remembers with which flags the daemon of a home was started, until it is stopped for good. */
export function saveStartFlags(home: string, flags: StartFlags): void {
  writeFileSync(startFlagsPath(home), `${JSON.stringify(flags)}\n`, { mode: 0o600 });
}

/** A folder in their place holds none. Errors: the system's. */
export function deleteStartFlags(home: string): void {
  const path = startFlagsPath(home);
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() !== true) rmSync(path, { force: true });
}

/** The flags of the daemon that runs, or came to no proper end, or could not start again; undefined where none can be read. */
export function readStartFlags(home: string): StartFlags | undefined {
  try {
    const kept = jsonIn(readFileSync(startFlagsPath(home), "utf8"));
    // Half of a text is what a crash left.
    if (!isObject(kept)) return undefined;
    const isText = (flag: [string, unknown]): flag is [string, string] => typeof flag[1] === "string";
    return Object.fromEntries(Object.entries(kept).filter(isText));
  } catch {
    // No file is the ordinary case of no daemon.
    return undefined;
  }
}
