import { and, desc, eq, gte, inArray, isNull, or, sql } from "drizzle-orm";
import { agentCondition } from "../../capture/sessions/agent-scope.ts";
import type { View } from "../../capture/sessions/view.ts";
import type { Connection } from "../../store/store.ts";
import { fullTitle, openingLength } from "./full-title.ts";
import { isLive } from "./live-sql.ts";
import { applyPresentTitles } from "./present-titles.ts";
import { strengthExpression } from "./strength-sql.ts";
import { memories } from "./tables.ts";

interface Preference {
  readonly id: string;
  /** The title; if it is the cut beginning of the content, more of the same line. */
  readonly text: string;
  readonly recallCount: number;
}

/** Latest preferences of at least this strength, strongest first, of the view's projects or of none. */
export async function strongPreferences(
  { orm, sql: read }: Connection,
  { keys, filter }: View,
  strength: number,
  now: number,
  limit: number,
): Promise<Preference[]> {
  const rows = await orm
    .select({
      id: memories.id,
      title: memories.title,
      opening: sql<string>`substr(${memories.content}, 1, ${openingLength})`,
      recallCount: memories.recallCount,
    })
    .from(memories)
    .where(
      and(
        eq(memories.type, "preference"),
        isLive(now),
        agentCondition(filter, memories.agentId),
        keys === undefined
          ? undefined
          : or(inArray(memories.projectKey, [...keys]), isNull(memories.projectKey)),
        gte(strengthExpression(now), strength),
      ),
    )
    .orderBy(desc(strengthExpression(now)), desc(memories.createdAt), desc(memories.id))
    .limit(limit);
  return (await applyPresentTitles(read, rows)).map(({ id, title, opening, recallCount }) => ({
    id,
    text: fullTitle(title, opening),
    recallCount,
  }));
}
