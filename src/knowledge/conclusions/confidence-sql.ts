import { type Column, type SQL, sql } from "drizzle-orm";
import { weekMs } from "../../time/durations.ts";
import { type ConfidenceCurve, leastConfidence } from "./confidence.ts";

/** `confidenceAt` as an expression, to filter and sort by. */
export function confidenceExpression(
  columns: { readonly [Name in keyof ConfidenceCurve]: Column },
  now: number,
  decays: boolean,
): SQL<number> {
  const { confidence, decayRate, createdAt, lastReinforcedAt } = columns;
  const since = sql`coalesce(${lastReinforcedAt}, ${createdAt})`;
  const weeks = sql`CAST(max(0, ${now} - ${since}) * 1.0 / ${weekMs} AS INTEGER)`;
  const faded = decays ? sql`${confidence} - ${decayRate} * ${weeks}` : sql`${confidence}`;
  return sql<number>`round(max(${leastConfidence}, ${faded}), 4)`;
}
