import { setTimeout as pause } from "node:timers/promises";
import { inodeOf } from "../paths/inode.ts";
import { damagedStore } from "./damage.ts";
import type { Driver, OpenTransaction, View } from "./driver.ts";
import { isBusy } from "./faults.ts";
import { refuseOtherSchema } from "./file-header.ts";
import { openFileView } from "./file-view.ts";
import {
  type ConnectionOptions,
  LocalConnection,
  type LocalDriverOptions,
  lazyConnection,
} from "./local-connection.ts";
import { registerConnection } from "./lock-safe-read.ts";
import { schemaVersion } from "./migrate.ts";
import { finishReplacement, removeWalFiles, unfinishedReplacementCheck, walPath } from "./replacement.ts";
import type { Sql } from "./sql.ts";
import { WalCheckpointer } from "./wal-checkpointer.ts";

/** A cache of twice that size made no search quicker. */
const usualReaderCacheKib = 4_000;
/** How long a write blocks this thread while another process has the lock. Most commits of others are over by then. */
const writerBusyTimeoutMs = 5;
/** The pause before the next attempt, in which the event loop runs. */
const lockPauseMs = 15;
/** How long all these attempts go on. */
const lockWaitMs = 1_000;

/** A local file, which must exist: one connection for writing and one for reading, both opened at first use. */
export class LocalDriver implements Driver {
  readonly kind = "file";
  readonly #options: LocalDriverOptions;
  readonly #log: WalCheckpointer;
  #writer: LocalConnection | undefined;
  /**
   * How many writing connections there have been. Part of foreignVersion, because each connection counts the commits of
   * others from zero.
   */
  #writers = 0;
  /**
   * Reused by all transactions of the writing connection, so that what is remembered for this object lasts as long as
   * the connection.
   */
  #transaction: OpenTransaction | undefined;
  /**
   * Inode of the file in use: it stays the same when the file's name is given to another file. Read before the file is
   * opened, so that a replacement in between is noticed later rather than missed.
   */
  #inode: bigint | undefined;
  /** Inode of the write-ahead log of the open connections; undefined while there are none. */
  #logInode: bigint | undefined;
  #replaced: () => void = () => undefined;
  readonly #isReplacementUnfinished: () => boolean;
  #reader: LocalConnection | undefined;
  readonly reader: Sql;

  constructor(options: LocalDriverOptions) {
    this.#options = options;
    this.#log = new WalCheckpointer(options);
    this.#isReplacementUnfinished = unfinishedReplacementCheck(options.path);
    const connection = () => {
      this.#reader ??= this.#connect({ cacheKib: options.readerCacheKib ?? usualReaderCacheKib });
      return this.#reader;
    };
    this.reader = lazyConnection(connection);
  }

  async openView(): Promise<View> {
    this.#refuseMissing();
    // Another file in the store's place must not be opened beside the log of the old one.
    this.followFile();
    return openFileView(this.#options);
  }

  async begin(): Promise<OpenTransaction> {
    const writer = await this.#lockedWriter();
    let isUnfinished: boolean;
    try {
      isUnfinished = this.#isReplacementUnfinished();
      if (!isUnfinished && inodeOf(this.#options.path) === this.#inode) {
        this.#logInode ??= inodeOf(walPath(this.#options.path));
        this.#transaction ??= transactionOn(writer, this.#writers, () => this.#log.committed());
        return this.#transaction;
      }
    } catch (error) {
      // The folder may be unreadable for a moment, as when too many files are open.
      writer.exec("ROLLBACK");
      throw error;
    }
    writer.exec("ROLLBACK");
    if (isUnfinished) await finishReplacement(this.#options.path);
    this.#refuseMissing();
    this.followFile();
    return this.begin();
  }

  async #lockedWriter(): Promise<LocalConnection> {
    const until = performance.now() + lockWaitMs;
    for (;;) {
      try {
        // In the pause this driver may have gone over to another file.
        const writer = this.#openWriter();
        writer.exec("BEGIN IMMEDIATE");
        return writer;
      } catch (error) {
        if (!isBusy(error) || performance.now() >= until) throw error;
      }
      await pause(lockPauseMs);
    }
  }

  #openWriter(): LocalConnection {
    if (this.#writer === undefined) {
      this.#writer = this.#connect({ busyTimeoutMs: writerBusyTimeoutMs });
      this.#writers += 1;
    }
    return this.#writer;
  }

  followFile(): void {
    const inode = inodeOf(this.#options.path);
    if (this.#inode === undefined || inode === undefined || inode === this.#inode) return;
    // Before the check, which may refuse the file: the log would otherwise still be there when a restart opens the
    // file.
    this.#dropForeignLog();
    refuseOtherSchema(this.#options.path, schemaVersion);
    this.reconnect();
    this.#inode = inode;
    this.#replaced();
  }

  onReplaced(listener: () => void): void {
    this.#replaced = listener;
  }

  /**
   * Removes the old database's write-ahead log. A program that copies another file into the store's place leaves that
   * log beside it, and SQLite would play it into the new file. The inode identifies it: it cannot be reused while our
   * connections keep the log open.
   */
  #dropForeignLog(): void {
    const { path } = this.#options;
    if (this.#logInode !== undefined && inodeOf(walPath(path)) === this.#logInode) removeWalFiles(path);
  }

  #connect(options: ConnectionOptions): LocalConnection {
    this.#refuseMissing();
    this.#inode ??= inodeOf(this.#options.path);
    const connection = new LocalConnection(this.#options, options);
    registerConnection(this.#options.path);
    return connection;
  }

  /** Connecting to a missing file would create an empty one in its place. */
  #refuseMissing(): void {
    const { path } = this.#options;
    if (inodeOf(path) === undefined)
      throw damagedStore(path, "was removed while it was in use; nothing was written");
  }

  reconnect(): void {
    this.close();
  }

  emptyLog(): Promise<boolean> {
    return this.#log.empty();
  }

  settled(): Promise<void> {
    return this.#log.settled();
  }

  close(): void {
    this.#log.close();
    this.#reader?.close();
    this.#writer?.close();
    this.#reader = undefined;
    this.#writer = undefined;
    this.#transaction = undefined;
    this.#logInode = undefined;
  }
}

function transactionOn(writer: LocalConnection, number: number, committed: () => void): OpenTransaction {
  let left: string[] = [];
  return {
    all: (text, args) => writer.all(text, args),
    values: (text, args) => writer.values(text, args),
    run: (text, args) => writer.run(text, args),
    commit: async () => {
      await writer.execInBackground([...left, "COMMIT"].join(";"));
      left = [];
      committed();
    },
    rollback: async () => {
      left = [];
      if (writer.inTransaction) writer.exec("ROLLBACK");
    },
    leaveToCommit: (statement) => {
      left.push(statement);
    },
    foreignVersion: async () => {
      const [row] = await writer.values("PRAGMA data_version");
      return `${number}.${row?.[0]}`;
    },
    get isOpen() {
      return writer.inTransaction;
    },
  };
}
