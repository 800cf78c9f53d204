import type { Sql } from "./sql.ts";

/** One writer's view of a database. At most one transaction is open at a time; the write queue sees to that. */
export interface Driver {
  /** A file of this machine, or a server that has its own ways with files. */
  readonly kind: "file" | "server";
  /** For reading: sees what is committed. */
  readonly reader: Sql;
  /** A connection of its own that sees what was committed when it was opened, and nothing after. */
  openView(): Promise<View>;
  /** Takes the write lock (BEGIN IMMEDIATE) and gives the connection that holds it. */
  begin(): Promise<OpenTransaction>;
  /** Drops every connection and opens new ones at the next use: the cure after SQLITE_BUSY. */
  reconnect(): void;
  /**
   * Goes over to another database that another process has put in this one's place, if one has. Errors: store_newer,
   * store_damaged, unavailable where it is of an older schema; it is looked at anew each time.
   */
  followFile(): void;
  /** Told whenever it has gone over to such a database. Where there can be none, never. */
  onReplaced(listener: () => void): void;
  /** Resolves when nothing of it is under way that nobody waits for; then it may be closed. */
  settled(): Promise<void>;
  close(): void;
}

export interface View extends Sql {
  close(): Promise<void>;
}

export interface OpenTransaction extends Sql {
  /** Returns when the transaction is as durable as the store's setting promises. */
  commit(): Promise<void>;
  rollback(): Promise<void>;
  /** Leaves a statement of upkeep to the commit, which carries it out first, and fails when it fails. */
  leaveToCommit(statement: string): void;
  /**
   * Another value than in the transaction before when somebody else has written since: what was remembered of the
   * database then holds no more. Undefined where that cannot be told.
   */
  foreignVersion(): Promise<string | undefined>;
  /** False once the database itself has rolled back, as it does on a full disk. */
  readonly isOpen: boolean;
}
