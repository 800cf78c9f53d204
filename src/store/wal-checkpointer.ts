import { pathToFileURL } from "node:url";
import { LocalConnection, type LocalDriverOptions } from "./local-connection.ts";

/**
 * How long a run waits after a commit. One run serves all commits until it begins; commits during it are served by the
 * next.
 */
const pauseMs = 100;
/** Small, because checkpoints do not read pages of the database. */
const cacheKib = 64;
/** How long emptying the log waits for readers, and all writers with it. */
const busyTimeoutMs = 200;

/** `TRUNCATE` also empties the log, and to do so waits for readers. */
type Mode = "PASSIVE" | "TRUNCATE";

/**
 * Moves the write-ahead log into the database, on a thread of the native module, beside readers and writers. A commit
 * that had to do it would make its writer, and all behind it, wait until the database is flushed to disk: tens of
 * milliseconds if the database is large.
 */
export class WalCheckpointer {
  readonly #options: LocalDriverOptions;
  #connection: LocalConnection | undefined;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<unknown> | undefined;
  /** Whether something was committed since the current run began. */
  #isBehind = false;

  constructor(options: LocalDriverOptions) {
    // `mode=rw`: if the file has been deleted, connecting must not create an empty one, nor remove the new database's
    // log.
    this.#options = { ...options, path: `${pathToFileURL(options.path).href}?mode=rw` };
  }

  /** To be called after every commit. */
  committed(): void {
    if (this.#running !== undefined) this.#isBehind = true;
    else this.#timer ??= setTimeout(() => this.#run("PASSIVE"), pauseMs).unref();
  }

  /** Empties the log; returns false if others read or write. Nothing may be committed meanwhile. */
  async empty(): Promise<boolean> {
    await this.#running;
    this.#isBehind = this.#timer !== undefined;
    clearTimeout(this.#timer);
    return this.#run("TRUNCATE");
  }

  /** Resolves when no run is in progress. */
  async settled(): Promise<void> {
    await this.#running;
  }

  /** Closes the connection, once no run is in progress. */
  close(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#isBehind = false;
    const connection = this.#connection;
    this.#connection = undefined;
    if (this.#running === undefined) connection?.close();
    else void this.#running.finally(() => connection?.close());
  }

  #run(mode: Mode): Promise<boolean> {
    this.#timer = undefined;
    const run = this.#checkpoint(mode).finally(() => {
      this.#running = undefined;
      if (!this.#isBehind) return;
      this.#isBehind = false;
      this.committed();
    });
    this.#running = run;
    return run;
  }

  /** Returns whether nobody was in the way. */
  async #checkpoint(mode: Mode): Promise<boolean> {
    try {
      this.#connection ??= new LocalConnection(this.#options, { cacheKib, busyTimeoutMs });
      const [row] = await this.#connection.valuesInBackground(`PRAGMA wal_checkpoint(${mode})`);
      return row?.[0] === 0;
    } catch {
      // What was not moved is safe in the log; trouble with the disk will show at the next commit.
      this.#connection?.close();
      this.#connection = undefined;
      return false;
    }
  }
}
