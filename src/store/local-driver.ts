import { statSync } from "node:fs";
import Database from "libsql";
import BackgroundDatabase from "libsql/promise";
import type { Driver, OpenTransaction, View } from "./driver.ts";
import type { Sql, SqlRow, SqlValue } from "./sql.ts";

/*
 * The driver of a local file. It speaks to libSQL's native module with statements that stay prepared:
 * measured per statement on the write path, 20 µs against 60 to 180 µs through the client library and the
 * query builder, which is the difference between 1,500 acknowledged events a second and 500.
 *
 * What the native module does wrong unless it is held right:
 * - a busy time-out set by PRAGMA reaches one connection only: it is given when the connection is opened;
 * - a Buffer as the single bare argument aborts the process: arguments always go in as one array;
 * - run() on a statement with RETURNING leaves the row uncommitted: such statements go through all();
 * - get() may leave its statement half stepped, which would hold an old snapshot: all() steps to the end;
 * - close() leaves the file open, with its log beside it, until the connection's statements are collected: who
 *   puts another file in a store's place must remove the log himself, or it would be played into that file.
 */

/** Short, because the thread waits with it; the write queue asks again. */
const busyTimeoutMs = 1_000;
const maxStatements = 300;
/**
 * A commit that finds so much in the write-ahead log moves it into the database, and its writers wait for that:
 * 16 MB. The daemon's search thread does it before, so this is for bursts and for a process alone.
 */
const autocheckpointPages = 4_000;
/** A large import leaves a log of gigabytes; once it has been moved into the database, this much of its file stays. */
const keptLogBytes = 64 * 1024 * 1024;

/** Twice as much made no search quicker, and what reads much in a daemon has a thread of its own. */
const readerCacheKib = 4_000;

export interface LocalDriverOptions {
  readonly path: string;
  /** `full`: a commit returns after the disk's flush. `relaxed`: after the write; power loss may take the last ones. */
  readonly durability: "full" | "relaxed";
  readonly cacheKib?: number;
}

type Statement = ReturnType<InstanceType<typeof Database>["prepare"]>;

class Connection implements Sql {
  readonly #database: InstanceType<typeof Database>;
  readonly #statements = new Map<string, Statement>();

  constructor(options: LocalDriverOptions) {
    this.#database = new Database(options.path, { timeout: busyTimeoutMs });
    this.#database.exec(
      `PRAGMA foreign_keys = ON; PRAGMA synchronous = ${options.durability === "full" ? "FULL" : "NORMAL"};` +
        `PRAGMA temp_store = MEMORY; PRAGMA wal_autocheckpoint = ${autocheckpointPages}; PRAGMA journal_size_limit = ${keptLogBytes}; PRAGMA cache_size = -${options.cacheKib ?? 8_000};`,
    );
  }

  get inTransaction(): boolean {
    return this.#database.open && this.#database.inTransaction;
  }

  async all<Row = SqlRow>(text: string, args: readonly SqlValue[] = []): Promise<Row[]> {
    // The caller states the row's shape beside the SELECT that makes it; nothing at run time could know it.
    return this.#prepare(text, false).all(args) as Row[];
  }

  async values(text: string, args: readonly SqlValue[] = []): Promise<SqlValue[][]> {
    const statement = this.#prepare(text, true);
    if (statement.reader) return statement.all(args) as SqlValue[][];
    statement.run(args);
    return [];
  }

  async run(text: string, args: readonly SqlValue[] = []): Promise<{ changes: number }> {
    return { changes: this.#prepare(text, false).run(args).changes };
  }

  exec(text: string): void {
    this.#database.exec(text);
  }

  /** Runs a statement on one of the native module's own threads, while this one goes on. */
  async execInBackground(text: string): Promise<void> {
    await BackgroundDatabase.prototype.exec.call(this.#database, text);
  }

  close(): void {
    this.#statements.clear();
    if (this.#database.open) this.#database.close();
  }

  #prepare(text: string, raw: boolean): Statement {
    const key = raw ? `\u0000${text}` : text;
    const known = this.#statements.get(key);
    if (known !== undefined) return known;
    const statement = this.#database.prepare(text);
    if (raw && statement.reader) statement.raw(true);
    if (this.#statements.size >= maxStatements) {
      const oldest = this.#statements.keys().next().value;
      if (oldest !== undefined) this.#statements.delete(oldest);
    }
    this.#statements.set(key, statement);
    return statement;
  }
}

/** A local file: one connection that writes, one that reads, both opened at first use. */
export class LocalDriver implements Driver {
  readonly kind = "file";
  readonly #options: LocalDriverOptions;
  #writer: Connection | undefined;
  /** The same one each time, so that what is remembered of a connection outlives a transaction. */
  #transaction: OpenTransaction | undefined;
  /** The file that the writer has open, which keeps its number while its name may pass to another. */
  #inode: number | undefined;
  #reader: Connection | undefined;
  readonly reader: Sql;

  constructor(options: LocalDriverOptions) {
    this.#options = options;
    const connection = () => {
      this.#reader ??= new Connection({ cacheKib: readerCacheKib, ...options });
      return this.#reader;
    };
    this.reader = {
      all: async (text, args) => connection().all(text, args),
      values: async (text, args) => connection().values(text, args),
      run: async (text, args) => connection().run(text, args),
    };
  }

  async openView(): Promise<View> {
    const connection = new Connection(this.#options);
    connection.exec("BEGIN");
    // The transaction sees the store as it is at its first read.
    await connection.all("SELECT 1 FROM sqlite_master LIMIT 1");
    return {
      all: (text, args) => connection.all(text, args),
      values: (text, args) => connection.values(text, args),
      run: (text, args) => connection.run(text, args),
      close: async () => {
        if (connection.inTransaction) connection.exec("ROLLBACK");
        connection.close();
      },
    };
  }

  async begin(): Promise<OpenTransaction> {
    if (this.#writer === undefined) {
      this.#writer = new Connection(this.#options);
      this.#inode = inodeOf(this.#options.path);
    }
    const writer = this.#writer;
    writer.exec("BEGIN IMMEDIATE");
    if (inodeOf(this.#options.path) !== this.#inode) {
      // Another process has put another database in this one's place.
      writer.exec("ROLLBACK");
      this.reconnect();
      return this.begin();
    }
    this.#transaction ??= transactionOn(writer);
    return this.#transaction;
  }

  reconnect(): void {
    this.close();
  }

  close(): void {
    this.#reader?.close();
    this.#writer?.close();
    this.#reader = undefined;
    this.#writer = undefined;
    this.#transaction = undefined;
  }
}

function inodeOf(path: string): number | undefined {
  return statSync(path, { throwIfNoEntry: false })?.ino;
}

function transactionOn(writer: Connection): OpenTransaction {
  return {
    all: (text, args) => writer.all(text, args),
    values: (text, args) => writer.values(text, args),
    run: (text, args) => writer.run(text, args),
    commit: () => writer.execInBackground("COMMIT"),
    rollback: async () => {
      if (writer.inTransaction) writer.exec("ROLLBACK");
    },
    get isOpen() {
      return writer.inTransaction;
    },
  };
}
