import { type LockHolder, readLock, takeLock } from "../config/lock-file.ts";
import { clearUnanswered } from "../config/unanswered.ts";
import { fileSize } from "../paths/file-size.ts";
import { fileIdentity } from "../paths/inode.ts";

interface WatchedHome {
  readonly home: string;
  /** The store's file; undefined where the store is on a database server. */
  readonly database: string | undefined;
  /** Called at each look, because another process may have replaced the database. */
  readonly follow: () => void;
}

/**
 * Watches for a home that is deleted under its daemon: returns a look at it, to be taken every second or so. A missing
 * lock is put back: without it no command finds the daemon. If the folder or the database is gone or replaced, the
 * daemon would acknowledge writes that nobody can ever read: then the look returns that path.
 */
export function watchHome(watched: WatchedHome): () => string | undefined {
  const holder = readLock(watched.home);
  const folder = fileIdentity(watched.home);
  // Loss must be seen twice in a row: a database that is being replaced may be missing for a moment.
  let before: string | undefined;
  return () => {
    // The daemon is alive, so a note that it gave no answer is obsolete.
    clearUnanswered(watched.home);
    watched.follow();
    const lost = whatIsLost(watched, holder, folder);
    const isLost = lost === before;
    before = lost;
    return isLost ? lost : undefined;
  };
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
    // A place that cannot be read, such as a network disk that does not answer, is not known to be gone.
    return undefined;
  }
}

/** Puts the lock back; returns the home if another daemon has taken it. */
function lockAgain(home: string, holder: LockHolder | undefined): string | undefined {
  if (holder === undefined) return undefined;
  try {
    return takeLock(home, holder).kind === "taken" ? undefined : home;
  } catch {
    // For example a full disk: the next look tries again.
    return undefined;
  }
}

/** Empty means deleted: whoever opens a deleted database creates an empty file in its place. */
function holdsRows(database: string): boolean {
  return fileSize(database) > 0;
}
