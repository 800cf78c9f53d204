import { setTimeout as pause } from "node:timers/promises";
import { inodeOf } from "../paths/inode.ts";
import { damagedStore } from "./damage.ts";
import type { Driver, OpenTransaction, View } from "./driver.ts";
import { isBusy } from "./faults.ts";
import { refuseOtherSchema } from "./file-header.ts";
import { openFileView } from "./file-view.ts";
import {
  LocalConnection,
  type LocalDriverOptions,
  lazyConnection,
  type OwnWays,
} from "./local-connection.ts";
import { registerConnection } from "./lock-safe-read.ts";
import { schemaVersion } from "./migrate.ts";
import { finishReplacement, removeWalFiles, unfinishedReplacementCheck, walPath } from "./replacement.ts";
import type { Sql } from "./sql.ts";
import { WalCheckpointer } from "./wal-checkpointer.ts";

/** Twice as much made no search quicker. */
const usualReaderCacheKib = 4_000;
/** So long this thread waits with a write for the lock of another process, whose commit is mostly over by then; */
const writerBusyTimeoutMs = 5;
/** then the event loop has its turn for so long before it is asked for again, */
const lockPauseMs = 15;
/** until so much time is over. */
const lockWaitMs = 1_000;

/** A local file, which must be there: one connection that writes, one that reads, both opened at first use. */
export class LocalDriver implements Driver {
  readonly kind = "file";
  readonly #options: LocalDriverOptions;
  readonly #log: WalCheckpointer;
  #writer: LocalConnection | undefined;
  /** How many connections have written; each counts the commits of others anew. */
  #writers = 0;
  /** The same one each time, so that what is remembered of a connection outlives a transaction. */
  #transaction: OpenTransaction | undefined;
  /**
   * The file that is in use, which keeps its number while its name may pass to another. It is looked at before the file is
   * opened: what comes between is then noticed later, and never missed.
   */
  #inode: bigint | undefined;
  /** The log that the connections write to, while there are any. */
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
    return openFileView(this.#options);
  }

  async begin(): Promise<OpenTransaction> {
    const writer = await this.#lockedWriter();
    const isUnfinished = this.#isReplacementUnfinished();
    if (isUnfinished || inodeOf(this.#options.path) !== this.#inode) {
      writer.exec("ROLLBACK");
      if (isUnfinished) await finishReplacement(this.#options.path);
      this.#refuseMissing();
      this.followFile();
      return this.begin();
    }
    this.#logInode ??= inodeOf(walPath(this.#options.path));
    this.#transaction ??= transactionOn(writer, this.#writers, () => this.#log.committed());
    return this.#transaction;
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
    // First, and though the file is refused: whoever opens it at a restart would find the log.
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
   * A program that knows nothing of the log leaves it beside the file that it puts in the store's place, into which SQLite
   * would play it. No other log can have its number as long as connections keep it open.
   */
  #dropForeignLog(): void {
    const { path } = this.#options;
    if (this.#logInode !== undefined && inodeOf(walPath(path)) === this.#logInode) removeWalFiles(path);
  }

  #connect(ways: OwnWays): LocalConnection {
    this.#refuseMissing();
    this.#inode ??= inodeOf(this.#options.path);
    const connection = new LocalConnection(this.#options, ways);
    registerConnection(this.#options.path);
    return connection;
  }

  /** A connection to a file that is gone would make an empty one in its place. */
  #refuseMissing(): void {
    const { path } = this.#options;
    if (inodeOf(path) === undefined)
      throw damagedStore(path, "was removed while it was in use; nothing was written");
  }

  reconnect(): void {
    this.close();
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
