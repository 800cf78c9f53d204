import { and, eq, sql } from "drizzle-orm";
import { type ProjectView, viewCondition } from "../../capture/sessions/view.ts";
import { newestFirst } from "../../store/page.ts";
import type { Connection } from "../../store/store.ts";
import { isLive } from "./live-sql.ts";
import type { MemoryRow } from "./record.ts";
import { memories } from "./tables.ts";

const fewestSessions = 2;

/** Latest memories of the type pattern in these projects that come from several sessions, newest first. */
export async function recurringPatterns(
  { orm }: Connection,
  view: ProjectView,
  now: number,
  limit: number,
): Promise<MemoryRow[]> {
  return orm
    .select()
    .from(memories)
    .where(
      and(
        eq(memories.type, "pattern"),
        viewCondition(view, memories),
        isLive(now),
        sql`json_array_length(${memories.sessionIds}) >= ${fewestSessions}`,
      ),
    )
    .orderBy(...newestFirst(memories))
    .limit(limit);
}
