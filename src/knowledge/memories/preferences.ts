import { and, desc, eq, gt, gte, inArray, isNull, or, sql } from "drizzle-orm";
import { type AgentFilter, agentCondition } from "../../capture/sessions/agent-scope.ts";
import type { Connection } from "../../store/store.ts";
import { firstLine } from "../../text/first-line.ts";
import { strengthNow } from "./eviction.ts";
import { memories } from "./tables.ts";

export interface Preference {
  readonly id: string;
  /** Its title; where that is the cut beginning of the content, more of the same line. */
  readonly text: string;
  readonly recallCount: number;
}

/** In characters: of the content so much is read. */
const longestOpening = 400;

/** Latest preferences that are at least so strong, strongest first: of these projects or of none. */
export async function strongPreferences(
  { orm }: Connection,
  { keys, filter }: { readonly keys: readonly string[] | undefined; readonly filter: AgentFilter },
  strength: number,
  now: number,
  limit: number,
): Promise<Preference[]> {
  const rows = await orm
    .select({
      id: memories.id,
      title: memories.title,
      opening: sql<string>`substr(${memories.content}, 1, ${longestOpening})`,
      recallCount: memories.recallCount,
    })
    .from(memories)
    .where(
      and(
        eq(memories.type, "preference"),
        eq(memories.isLatest, true),
        or(isNull(memories.forgetAfter), gt(memories.forgetAfter, now)),
        agentCondition(filter, memories.agentId),
        keys === undefined
          ? undefined
          : or(inArray(memories.projectKey, [...keys]), isNull(memories.projectKey)),
        gte(strengthNow(now), strength),
      ),
    )
    .orderBy(desc(strengthNow(now)), desc(memories.createdAt), desc(memories.id))
    .limit(limit);
  return rows.map(({ id, title, opening, recallCount }) => {
    const line = firstLine(opening, longestOpening);
    return { id, text: line.startsWith(title) ? line : title, recallCount };
  });
}
