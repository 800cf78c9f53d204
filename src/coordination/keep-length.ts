import { clockPlayMs } from "../jobs/wrong-clock.ts";
import type { ExpiryStep } from "./clockwork.ts";

interface Waiting {
  /** A table with an index on `created_at`. */
  readonly table: string;
  /** SQL condition for rows that still wait. */
  readonly waits: string;
  /** Columns with the times that they wait for. */
  readonly times: readonly string[];
}

/**
 * For rows that were created while the clock was ahead, before it was set back: they count as created now, and wait as
 * long from now as they were to wait. Otherwise a timer of ten minutes might go off in a year.
 */
export function keepLength({ table, waits, times }: Waiting): ExpiryStep {
  // The plus makes SQLite use the index on `created_at`, by which hardly any row is found.
  const isAhead = `created_at > ?1 + ${clockPlayMs} AND +(${waits})`;
  const moved = times.map((time) => `${time} = ?1 + ${time} - created_at`);
  return {
    name: table,
    due: `SELECT 1 FROM ${table} WHERE ${isAhead} LIMIT 1`,
    carryOut: async (tx, { now }) => {
      await tx.sql.run(`UPDATE ${table} SET ${moved.join(", ")}, created_at = ?1 WHERE ${isAhead}`, [now()]);
      return [];
    },
  };
}
