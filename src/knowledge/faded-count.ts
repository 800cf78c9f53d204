import { and, inArray, sql } from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import { type AgentFilter, agentCondition } from "../capture/sessions/agent-scope.ts";
import type { Connection } from "../store/store.ts";
import { accessStrengthAt } from "./access-strength.ts";

/** Whose records are looked through. */
export interface FadedView {
  /** Project keys; undefined: all projects. */
  readonly keys: readonly string[] | undefined;
  readonly filter: AgentFilter;
}

export const everything: FadedView = { keys: undefined, filter: { kind: "everyone" } };

type FadingTable = SQLiteTable & {
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

/** How many rows are weaker by now than the threshold. */
export async function countFaded(
  { orm }: Connection,
  table: FadingTable,
  { keys, filter }: FadedView,
  { threshold, now, periodDays }: Curve,
): Promise<number> {
  const rows = await orm
    .select({
      strength: sql<number>`${table.strength}`,
      lastAccessedAt: sql<number>`${table.lastAccessedAt}`,
    })
    .from(table)
    .where(
      and(
        agentCondition(filter, table.agentId),
        keys === undefined ? undefined : inArray(table.projectKey, [...keys]),
      ),
    );
  return rows.filter((row) => accessStrengthAt(row, now, periodDays) < threshold).length;
}
