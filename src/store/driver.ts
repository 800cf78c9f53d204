import type { Sql } from "./sql.ts";

/** One writer's view of a database. The write queue ensures that at most one transaction is open at a time. */
export interface Driver {
  /** A local file, or a database server, which does its own file handling. */
  readonly kind: "file" | "server";
  /** Reads committed data. */
  readonly reader: Sql;
  /** Opens a separate connection that sees what is committed now, and nothing that comes later. */
  openView(): Promise<View>;
  /** Takes the write lock (BEGIN IMMEDIATE) and returns the transaction that holds it. */
  begin(): Promise<OpenTransaction>;
  /** Drops all connections; new ones are opened at the next use. Needed after SQLITE_BUSY. */
  reconnect(): void;
  /**
   * Switches to another database file, if another process has put one in this one's place. Errors: store_newer,
   * store_damaged; unavailable if its schema is older. Each call looks again.
   */
  followFile(): void;
  /** Calls the listener after each such switch. Never, where the database cannot be replaced. */
  onReplaced(listener: () => void): void;
  /**
   * Empties the write-ahead log, which still contains what was overwritten or deleted since. Nothing may be written
   * meanwhile. Returns false if others use the log just now.
   */
  emptyLog(): Promise<boolean>;
  /** Resolves when no background work is running any more (nobody else awaits it); then the driver may be closed. */
  settled(): Promise<void>;
  close(): void;
}

export interface View extends Sql {
  close(): Promise<void>;
}

export interface OpenTransaction extends Sql {
  /** Resolves when the transaction is as durable as the store's setting promises. */
  commit(): Promise<void>;
  rollback(): Promise<void>;
  /** Leaves a maintenance statement to the commit, which runs it first and fails if it fails. */
  leaveToCommit(statement: string): void;
  /**
   * Changes whenever somebody else has written since the last transaction: then nothing remembered about the database
   * is valid any more. Undefined if it cannot be told.
   */
  foreignVersion(): Promise<string | undefined>;
  /** False if the database itself has rolled back, as it does on a full disk. */
  readonly isOpen: boolean;
}
