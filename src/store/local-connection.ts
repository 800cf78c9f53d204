import Database from "libsql";
import BackgroundDatabase from "libsql/promise";
import { keepRecent } from "../keep-recent.ts";
import type { Sql, SqlRow, SqlValue } from "./sql.ts";

/*
 * Connections to a local file. They call libSQL's native module with statements that stay prepared: on the write path
 * 20 µs per statement, against 60 to 180 µs through the client library and the query builder, which is the difference
 * between 1,500 acknowledged events a second and 500.
 *
 * Pitfalls of the native module, and how they are avoided:
 * - a busy timeout set by PRAGMA applies to one connection only: it is given when the connection is opened;
 * - a Buffer as the single bare argument aborts the process: arguments are always passed as one array;
 * - run() on a statement with RETURNING leaves the row uncommitted: such statements go through all();
 * - get() may leave its statement half stepped, which would hold an old snapshot: all() steps to the end;
 * - close() leaves the file and its log open until the connection's statements are garbage-collected: whoever puts
 *   another file in a store's place must remove the log, or SQLite would play it into that file.
 */

/** Short, because waiting blocks this thread. */
const usualBusyTimeoutMs = 1_000;
const maxStatements = 300;
/**
 * Fallback for wal-checkpointer.ts: a commit that finds this many pages (32 MB) in the write-ahead log moves the rest
 * of it into the database, while writers wait. Needed because the log cannot restart as long as others write beside the
 * checkpointer.
 */
const autocheckpointPages = 8_000;
/**
 * A large import leaves a log of gigabytes. After it was moved into the database, the log's file is truncated to this
 * size.
 */
const keptLogBytes = 64 * 1024 * 1024;

const usualCacheKib = 8_000;

export interface LocalDriverOptions {
  readonly path: string;
  /**
   * `full`: a commit returns after the disk has flushed. `relaxed`: after the write; a power loss may lose the last
   * commits.
   */
  readonly durability: "full" | "relaxed";
  /** Nothing is written. `path` is then an SQLite URI (https://www.sqlite.org/uri.html), which says how to read. */
  readonly isReadOnly?: boolean;
  /** Size of the page cache of the reading connection, in KiB. */
  readonly readerCacheKib?: number;
}

/** The options in which connections to one file differ. */
export interface ConnectionOptions {
  readonly cacheKib?: number | undefined;
  /** How long a statement waits for a lock, which blocks this thread. */
  readonly busyTimeoutMs?: number;
}

type Statement = ReturnType<InstanceType<typeof Database>["prepare"]>;

/** The part of a statement's asynchronous interface that we use; the native module's types lack it. */
interface BackgroundStatement {
  raw(raw: boolean): void;
  all(args: readonly SqlValue[]): Promise<SqlValue[][]>;
}

/** One connection to a file. */
export class LocalConnection implements Sql {
  readonly #database: InstanceType<typeof Database>;
  readonly #statements = new Map<string, Statement>();
  readonly #inBackground = new Map<string, BackgroundStatement>();

  constructor(
    options: LocalDriverOptions,
    { cacheKib = usualCacheKib, busyTimeoutMs = usualBusyTimeoutMs }: ConnectionOptions = {},
  ) {
    this.#database = new Database(options.path, { timeout: busyTimeoutMs });
    if (options.isReadOnly) {
      this.#database.exec(`PRAGMA temp_store = MEMORY; PRAGMA cache_size = -${cacheKib}`);
      return;
    }
    // On macOS a plain fsync leaves the last writes, and their order, to the disk's own cache
    // (https://www.sqlite.org/pragma.html#pragma_fullfsync).
    const isFull = options.durability === "full";
    // ON also overwrites the pages that a deletion frees, where long texts are. FAST would spare these writes: 1 % of
    // what a captured event writes.
    this.#database.exec(
      `PRAGMA foreign_keys = ON; PRAGMA secure_delete = ON; PRAGMA synchronous = ${isFull ? "FULL" : "NORMAL"};` +
        `PRAGMA fullfsync = ${isFull ? "ON" : "OFF"}; PRAGMA checkpoint_fullfsync = ON;` +
        `PRAGMA temp_store = MEMORY; PRAGMA wal_autocheckpoint = ${autocheckpointPages}; PRAGMA journal_size_limit = ${keptLogBytes}; PRAGMA cache_size = -${cacheKib};`,
    );
  }

  get inTransaction(): boolean {
    return this.#database.open && this.#database.inTransaction;
  }

  async all<Row = SqlRow>(text: string, args: readonly SqlValue[] = []): Promise<Row[]> {
    // The caller states the shape of the rows beside its SELECT; it cannot be checked here.
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

  /** Like values(), on one of the native module's threads. Nothing else may use the connection meanwhile. */
  async valuesInBackground(text: string, args: readonly SqlValue[] = []): Promise<SqlValue[][]> {
    let statement = this.#inBackground.get(text);
    if (statement === undefined) {
      statement = (await BackgroundDatabase.prototype.prepare.call(
        this.#database,
        text,
      )) as BackgroundStatement;
      statement.raw(true);
      this.#inBackground.set(text, statement);
    }
    return statement.all(args);
  }

  exec(text: string): void {
    this.#database.exec(text);
  }

  /** Runs a statement on one of the native module's threads, without blocking this one. */
  async execInBackground(text: string): Promise<void> {
    await BackgroundDatabase.prototype.exec.call(this.#database, text);
  }

  close(): void {
    this.#statements.clear();
    this.#inBackground.clear();
    if (this.#database.open) this.#database.close();
  }

  #prepare(text: string, raw: boolean): Statement {
    const key = raw ? `\u0000${text}` : text;
    const known = this.#statements.get(key);
    if (known !== undefined) return known;
    const statement = this.#database.prepare(text);
    if (raw && statement.reader) statement.raw(true);
    keepRecent(this.#statements, key, statement, maxStatements);
    return statement;
  }
}

/** A connection that is opened at its first use. */
export function lazyConnection(connection: () => LocalConnection): Sql {
  return {
    all: async (text, args) => connection().all(text, args),
    values: async (text, args) => connection().values(text, args),
    run: async (text, args) => connection().run(text, args),
  };
}
