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

/** A fault that a check found. */
export interface Finding {
  readonly status: "warn" | "fail";
  readonly message: string;
  /** The ids of the records concerned; undefined when it concerns none in particular. */
  readonly ids?: readonly string[];
  /** How many records are concerned; may be more than the listed ids. */
  readonly count?: number;
}

/** A check for one kind of fault in the records of a family. The family declares it; diagnostics run it. */
export type Check = Finder & (Curing | Advising);

interface Finder {
  readonly category: DiagnosticCategory;
  readonly name: string;
  /** Only reads. Returns undefined when nothing is wrong. */
  readonly find: (connection: Connection) => Promise<Finding | undefined>;
}

interface Curing {
  /**
   * Repairs the fault; all checks of a heal share one transaction. Returns a line per repaired record. A dry run
   * rolls the transaction back, so effects outside the database belong in `afterwards`.
   */
  readonly heal: (tx: Transaction) => Promise<Healed>;
  /** For a repair that may find nothing that it can change: why, and what people can do then. */
  readonly ifNothingHealed?: { readonly reason: string; readonly hint: string };
  readonly hint?: never;
}

interface Advising {
  readonly heal?: never;
  /** What people can do about a fault that only they can repair. */
  readonly hint: string;
}

/** The hint for rows that memsvc itself never writes, and cannot repair because what they should say is unknown. */
export const writtenByOthers =
  "memsvc writes no such rows: something else has changed the store; an earlier state may be in a snapshot: memsvc snapshot list";

export interface Healed {
  readonly details: readonly string[];
  /** How many records were repaired, if not one for each line of the details. */
  readonly fixed?: number;
  /** Text was taken out of the index; its last traces remain to be purged from the file. */
  readonly leavesTraces?: boolean;
  /** Effects outside the database, run after the heal is committed. */
  readonly afterwards?: () => Promise<void>;
}

const mostIds = 1_000;

/**
 * A finding about the records that a query selects (`SELECT id …`), with at most a thousand ids; undefined
 * when there are none.
 */
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

/** The `find` of a check whose query selects the faulty records. `args` is called at each run. */
export function recordsFound(
  query: string,
  status: Finding["status"],
  message: (count: number) => string,
  args: () => readonly (string | number)[] = () => [],
): Check["find"] {
  return (connection) =>
    findingOf(connection, query, args(), (count) => ({ status, message: message(count) }));
}
