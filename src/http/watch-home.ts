import { type LockHolder, readLock, takeLock } from "../config/lock-file.ts";
import { clearUnanswered } from "../config/unanswered.ts";
import { fileSize } from "../paths/file-size.ts";
import { fileIdentity } from "../paths/inode.ts";

const lookMs = 1_000;

export interface WatchedHome {
  readonly home: string;
  /** The store's file; undefined where a server keeps the store. */
  readonly database: string | undefined;
  /** Done at each look: the database may have been replaced by another. */
  readonly follow: () => void;
}

/**
 * Keeps a daemon and its home together, whatever is deleted there. A lock that is gone is put back: without it no
 * command finds the daemon. Where the folder or the database is gone, nobody would ever read what the daemon goes on
 * acknowledging: then it resolves with what is gone. Stops looking when the signal says so.
 */
export function watchHome(watched: WatchedHome, signal: AbortSignal): Promise<string> {
  const holder = readLock(watched.home);
  const folder = fileIdentity(watched.home);
  return new Promise((resolve) => {
    // A database that is being replaced may be away for a moment.
    let before: string | undefined;
    const timer = setInterval(() => {
      // This daemon goes on, whoever it let wait.
      clearUnanswered(watched.home);
      watched.follow();
      const lost = whatIsLost(watched, holder, folder);
      if (lost !== undefined && lost === before) resolve(lost);
      before = lost;
    }, lookMs);
    timer.unref();
    signal.addEventListener("abort", () => clearInterval(timer), { once: true });
  });
}

function whatIsLost(
  { home, database }: WatchedHome,
  holder: LockHolder | undefined,
  folder: string | undefined,
): string | undefined {
  try {
    if (fileIdentity(home) === undefined) return home;
    const hasStore = database === undefined || holdsRows(database);
    if (readLock(home)?.pid !== process.pid) {
      if (fileIdentity(home) !== folder) return home;
      if (hasStore) return lockAgain(home, holder);
    }
    return hasStore ? undefined : database;
  } catch {
    // A place that does not answer, on a network say, is not known to be gone.
    return undefined;
  }
}

/** What is lost when somebody else has the home by now. */
function lockAgain(home: string, holder: LockHolder | undefined): string | undefined {
  if (holder === undefined) return undefined;
  try {
    return takeLock(home, holder).kind === "taken" ? undefined : home;
  } catch {
    // A full disk, say: the next look tries again.
    return undefined;
  }
}

/** Whoever opens a database that was deleted makes an empty file in its place. */
function holdsRows(database: string): boolean {
  return fileSize(database) > 0;
}
