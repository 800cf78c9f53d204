import { and, type Column, eq, lte, type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import { type View, viewCondition } from "../../capture/sessions/view.ts";
import { firstCredible } from "../../time/age.ts";
import { weekMs } from "../../time/durations.ts";
import { type ConfidenceCurve, decayThreshold, leastConfidence } from "./confidence.ts";

type ConclusionTable = {
  readonly [Name in
    | keyof ConfidenceCurve
    | "reinforcements"
    | "projectKey"
    | "agentId"
    | "deleted"]: SQLiteColumn;
};

/** `confidenceAt` as an SQL expression, to filter and sort by. */
export function confidenceExpression(
  columns: { readonly [Name in keyof ConfidenceCurve]: Column },
  now: number,
  decays: boolean,
): SQL<number> {
  const { confidence, decayRate, createdAt, lastReinforcedAt } = columns;
  const since = sql`coalesce(${lastReinforcedAt}, ${createdAt})`;
  const age = sql`iif(${since} < ${firstCredible}, 0, max(0, ${now} - ${since}))`;
  const weeks = sql`CAST(${age} * 1.0 / ${weekMs} AS INTEGER)`;
  const decayed = decays ? sql`${confidence} - ${decayRate} * ${weeks}` : sql`${confidence}`;
  return sql<number>`round(max(${leastConfidence}, ${decayed}), 4)`;
}

/** SQL condition for rows that have decayed to the threshold and were never confirmed. */
export function decayedCondition(table: ConclusionTable, view: View, now: number): SQL | undefined {
  return and(
    eq(table.deleted, false),
    eq(table.reinforcements, 0),
    lte(confidenceExpression(table, now, true), decayThreshold),
    viewCondition(view, table),
  );
}
