import { sql } from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import { type View, viewCondition } from "../../capture/sessions/view.ts";
import type { Connection } from "../../store/store.ts";
import { accessStrengthAt } from "./access-strength.ts";

type DecayingTable = SQLiteTable & {
  readonly projectKey: SQLiteColumn;
  readonly agentId: SQLiteColumn;
  readonly strength: SQLiteColumn;
  readonly lastAccessedAt: SQLiteColumn;
};

interface Curve {
  readonly threshold: number;
  readonly now: number;
  readonly periodDays: number;
}

/** How many rows have become weaker than the threshold. */
export async function countDecayed(
  { orm }: Connection,
  table: DecayingTable,
  view: View,
  { threshold, now, periodDays }: Curve,
): Promise<number> {
  const rows = await orm
    .select({
      strength: sql<number>`${table.strength}`,
      lastAccessedAt: sql<number>`${table.lastAccessedAt}`,
    })
    .from(table)
    .where(viewCondition(view, table));
  return rows.filter((row) => accessStrengthAt(row, now, periodDays) < threshold).length;
}
