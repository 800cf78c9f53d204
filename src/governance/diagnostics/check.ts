import { firstColumn, firstNumber } from "../../store/sql.ts";
import type { Connection, Transaction } from "../../store/store.ts";

export const diagnosticCategories = [
  "actions",
  "leases",
  "sentinels",
  "sketches",
  "signals",
  "sessions",
  "memories",
  "lessons",
  "insights",
  "semantic",
  "procedural",
  "summaries",
  "crystals",
  "mesh",
  "graph",
  "index",
  "jobs",
  "images",
  "database",
] as const;

export type DiagnosticCategory = (typeof diagnosticCategories)[number];

/** What a check found to be wrong. */
export interface Finding {
  readonly status: "warn" | "fail";
  readonly message: string;
  /** Records that it concerns; nothing when it concerns none in particular. */
  readonly ids?: readonly string[];
  /** How many, where there are more than the ids. */
  readonly count?: number;
}

/** One thing that can be wrong with what a family keeps. The family declares it; diagnostics run it. */
export interface Check {
  readonly category: DiagnosticCategory;
  readonly name: string;
  /** Reads only. Undefined: nothing is wrong. */
  readonly find: (connection: Connection) => Promise<Finding | undefined>;
  /**
   * Puts right what was found, in the one transaction of the heal. Returns what it did, one line a record, and how
   * many records it put right. A check without it can only be looked at by people. A dry run takes the transaction
   * back, so what is not in the database is left to `afterwards`.
   */
  readonly heal?: (tx: Transaction) => Promise<Healed>;
  /** What people can do about what nothing heals. */
  readonly hint?: string;
}

export interface Healed {
  readonly fixed: number;
  readonly details: readonly string[];
  /** What is done outside the database once the heal is kept. */
  readonly afterwards?: () => Promise<void>;
}

const mostIds = 1_000;

/** A finding about the records that a statement names: `SELECT id … `, which is asked for a thousand at the most. */
export async function findingOf(
  { sql }: Pick<Connection, "sql">,
  query: string,
  args: readonly (string | number)[],
  finding: (count: number) => Pick<Finding, "status" | "message">,
): Promise<Finding | undefined> {
  const ids = await firstColumn(sql, `${query} LIMIT ${mostIds}`, args);
  if (ids.length === 0) return undefined;
  const count =
    ids.length < mostIds ? ids.length : await firstNumber(sql, `SELECT count(*) FROM (${query})`, args);
  return { ...finding(count), ids, count };
}

/** What a check finds where it is the records that a statement names; the arguments are those at the time. */
export function recordsFound(
  query: string,
  status: Finding["status"],
  message: (count: number) => string,
  args: () => readonly (string | number)[] = () => [],
): Check["find"] {
  return (connection) =>
    findingOf(connection, query, args(), (count) => ({ status, message: message(count) }));
}
