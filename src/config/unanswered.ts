import { rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { readControlFile, writeControlFile } from "../paths/control-file.ts";
import { minuteMs } from "../time/durations.ts";

/*
 * Each tool call of an agent starts a hook process, and each of them would wait in vain for a daemon that hangs. So the
 * first one leaves a note in the home, and for a minute the others do not ask that daemon. A daemon that was only slow
 * for a moment removes the note itself.
 */

/** How long a daemon that did not answer is not asked again. */
export const restMs = minuteMs;

function notePath(home: string): string {
  return join(home, "memsvc.unanswered");
}

/** Notes that the daemon at an address gave no answer. */
export function noteUnanswered(home: string, url: string): void {
  try {
    writeControlFile(notePath(home), `${url}\n`);
  } catch {
    // If the note cannot be written, as on a full disk, the next hook asks again.
  }
}

/**
 * Whether the home's note names this address: "asked in vain" within the last minute, "due" if the minute is over,
 * "unknown" if there is no such note.
 */
export function unansweredState(home: string, url: string): "asked in vain" | "due" | "unknown" {
  try {
    if (readControlFile(notePath(home)).trim() !== url) return "unknown";
    const ageMs = Date.now() - statSync(notePath(home)).mtimeMs;
    // The absolute value: after a clock was set back, the note's age would be negative for long.
    return Math.abs(ageMs) < restMs ? "asked in vain" : "due";
  } catch {
    // No note: the usual case.
    return "unknown";
  }
}

/** Removes the note, because the daemon answers. */
export function clearUnanswered(home: string): void {
  try {
    rmSync(notePath(home), { force: true });
  } catch {
    // On a disk that became read-only it stays, and counts for a minute.
  }
}
