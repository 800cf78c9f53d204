import type { OpenTransaction } from "./driver.ts";
import { type Orm, ormOver } from "./orm.ts";
import type { Sql } from "./sql.ts";

/**
 * A connection with drizzle over it: `sql` for hot paths and for SQL that the builder cannot express, `orm` for the
 * rest.
 */
export interface Connection {
  readonly sql: Sql;
  readonly orm: Orm;
}

/** The store as it was at one moment, until it is closed. */
export interface StoreView extends Connection {
  close(): Promise<void>;
}

/** A write transaction. Inside it, nothing may be awaited but its own methods. */
export interface Transaction extends Connection {
  readonly isTransaction: true;
  /** Defers work to the end of the transaction, or until `settleLeft` is called before. */
  atEnd(work: () => Promise<void>): void;
  /**
   * Runs the deferred work now: for work that reads or changes what was deferred, by itself or by other work in the
   * same commit.
   */
  settleLeft(): Promise<void>;
  /**
   * Leaves a maintenance statement to the commit, which runs it first, on its own thread. It must not change anything
   * that anybody reads.
   */
  leaveToCommit(statement: string): void;
  /** Stays the same until another process or machine has written; undefined if that cannot be told. */
  foreignVersion(): Promise<string | undefined>;
}

export function transactionIn(open: OpenTransaction): Transaction {
  let left: (() => Promise<void>)[] = [];
  const settleLeft = async () => {
    const works = left;
    left = [];
    for (const work of works) await work();
  };
  let version: Promise<string | undefined> | undefined;
  const foreignVersion = () => {
    // Constant during a transaction: nobody else can write while it is open.
    version ??= open.foreignVersion();
    return version;
  };
  const atEnd = (work: () => Promise<void>) => {
    left.push(work);
  };
  const leaveToCommit = (statement: string) => open.leaveToCommit(statement);
  return transactionOver(open, { atEnd, settleLeft, foreignVersion, leaveToCommit });
}

export function transactionOver(
  sql: Sql,
  endings: Omit<Transaction, keyof Connection | "isTransaction">,
): Transaction {
  const { atEnd, settleLeft, leaveToCommit, foreignVersion } = endings;
  return connectionOver(sql, {
    isTransaction: true,
    atEnd,
    settleLeft,
    leaveToCommit,
    foreignVersion,
  } as const);
}

export function connectionOver<Extra extends object>(sql: Sql, extra: Extra): Connection & Extra {
  let orm: Orm | undefined;
  return {
    ...extra,
    sql,
    get orm() {
      orm ??= ormOver(sql);
      return orm;
    },
  };
}
