import { and, desc, eq, inArray, sql } from "drizzle-orm";
import { agentCondition } from "../../capture/sessions/agent-scope.ts";
import type { ProjectView } from "../../capture/sessions/view.ts";
import type { Connection } from "../../store/store.ts";
import { isLive } from "./live-sql.ts";
import type { MemoryRow } from "./record.ts";
import { memories } from "./tables.ts";

const fewestSessions = 2;

/** Latest memories of the type pattern in these projects that come from several sessions, newest first. */
export async function recurringPatterns(
  { orm }: Connection,
  { keys, filter }: ProjectView,
  now: number,
  limit: number,
): Promise<MemoryRow[]> {
  return orm
    .select()
    .from(memories)
    .where(
      and(
        eq(memories.type, "pattern"),
        inArray(memories.projectKey, [...keys]),
        agentCondition(filter, memories.agentId),
        isLive(now),
        sql`json_array_length(${memories.sessionIds}) >= ${fewestSessions}`,
      ),
    )
    .orderBy(desc(memories.createdAt), desc(memories.id))
    .limit(limit);
}
