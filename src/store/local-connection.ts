import Database from "libsql";
import BackgroundDatabase from "libsql/promise";
import type { Sql, SqlRow, SqlValue } from "./sql.ts";

/*
 * Connections to a local file. They speak to libSQL's native module with statements that stay prepared:
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

/** Short, because the thread waits with it. */
const usualBusyTimeoutMs = 1_000;
const maxStatements = 300;
/**
 * A commit that finds so much in the write-ahead log, 32 MB, moves what is left of it into the database, and its writers wait
 * for that: the log cannot begin anew while others write beside the one who moves it (wal-checkpointer.ts).
 */
const autocheckpointPages = 8_000;
/** A large import leaves a log of gigabytes; once it has been moved into the database, this much of its file stays. */
const keptLogBytes = 64 * 1024 * 1024;

const usualCacheKib = 8_000;

export interface LocalDriverOptions {
  readonly path: string;
  /** `full`: a commit returns after the disk's flush. `relaxed`: after the write; power loss may take the last ones. */
  readonly durability: "full" | "relaxed";
  /** Nothing is written; `path` is then an address of SQLite's (https://www.sqlite.org/uri.html), which says how to read. */
  readonly isReadOnly?: boolean;
  /** Pages of the file that the connection that reads may keep. */
  readonly readerCacheKib?: number;
}

/** What connections to one file differ in. */
export interface OwnWays {
  readonly cacheKib?: number | undefined;
  /** How long a statement waits for others, and this thread with it. */
  readonly busyTimeoutMs?: number;
}

type Statement = ReturnType<InstanceType<typeof Database>["prepare"]>;

/** What the native module's other face prepares, whose types say nothing of it. */
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
    { cacheKib = usualCacheKib, busyTimeoutMs = usualBusyTimeoutMs }: OwnWays = {},
  ) {
    this.#database = new Database(options.path, { timeout: busyTimeoutMs });
    if (options.isReadOnly) {
      this.#database.exec(`PRAGMA temp_store = MEMORY; PRAGMA cache_size = -${cacheKib}`);
      return;
    }
    // What macOS does at fsync leaves the last writes, and their order, to the disk's own memory (https://www.sqlite.org/pragma.html#pragma_fullfsync).
    const isFull = options.durability === "full";
    // What is deleted is overwritten in the pages that a commit writes anyway: more, whole pages that become free, costs writes.
    this.#database.exec(
      `PRAGMA foreign_keys = ON; PRAGMA secure_delete = FAST; PRAGMA synchronous = ${isFull ? "FULL" : "NORMAL"};` +
        `PRAGMA fullfsync = ${isFull ? "ON" : "OFF"}; PRAGMA checkpoint_fullfsync = ON;` +
        `PRAGMA temp_store = MEMORY; PRAGMA wal_autocheckpoint = ${autocheckpointPages}; PRAGMA journal_size_limit = ${keptLogBytes}; PRAGMA cache_size = -${cacheKib};`,
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

  /** Like values(), on one of the native module's own threads; nothing else may use the connection meanwhile. */
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

  /** Runs a statement on one of the native module's own threads, while this one goes on. */
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
    if (this.#statements.size >= maxStatements) {
      const oldest = this.#statements.keys().next().value;
      if (oldest !== undefined) this.#statements.delete(oldest);
    }
    this.#statements.set(key, statement);
    return statement;
  }
}

/** A connection that is opened when something is first asked of it. */
export function lazyConnection(connection: () => LocalConnection): Sql {
  return {
    all: async (text, args) => connection().all(text, args),
    values: async (text, args) => connection().values(text, args),
    run: async (text, args) => connection().run(text, args),
  };
}
