import { and, eq, lte, type SQL } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import { type View, viewCondition } from "../../capture/sessions/view.ts";
import { type ConfidenceCurve, fadedConfidence } from "./confidence.ts";
import { confidenceExpression } from "./confidence-sql.ts";

type ConclusionTable = {
  readonly [Name in
    | keyof ConfidenceCurve
    | "reinforcements"
    | "projectKey"
    | "agentId"
    | "deleted"]: SQLiteColumn;
};

/** Which rows have faded away by now and were never confirmed. */
export function hasFaded(table: ConclusionTable, view: View, now: number): SQL | undefined {
  return and(
    eq(table.deleted, false),
    eq(table.reinforcements, 0),
    lte(confidenceExpression(table, now, true), fadedConfidence),
    viewCondition(view, table),
  );
}
