import { inArray } from "drizzle-orm";
import type { Connection } from "../../store/store.ts";
import type { SummaryRow } from "./record.ts";
import { sessionSummaries } from "./tables.ts";

/** The summaries of these sessions, by session id; sessions without one are left out. */
export async function summariesOf(
  { orm }: Pick<Connection, "orm">,
  sessionIds: readonly string[],
): Promise<Map<string, SummaryRow>> {
  if (sessionIds.length === 0) return new Map();
  const rows = await orm
    .select()
    .from(sessionSummaries)
    .where(inArray(sessionSummaries.sessionId, [...sessionIds]));
  return new Map(rows.map((row) => [row.sessionId, row]));
}
