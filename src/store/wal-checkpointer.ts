import { pathToFileURL } from "node:url";
import { LocalConnection, type LocalDriverOptions } from "./local-connection.ts";

/** Whoever commits meanwhile is served by the same run; whoever commits while it runs, by the next. */
const pauseMs = 100;
/** It reads no pages of the database. */
const cacheKib = 64;

/**
 * Moves what commits leave in the write-ahead log into the database, on a thread of the native module and beside those who
 * write and read. A commit that had to do it would keep its writer waiting, and everybody behind it, until the database is
 * flushed to the disk: tens of milliseconds where that is large.
 */
export class WalCheckpointer {
  readonly #options: LocalDriverOptions;
  #connection: LocalConnection | undefined;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | undefined;
  /** Something was committed since the run began that is under way. */
  #isBehind = false;

  constructor(options: LocalDriverOptions) {
    // Of a file that is gone by then the connection would make an empty one, and take away the log of the other.
    this.#options = { ...options, path: `${pathToFileURL(options.path).href}?mode=rw` };
  }

  /** Told of every commit. */
  committed(): void {
    if (this.#running !== undefined) this.#isBehind = true;
    else this.#timer ??= setTimeout(() => this.#run(), pauseMs).unref();
  }

  /** Resolves when nothing is being moved. */
  async settled(): Promise<void> {
    await this.#running;
  }

  /** Lets go of the database, once nothing is being moved. */
  close(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#isBehind = false;
    const connection = this.#connection;
    this.#connection = undefined;
    if (this.#running === undefined) connection?.close();
    else void this.#running.finally(() => connection?.close());
  }

  #run(): void {
    this.#timer = undefined;
    this.#running = this.#move().finally(() => {
      this.#running = undefined;
      if (!this.#isBehind) return;
      this.#isBehind = false;
      this.committed();
    });
  }

  async #move(): Promise<void> {
    try {
      this.#connection ??= new LocalConnection(this.#options, { cacheKib });
      await this.#connection.valuesInBackground("PRAGMA wal_checkpoint(PASSIVE)");
    } catch {
      // What was not moved is safe in the log, and what is wrong with the disk is told by the next commit.
      this.#connection?.close();
      this.#connection = undefined;
    }
  }
}
