import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Settings that the daemon's flags gave it, by name. */
export type StartFlags = Readonly<Partial<Record<string, string>>>;

function startFlagsPath(home: string): string {
  return join(home, "memsvc.start.json");
}

/** Remembers with which flags the daemon of a home was started, until it is stopped for good. */
export function saveStartFlags(home: string, flags: StartFlags): void {
  writeFileSync(startFlagsPath(home), `${JSON.stringify(flags)}\n`, { mode: 0o600 });
}

export function deleteStartFlags(home: string): void {
  rmSync(startFlagsPath(home), { force: true });
}

/** The flags of the daemon that runs, or came to no proper end, or could not start again; else none. */
export function readStartFlags(home: string): StartFlags {
  try {
    return JSON.parse(readFileSync(startFlagsPath(home), "utf8")) as StartFlags;
  } catch {
    // No file is the ordinary case of no daemon; half of one is what a crash left.
    return {};
  }
}
