import type { OpenTransaction } from "./driver.ts";
import { type Orm, ormOver } from "./orm.ts";
import type { Sql } from "./sql.ts";

/** A connection with drizzle over it: `sql` for hot paths and for what a builder cannot say, `orm` for the rest. */
export interface Connection {
  readonly sql: Sql;
  readonly orm: Orm;
}

/** The store as it was at one moment, for as long as it is open. */
export interface StoreView extends Connection {
  close(): Promise<void>;
}

/** A write transaction. Only what it gives may be awaited inside. */
export interface Transaction extends Connection {
  readonly isTransaction: true;
  /** Leaves something to be done at the end of the transaction, or before anything else reads in it. */
  atEnd(work: () => Promise<void>): void;
  /** Does now what was left for the end: for whoever changes something of it, in the same work or in another's commit. */
  settleLeft(): Promise<void>;
  /**
   * Leaves a statement of upkeep to be carried out right before the commit and on its thread: one that changes nothing of
   * what anybody reads.
   */
  leaveToCommit(statement: string): void;
  /** Stays the same until somebody else has written, another process or machine; undefined where that cannot be told. */
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
    // Nobody else writes while this one is open.
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
