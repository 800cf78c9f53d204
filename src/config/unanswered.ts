import { readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { minuteMs } from "../time/durations.ts";

/*
 * Each tool call of an agent is a hook, a process of its own, and each would wait in vain for a daemon that hangs. So the first
 * leaves a note in the home, and for a minute the others do not ask that daemon. One that was only slow for a moment takes
 * the note away, as it goes on.
 */

/** How long a daemon that let an event wait in vain is not asked. */
export const restMs = minuteMs;

function notePath(home: string): string {
  return join(home, "memsvc.unanswered");
}

/** Notes that the daemon at an address gave no answer. */
export function noteUnanswered(home: string, url: string): void {
  try {
    writeFileSync(notePath(home), `${url}\n`, { mode: 0o600 });
  } catch {
    // A home that takes no note, as on a full disk: the next hook asks, as this one did.
  }
}

/** What the home's note says of an address. */
export function unansweredState(home: string, url: string): "asked in vain" | "due" | "unknown" {
  try {
    if (readFileSync(notePath(home), "utf8").trim() !== url) return "unknown";
    const ageMs = Date.now() - statSync(notePath(home)).mtimeMs;
    // A clock that was set back would let it be young for long.
    return Math.abs(ageMs) < restMs ? "asked in vain" : "due";
  } catch {
    // No note is the ordinary case.
    return "unknown";
  }
}

/** Takes the note away: the daemon is there. */
export function clearUnanswered(home: string): void {
  try {
    rmSync(notePath(home), { force: true });
  } catch {
    // On a disk that is read-only by now it stays, and counts for a minute.
  }
}
